/** The setup for the clients: the server in its own process, and the layers that connect to it. */
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import type { InvalidOption } from "@mailstream/core"
import type { Transport } from "@mailstream/http"
import { Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

export const key = "re_bench"

/** Starts a program of the benchmarks in a separate process, and waits for the number that it reports. */
export const told = (
  program: string,
  env: Record<string, string> = {},
  execArgv: ReadonlyArray<string> = []
): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(fileURLToPath(new URL(`${program}.js`, import.meta.url)), {
        env: { ...process.env, ...env },
        execArgv: [...execArgv]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  ).pipe(
    Effect.flatMap((child) => Effect.promise(() => once(child, "message"))),
    Effect.map(([number]) => Number(number))
  )

/** Starts a server, and waits for its port. */
export const start = (program: string, env?: Record<string, string>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(told(program, env), (port) => `http://127.0.0.1:${port}`)

/** A bare server with N contacts. */
export const sender = (
  options: { readonly size: number; readonly delay?: number; readonly keep?: number; readonly rate?: number }
) =>
  start("sender", {
    SIZE: String(options.size),
    DELAY: String(options.delay ?? 0),
    RATE: String(options.rate ?? 0),
    KEEP: String(options.keep ?? 1000)
  })

/** All services, on a transport that lives as long as the scope. */
const servicesOn = (transport: Layer.Layer<Transport.Transport, InvalidOption>) => (baseUrl: string) =>
  Layer.toRuntime(Mailstream.layer({ baseUrl, apiKey: Redacted.make(key) }).pipe(Layer.provide(transport)))

export const undici = servicesOn(UndiciTransport.layer)

export const fetching = servicesOn(FetchTransport.layer)

const onHttpClient = (client: Layer.Layer<HttpClient.HttpClient>) =>
  servicesOn(Layer.provide(HttpClientTransport.layer, client))

/** The same on the clients of the platform. */
export const platform = {
  undici: onHttpClient(NodeHttpClient.layerUndici),
  fetching: onHttpClient(FetchHttpClient.layer)
}
