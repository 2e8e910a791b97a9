/**
 * The fastest transport that the runtime has, through the proxies of the environment: `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY`. It loads undici: import it only when it is needed.
 */
import * as FetchTransport from "@mailstream/http/FetchTransport"
import type { Transport } from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Undici from "undici"
import * as UsageError from "../usage/UsageError.ts"

/** The proxies that are given, by the names that other programs use. */
const given = (): ReadonlyArray<readonly [name: string, url: string]> =>
  noProxy() === "*" ? [] : ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].flatMap((name) => {
    const url = process.env[name] ?? ""
    return url === "" ? [] : [[name, url]]
  })

const noProxy = (): string => process.env["no_proxy"] ?? process.env["NO_PROXY"] ?? ""

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const layerOf = (make: () => Undici.Dispatcher): Layer.Layer<UndiciTransport.Dispatcher> =>
  Layer.scoped(
    UndiciTransport.Dispatcher,
    Effect.acquireRelease(Effect.sync(make), (agent) => Effect.promise(() => agent.destroy()))
  )

const direct = layerOf(() => new Undici.Agent())

/** Requests to this machine use no proxy. All others use tunnels, also for `http://`, which undici 8 would not. */
const proxied = layerOf(() =>
  new Undici.EnvHttpProxyAgent({
    noProxy: [noProxy(), "localhost", "127.0.0.1", "[::1]"].join(","),
    proxyTunnel: true
  })
)

/** Fails if a proxy is not given as a URL. */
const dispatcher: Layer.Layer<UndiciTransport.Dispatcher, UsageError.UsageError> = Layer.suspend(() => {
  const proxies = given()
  const invalid = proxies.find(([, url]) => !isHttp(url))
  if (invalid === undefined) return proxies.length === 0 ? direct : proxied
  const [name] = invalid
  // Without the URL, which may hold a password.
  return Layer.fail(
    UsageError.make(`The proxy in ${name} must be an http or https URL, as in http://proxy.example.com:3128`)
  )
})

export const layer: Layer.Layer<Transport, UsageError.UsageError> = UndiciTransport.isSupported
  ? Layer.provide(Layer.orDie(UndiciTransport.layerWithoutDispatcher), dispatcher)
  : FetchTransport.layer
