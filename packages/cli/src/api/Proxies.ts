/**
 * Connections through the proxies of the environment: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. It loads undici: import it
 * only when it is needed.
 *
 * @since 1.0.0
 */
import { InvalidOption } from "@mailstream/core"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Undici from "undici"

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

/**
 * Fails if a proxy is not given as a URL.
 *
 * @since 1.0.0
 * @category layers
 */
export const dispatcher: Layer.Layer<UndiciTransport.Dispatcher, InvalidOption> = Layer.suspend(() => {
  const proxies = given()
  const invalid = proxies.find(([, url]) => !isHttp(url))
  if (invalid === undefined) return proxies.length === 0 ? direct : proxied
  const [name] = invalid
  // Without the URL, which may hold a password.
  return Layer.fail(
    new InvalidOption({
      option: name,
      description: "must be an http or https URL, as in http://proxy.example.com:3128"
    })
  )
})
