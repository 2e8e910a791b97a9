/** What came back over a connection, taken apart and judged. */
import { ApiError } from "@mailstream/core"
import { Either, Schema } from "effect"

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** What was wrong with it as HTTP. */
  readonly fault?: string | undefined
}

interface Taken {
  readonly answer: Answer
  readonly rest: Buffer
}

/** Puts chunks together; nothing where they are not all there. */
const unchunk = (bytes: Buffer): { readonly body: Buffer; readonly rest: Buffer } | undefined => {
  const parts: Array<Buffer> = []
  for (let at = 0;;) {
    const end = bytes.indexOf("\r\n", at)
    if (end === -1) return undefined
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16)
    if (!Number.isInteger(size) || bytes.length < end + 2 + size + 2) return undefined
    if (size === 0) return { body: Buffer.concat(parts), rest: bytes.subarray(end + 4) }
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

/** Takes one answer from the front of the bytes; nothing where it is not all there. */
const take = (bytes: Buffer, method: string, isEnd: boolean): Taken | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const [line = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n")
  const headers = new Map(lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  }))
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  const behind = bytes.subarray(end + 4)
  const given = (body: Buffer, rest: Buffer, fault?: string): Taken => ({
    answer: { status, headers, body, fault },
    rest
  })
  if (!Number.isInteger(status)) return given(behind, Buffer.alloc(0), `no status in ${JSON.stringify(line)}`)
  // Not the answer yet.
  if (status < 200) return take(behind, method, isEnd)
  if (method === "HEAD") return given(Buffer.alloc(0), behind)
  if (headers.get("transfer-encoding") === "chunked") {
    const all = unchunk(behind)
    return all === undefined ? undefined : given(all.body, all.rest)
  }
  const length = headers.get("content-length")
  if (length === undefined) return isEnd ? given(behind, Buffer.alloc(0)) : undefined
  return behind.length < Number(length)
    ? undefined
    : given(behind.subarray(0, Number(length)), behind.subarray(Number(length)))
}

/** The answers to requests with these methods, as far as they have come. */
export const parse = (
  received: Buffer,
  methods: ReadonlyArray<string>,
  isEnd: boolean
): { readonly answers: ReadonlyArray<Answer>; readonly rest: Buffer } => {
  const answers: Array<Answer> = []
  let rest = received
  for (const method of methods) {
    const taken = take(rest, method, isEnd)
    if (taken === undefined) break
    answers.push(taken.answer)
    rest = taken.rest
  }
  return { answers, rest }
}

const decodeError = Schema.decodeUnknownEither(ApiError)

/** The value of a text; nothing where it is no JSON. */
export const json = (text: string): unknown =>
  Either.getOrElse(Either.try((): unknown => JSON.parse(text)), () => undefined)

/** What is wrong with an answer; nothing where it is as the API promises it. */
export const judge = (answer: Answer, method: string, expected?: number): string | undefined => {
  const { body, fault, headers, status } = answer
  const text = body.toString()
  const shown = `${status} ${JSON.stringify(text.slice(0, 120))}`
  if (fault !== undefined) return fault
  if (status >= 500) return `answered with ${shown}`
  if (expected !== undefined && status !== expected) return `answered with ${shown} instead of ${expected}`
  const type = headers.get("content-type")
  if (status < 300) {
    if (method === "HEAD" || type?.startsWith("text/html") === true) return undefined
    return type === "application/json" && json(text) !== undefined ? undefined : `success without JSON: ${shown}`
  }
  if (type !== "application/json") return `an error that is ${type}: ${shown}`
  if (method === "HEAD") return undefined
  const value = json(text)
  if (typeof value !== "object" || value === null) return `an error without JSON: ${shown}`
  if (Object.keys(value).sort().join() !== "message,name,statusCode") return `an error of another shape: ${shown}`
  const error = decodeError(value)
  if (Either.isLeft(error)) return `an error of another shape: ${shown}`
  return error.right.statusCode === status ? undefined : `an error that says another status: ${shown}`
}
