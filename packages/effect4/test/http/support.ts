import { Effect, Exit, Layer, Option, Redacted, type Scope, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { it } from "vitest"
import type { InvalidOption } from "../../src/core/InvalidOption.ts"
import type { Options } from "../../src/http/ApiClient.ts"
import * as FetchTransport from "../../src/http/FetchTransport.ts"
import * as Mailstream from "../../src/http/Mailstream.ts"
import type { Transport } from "../../src/http/Transport.ts"

type Test = () => Effect.Effect<unknown, unknown, Scope.Scope>

/** A test with a scope that ends with it. */
export const scoped = (name: string, test: Test, timeout?: number): void =>
  it(name, () => Effect.runPromise(Effect.scoped(Effect.asVoid(test()))), timeout)

/** The same on a clock that stands still until it is adjusted. */
export const timed = (name: string, test: Test, timeout?: number): void =>
  it(name, () => Effect.runPromise(Effect.provide(Effect.scoped(Effect.asVoid(test())), TestClock.layer())), timeout)

/** A request as received over the wire. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface Wire {
  readonly baseUrl: string
  readonly received: Array<Received>
  /** How many requests the client aborted before their response was complete. */
  readonly aborted: () => number
}

export type Respond = (response: ServerResponse, request: Received) => unknown

/** A bare HTTP server on loopback with scripted responses. */
export const serve = (respond: Respond): Effect.Effect<Wire, never, Scope.Scope> =>
  Effect.suspend(() => {
    const received: Array<Received> = []
    let aborted = 0
    const listening = Effect.callback<Server>((resume) => {
      const server = createServer((request, response) => {
        // A client that hangs up in the middle of a response is part of many tests.
        response.on("error", () => {})
        response.on("close", () => {
          if (!response.writableFinished) aborted++
        })
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { headers, method = "", url = "" } = request
          const next = { method, url, headers, body: Buffer.concat(chunks).toString() }
          received.push(next)
          respond(response, next)
        })
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    })
    return Effect.map(
      Effect.acquireRelease(listening, (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })),
      (server) => ({
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        received,
        aborted: () => aborted
      })
    )
  })

/** A body as JSON; a string is sent as it is. */
export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Respond => (response) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }

export const emptyList = { object: "list", has_more: false, data: [] }

export const contactId = "e169aa45-1ecf-4183-9955-b1499d5701d3"

export const contact = {
  id: contactId,
  email: "jane@example.com",
  first_name: null,
  last_name: null,
  created_at: "2023-10-06 23:47:56.678+00",
  unsubscribed: false
}

export const apiKey = Redacted.make("re_secret_4f2b9c7d")

/** All services on a server. */
export const mailstream = <E = never>(
  baseUrl: string,
  options: Partial<Options> = {},
  transport: Layer.Layer<Transport, E> = FetchTransport.layer
): Layer.Layer<Layer.Success<ReturnType<typeof Mailstream.layer>>, InvalidOption | E> =>
  Mailstream.layer({ baseUrl, apiKey, ...options }).pipe(Layer.provide(transport))

/** The spans of an effect, in the order in which they began, whatever becomes of it. */
export const spansOf = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<ReadonlyArray<Tracer.NativeSpan>, never, R> =>
  Effect.suspend(() => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    return Effect.as(Effect.exit(Effect.withTracer(effect, tracer)), spans)
  })

/** A span as it is exported. */
export const shown = (span: Tracer.NativeSpan) => ({
  name: span.name,
  kind: span.kind,
  attributes: Object.fromEntries(span.attributes),
  parent: Option.getOrUndefined(Option.map(span.parent, (parent) => parent._tag === "Span" ? parent.name : "external")),
  ended: span.status._tag === "Ended" ? Exit.isSuccess(span.status.exit) ? "success" : "failure" : "never"
})

/** Waits in real time until something is so, at most a few seconds. */
export const eventually = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    let left = 3000
    const timer = setInterval(() => {
      if (!isSo() && left-- > 0) return
      clearInterval(timer)
      resume(isSo() ? Effect.void : Effect.die(new Error("it never came to that")))
    }, 2)
    return Effect.sync(() => clearInterval(timer))
  })
