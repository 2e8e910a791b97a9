/** The ways to receive requests, for tests that are the same for all of them. */
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import type { InvalidOption, WebhookEvent } from "@mailstream/core"
import type { Deduplication } from "@mailstream/webhook"
import { WebhookHandler } from "@mailstream/webhook"
import { Effect, Layer, type Scope } from "effect"
import { createServer } from "node:http"

export interface Send {
  (init: RequestInit & { readonly duplex?: "half" }): Effect.Effect<Response>
}

export type Handle = (event: WebhookEvent, delivery: WebhookHandler.Delivery) => Effect.Effect<unknown, unknown>

export type Open = (
  handle: Handle,
  options: WebhookHandler.Options
) => Effect.Effect<Send, InvalidOption, Deduplication.Deduplication | Scope.Scope>

/** As a function of `Request`. */
const web: Open = (handle, options) =>
  Effect.map(
    WebhookHandler.toWebHandler(handle, options),
    (receive) => (init) =>
      Effect.promise(() => receive(new Request("http://localhost/webhook", { method: "POST", ...init })))
  )

/** Over HTTP on loopback. */
const http: Open = (handle, options) =>
  Effect.gen(function*() {
    const app = yield* WebhookHandler.toHttpApp(handle, options)
    const server = yield* Layer.build(
      HttpServer.serve(app).pipe(Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })))
    ).pipe(Effect.orDie)
    const { address } = yield* Effect.provide(HttpServer.HttpServer, server)
    const port = address._tag === "TcpAddress" ? address.port : 0
    return (init) => Effect.promise(() => fetch(`http://127.0.0.1:${port}/webhook`, { method: "POST", ...init }))
  })

export const doors: ReadonlyArray<readonly [name: string, open: Open]> = [
  ["a web handler", web],
  ["an HttpApp over HTTP", http]
]
