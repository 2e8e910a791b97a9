import { assert } from "@effect/vitest"
import { ApiError } from "@mailstream/core"
import { Server } from "@mailstream/server"
import { Effect, Redacted, Schema } from "effect"
import { connect } from "node:net"

/** A response as it was received. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A page of any items. */
export interface AnyPage {
  readonly object: string
  readonly has_more: boolean
  readonly data: ReadonlyArray<{ readonly id: string }>
}

/** Sends a request, with the test server's key unless another is given. */
export const send = (
  path: string,
  init: RequestInit & { readonly key?: string | undefined } = {}
): Effect.Effect<Received, never, Server.TestServer> =>
  Effect.flatMap(Server.TestServer, ({ apiKey, baseUrl }) =>
    Effect.promise(async (signal) => {
      const { key = `Bearer ${Redacted.value(apiKey)}`, ...rest } = init
      const headers = new Headers(rest.headers)
      if (key !== "") headers.set("authorization", key)
      const response = await fetch(`${baseUrl}${path}`, { ...rest, headers, signal })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }))

/** The page of a successful response. */
export const page = (path: string): Effect.Effect<AnyPage, never, Server.TestServer> =>
  Effect.map(send(path), ({ headers, status, text }) => {
    assert.strictEqual(status, 200, text)
    assert.strictEqual(headers.get("content-type"), "application/json")
    return JSON.parse(text)
  })

export const post = (path: string, body: unknown): Effect.Effect<Received, never, Server.TestServer> =>
  send(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

/** Asserts that a response is an error in the API's format and nothing else. */
export const assertError = (response: Received, status: number, name: string, message?: string): void => {
  assert.strictEqual(response.status, status, response.text)
  assert.strictEqual(response.headers.get("content-type"), "application/json")
  const body = JSON.parse(response.text)
  assert.hasAllKeys(body, ["statusCode", "name", "message"])
  const error = Schema.decodeUnknownSync(ApiError)(body)
  assert.strictEqual(error.statusCode, status)
  assert.strictEqual(error._tag, name)
  if (message !== undefined) assert.strictEqual(error.message, message)
}

/**
 * Sends raw bytes and returns everything received until the connection ends. With `end`, the client closes its side
 * after sending.
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

/** The first response in what a connection received. */
export const parse = (received: string): Received => {
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
