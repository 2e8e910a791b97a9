/** Parses the responses on a connection, and judges them. */
import { ApiError } from "@mailstream/core"
import { Either, Option, Schema } from "effect"

export interface Response {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** What was wrong with it as HTTP. */
  readonly fault?: string | undefined
}

interface Taken {
  readonly response: Response
  readonly rest: Buffer
}

/** Joins the chunks of a body; undefined until all of them have arrived. */
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

/** Takes one response from the front of the bytes; undefined until it is complete. */
const take = (bytes: Buffer, method: string, isEnd: boolean): Taken | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const [line = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n")
  const headers = new Map(lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  }))
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  const after = bytes.subarray(end + 4)
  const taken = (body: Buffer, rest: Buffer, fault?: string): Taken => ({
    response: { status, headers, body, fault },
    rest
  })
  if (!Number.isInteger(status)) return taken(after, Buffer.alloc(0), `no status in ${JSON.stringify(line)}`)
  // An interim response.
  if (status < 200) return take(after, method, isEnd)
  if (method === "HEAD") return taken(Buffer.alloc(0), after)
  if (headers.get("transfer-encoding") === "chunked") {
    const all = unchunk(after)
    return all === undefined ? undefined : taken(all.body, all.rest)
  }
  const length = headers.get("content-length")
  if (length === undefined) return isEnd ? taken(after, Buffer.alloc(0)) : undefined
  return after.length < Number(length)
    ? undefined
    : taken(after.subarray(0, Number(length)), after.subarray(Number(length)))
}

/** The responses to requests with these methods, as far as they have arrived. */
export const parse = (
  received: Buffer,
  methods: ReadonlyArray<string>,
  isEnd: boolean
): { readonly responses: ReadonlyArray<Response>; readonly rest: Buffer } => {
  const responses: Array<Response> = []
  let rest = received
  for (const method of methods) {
    const taken = take(rest, method, isEnd)
    if (taken === undefined) break
    responses.push(taken.response)
    rest = taken.rest
  }
  return { responses, rest }
}

const decodeError = Schema.decodeUnknownEither(ApiError)

/** The value of a JSON text; undefined if it is not JSON. */
export const json: (text: string) => unknown = (text) =>
  Option.getOrUndefined(Option.liftThrowable((): unknown => JSON.parse(text))())

/** The error in a response; undefined if it is as the API promises. */
export const judge = (response: Response, method: string, expected?: number): string | undefined => {
  const { body, fault, headers, status } = response
  const text = body.toString()
  const shown = `${status} ${JSON.stringify(text.slice(0, 120))}`
  if (fault !== undefined) return fault
  if (status >= 500) return `responded with ${shown}`
  if (expected !== undefined && status !== expected) return `responded with ${shown} instead of ${expected}`
  const type = headers.get("content-type")
  if (status < 300) {
    if (method === "HEAD" || type?.startsWith("text/html") === true) return undefined
    return type === "application/json" && json(text) !== undefined ? undefined : `success without JSON: ${shown}`
  }
  if (type !== "application/json") return `an error that is ${type}: ${shown}`
  if (method === "HEAD") return undefined
  const value = json(text)
  if (typeof value !== "object" || value === null) return `an error without JSON: ${shown}`
  const error = decodeError(value)
  if (Either.isLeft(error) || Object.keys(value).sort().join() !== "message,name,statusCode") {
    return `an error of another shape: ${shown}`
  }
  return error.right.statusCode === status ? undefined : `an error that says another status: ${shown}`
}
