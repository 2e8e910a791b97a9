/** How a connection ends: with something that may be a request, with half of one, or without awaiting a response. */
import type { Dice } from "@mailstream/testing/Dice"
import corpus from "./corpus.json" with { type: "json" }
import * as Request from "./Request.ts"

export interface Ending {
  readonly bytes: Buffer
  /**
   * - `response`: a valid request follows. If that one is swallowed, the client closes its side.
   * - `half`: the client closes its side immediately, in the middle of it.
   * - `gone`: the client disappears in the middle of it, or of the response.
   */
  readonly then: "response" | "half" | "gone"
  /** After how many milliseconds it is gone. */
  readonly after?: number | undefined
}

const usual = ["host: localhost", `authorization: Bearer ${Request.keyPlace}`, "content-type: application/json"]

const head = (line: string, ...headers: ReadonlyArray<string>): string =>
  [line, ...usual, ...headers, "", ""].join("\r\n")

const create = (...headers: ReadonlyArray<string>): string => head("POST /topics HTTP/1.1", ...headers)

const list = (...headers: ReadonlyArray<string>): string => head("GET /contacts?limit=2 HTTP/1.1", ...headers)

const body = "{\"name\":\"smuggled\"}"

const chunks = [...corpus.chunks, `1;${"e".repeat(20_000)}\r\nx\r\n0\r\n\r\n`]

const heads = [
  ...corpus.heads,
  list("connection: upgrade", "upgrade: websocket", "sec-websocket-key: x"),
  list("connection: upgrade", "upgrade: h2c", "http2-settings: AAMAAABkAARAAAAAAAIAAAAA"),
  create("connection: upgrade", "upgrade: websocket", `content-length: ${body.length}`) + body,
  create("expect: 100-continue", `content-length: ${body.length}`) + body
]

/** Heads that are longer than the server accepts. */
const long = (dice: Dice): string =>
  dice.pick([
    list(`x-long: ${"x".repeat(20_000)}`),
    list(...Array.from({ length: 3000 }, (_, n) => `x-${n}: y`)),
    list(`${"n".repeat(20_000)}: x`),
    head(`GET /contacts?limit=1&x=${"y".repeat(100_000)} HTTP/1.1`),
    head(`GET /${"y".repeat(100_000)} HTTP/1.1`),
    `${"G".repeat(100_000)} / HTTP/1.1\r\n\r\n`,
    list(`authorization: Bearer ${"x".repeat(100_000)}`)
  ])

const text = (dice: Dice): string =>
  dice.weigh<string>([
    [8, () => dice.pick(heads)],
    [6, () => create(dice.pick(corpus.lengths)) + body],
    [3, () => create("transfer-encoding: chunked") + dice.pick(chunks)],
    [1, () => long(dice)]
  ])

/** A request with a few bytes changed. */
const mutated = (dice: Dice): Buffer => {
  const bytes = Buffer.from(Request.encode(Request.make(dice)).subarray(0, 10_000))
  for (let n = 1 + dice.below(3); n > 0; n--) bytes[dice.below(bytes.length)] = dice.below(256)
  return bytes
}

const part = (dice: Dice): Buffer => {
  const whole = Request.encode(Request.make(dice))
  return whole.subarray(0, 1 + dice.below(whole.length - 1))
}

export const make = (dice: Dice): Ending =>
  dice.weigh<Ending>([
    [6, () => ({ bytes: Buffer.from(text(dice), "latin1"), then: "response" })],
    [2, () => ({ bytes: mutated(dice), then: "response" })],
    [1, () => ({ bytes: dice.bytes(1 + dice.below(200)), then: "response" })],
    [2, () => ({ bytes: part(dice), then: "half" })],
    [1, () => ({ bytes: part(dice), then: "gone" })],
    [3, () => ({ bytes: Request.encode(Request.make(dice)), then: "gone", after: dice.below(10) })]
  ])
