/** Where the clients are measured: the server in its own process, and the layers that lead to it. */
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as FetchClient from "@mailstream/http/FetchClient"
import * as UndiciClient from "@mailstream/http/UndiciClient"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

export const key = "re_bench"

/** Starts a program of the benchmarks in a process of its own, and waits for the port on which it listens. */
export const start = (
  program: string,
  env: Record<string, string> = {}
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(fileURLToPath(new URL(`${program}.js`, import.meta.url)), { env: { ...process.env, ...env } })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  ).pipe(
    Effect.flatMap((child) => Effect.promise(() => once(child, "message"))),
    Effect.map(([port]) => `http://127.0.0.1:${port}`)
  )

/** A bare server with so many contacts. */
export const sender = (options: { readonly size: number; readonly delay?: number; readonly keep?: number }) =>
  start("sender", {
    SIZE: String(options.size),
    DELAY: String(options.delay ?? 0),
    KEEP: String(options.keep ?? 1000)
  })

/** All services, on a client that lives as long as the scope. */
const servicesOn = (client: Layer.Layer<HttpClient.HttpClient>) => (baseUrl: string) =>
  Layer.toRuntime(Mailstream.layer({ baseUrl, apiKey: Redacted.make(key) }).pipe(Layer.provide(client)))

export const undici = servicesOn(UndiciClient.layer)

export const fetching = servicesOn(FetchClient.layer)

/** On the clients that the platform has for the same. */
export const platform = {
  undici: servicesOn(NodeHttpClient.layerUndici),
  fetching: servicesOn(FetchHttpClient.layer)
}
