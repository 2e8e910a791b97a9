import { assert } from "@effect/vitest"
import { ApiError } from "@mailstream/core"
import { Server } from "@mailstream/server"
import { Effect, Redacted, Schema } from "effect"
import { connect } from "node:net"

/** An answer, as it came. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A page of whatever items. */
export interface AnyPage {
  readonly object: string
  readonly has_more: boolean
  readonly data: ReadonlyArray<{ readonly id: string }>
}

/** Sends a request with the key of the test server, unless it says otherwise. */
export const send = (
  path: string,
  init: RequestInit & { readonly key?: string | undefined } = {}
): Effect.Effect<Answer, never, Server.TestServer> =>
  Effect.flatMap(Server.TestServer, ({ apiKey, baseUrl }) =>
    Effect.promise(async (signal) => {
      const { key = `Bearer ${Redacted.value(apiKey)}`, ...rest } = init
      const headers = new Headers(rest.headers)
      if (key !== "") headers.set("authorization", key)
      const response = await fetch(`${baseUrl}${path}`, { ...rest, headers, signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }))

/** The JSON of an answer with success. */
export const page = (path: string): Effect.Effect<AnyPage, never, Server.TestServer> =>
  Effect.map(send(path), ({ headers, status, text }) => {
    assert.strictEqual(status, 200, text)
    assert.strictEqual(headers.get("content-type"), "application/json")
    return JSON.parse(text)
  })

export const post = (path: string, body: unknown): Effect.Effect<Answer, never, Server.TestServer> =>
  send(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

/** That an answer is an error in the API's shape, and nothing else. */
export const assertError = (answer: Answer, status: number, name: string, message?: string): void => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(answer.headers.get("content-type"), "application/json")
  const body = JSON.parse(answer.text)
  assert.hasAllKeys(body, ["statusCode", "name", "message"])
  const error = Schema.decodeUnknownSync(ApiError)(body)
  assert.strictEqual(error.statusCode, status)
  assert.strictEqual(error._tag, name)
  if (message !== undefined) assert.strictEqual(error.message, message)
}

/**
 * Sends bytes as they are, and gives all that comes back until the connection ends. With `end`, the client hangs up its
 * side behind them.
 */
export const raw = (
  bytes: string,
  options: { readonly end?: boolean } = {}
): Effect.Effect<string, never, Server.TestServer> =>
  Effect.flatMap(Server.TestServer, ({ apiKey, baseUrl }) =>
    Effect.async<string>((resume) => {
      const { hostname, port } = new URL(baseUrl)
      const socket = connect(Number(port), hostname)
      let received = ""
      socket.on("data", (chunk) => (received += chunk.toString()))
      socket.on("error", () => {})
      socket.on("close", () => resume(Effect.succeed(received)))
      socket.write(bytes.replaceAll("{key}", Redacted.value(apiKey)))
      if (options.end === true) socket.end()
    }))

/** The answer in what came over a connection. */
export const parse = (received: string): Answer => {
  const [head = "", ...rest] = received.split("\r\n\r\n")
  const [first = "", ...lines] = head.split("\r\n")
  return {
    status: Number(first.split(" ")[1]),
    headers: new Headers(lines.map((line): [string, string] => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })),
    text: rest.join("\r\n\r\n")
  }
}
