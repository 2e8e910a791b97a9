/**
 * How a connection ends: with something of which nobody knows whether it is a request, with half of one, or with one that
 * nobody waits for.
 */
import type { Dice } from "../../support/dice.ts"
import * as Request from "./Request.ts"

export interface Ending {
  readonly bytes: Buffer
  /**
   * - `answered`: another, good request comes behind it. Where that is swallowed, the client hangs up its side.
   * - `half`: the client hangs up its side at once, in the middle of it.
   * - `gone`: the client is gone in the middle of it, or of its answer.
   */
  readonly then: "answered" | "half" | "gone"
  /** After how many milliseconds it is gone. */
  readonly after?: number | undefined
}

const head = (line: string, ...headers: ReadonlyArray<string>): string =>
  [
    line,
    "host: localhost",
    `authorization: Bearer ${Request.keyPlace}`,
    "content-type: application/json",
    ...headers,
    "",
    ""
  ].join("\r\n")

const create = (...headers: ReadonlyArray<string>): string => head("POST /topics HTTP/1.1", ...headers)

const list = (...headers: ReadonlyArray<string>): string => head("GET /contacts?limit=2 HTTP/1.1", ...headers)

const body = "{\"name\":\"smuggled\"}"

/** What conflicts with itself: how long is it? */
const lengths = [
  "content-length: -1",
  "content-length: abc",
  "content-length: 1,2",
  "content-length: +5",
  "content-length: 0x13",
  "content-length: 19 19",
  "content-length:",
  "content-length: 99999999999999999999999",
  "content-length: 5\r\ncontent-length: 6",
  "content-length: 19\r\ncontent-length: 19",
  "content-length: 19\r\ntransfer-encoding: chunked",
  "transfer-encoding: chunked\r\ncontent-length: 3",
  "transfer-encoding: chunked, identity",
  "transfer-encoding: identity, chunked",
  "transfer-encoding: xchunked",
  "transfer-encoding: chunked\r\ntransfer-encoding: chunked",
  "transfer-encoding: gzip, chunked",
  "transfer-encoding : chunked",
  "transfer-encoding:\tchunked",
  "transfer-encoding: \u000bchunked"
]

const chunks = [
  "zz\r\n",
  "-5\r\nhello\r\n0\r\n\r\n",
  "FFFFFFFFFFFFFFFFFFF\r\n",
  "5\r\nhello0\r\n\r\n",
  "5\r\nhelloworld\r\n0\r\n\r\n",
  "5\nhello\n0\n\n",
  "0\r\nbad trailer\r\n\r\n",
  "5;\u0000\r\nhello\r\n0\r\n\r\n",
  `1;${"e".repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
  "\r\n\r\n"
]

const heads = [
  "HELLO\r\n\r\n",
  "\r\n\r\n\r\n",
  "\u0000\u0000\u0000\u0000",
  "GET /contacts\r\n",
  "GET  /contacts  HTTP/1.1\r\n\r\n",
  "GET /con tacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /con\u0000tacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /\u00ff\u0080 HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET contacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET # HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET http:// HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET http:/// HTTP/1.1\r\nhost: x\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET * HTTP/1.1\r\nhost: x\r\n\r\n",
  "get /contacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "FETCH /contacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "QUERY /contacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /contacts HTTP/9.9\r\nhost: x\r\n\r\n",
  "GET /contacts HTTP/1.1\r\n\r\n",
  "GET /contacts HTTP/1.0\r\n\r\n",
  "GET /contacts HTTP/1.0\r\nconnection: keep-alive\r\n\r\n",
  "GET /contacts http/1.1\r\nhost: x\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n",
  "CONNECT /contacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "SOURCE /contacts HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /contacts HTTP/1.1\nhost: x\n\n",
  "GET /contacts HTTP/1.1\rhost: x\r\r",
  "GET /contacts HTTP/1.1\r\nhost x\r\n\r\n",
  "GET /contacts HTTP/1.1\r\nhost : x\r\n\r\n",
  "GET /contacts HTTP/1.1\r\n: x\r\n\r\n",
  "GET /contacts HTTP/1.1\r\nh\u00f6st: x\r\n\r\n",
  "GET /contacts HTTP/1.1\r\nhost: x\u0000y\r\n\r\n",
  "GET /contacts HTTP/1.1\r\nhost: x\r\n folded\r\n\r\n",
  "GET /contacts HTTP/1.1\r\nhost: x\rauthorization: y\r\n\r\n",
  list("connection: upgrade", "upgrade: websocket", "sec-websocket-key: x"),
  list("connection: upgrade", "upgrade: h2c", "http2-settings: AAMAAABkAARAAAAAAAIAAAAA"),
  create("connection: upgrade", "upgrade: websocket", `content-length: ${body.length}`) + body,
  create("expect: 100-continue", `content-length: ${body.length}`) + body
]

/** More than the server takes of a head. */
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
    [6, () => create(dice.pick(lengths)) + body],
    [3, () => create("transfer-encoding: chunked") + dice.pick(chunks)],
    [1, () => long(dice)]
  ])

/** A good request with a byte or two turned into others. */
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
    [6, () => ({ bytes: Buffer.from(text(dice), "latin1"), then: "answered" })],
    [2, () => ({ bytes: mutated(dice), then: "answered" })],
    [1, () => ({ bytes: dice.bytes(1 + dice.below(200)), then: "answered" })],
    [2, () => ({ bytes: part(dice), then: "half" })],
    [1, () => ({ bytes: part(dice), then: "gone" })],
    [3, () => ({ bytes: Request.encode(Request.make(dice)), then: "gone", after: dice.below(10) })]
  ])
