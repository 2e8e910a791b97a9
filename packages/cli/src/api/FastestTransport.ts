/**
 * The fastest transport that the runtime has. It loads undici: import it only when it is needed.
 *
 * @since 1.0.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Undici from "@effect/platform-node/Undici"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import type { Transport } from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { setFlagsFromString } from "node:v8"

/**
 * On Node 20, V8 optimizes undici's parser of HTTP, which is WebAssembly, during the very first response. That takes
 * 0.2 seconds, and the process cannot end before it is done. With this budget, V8 waits for about a hundred compressed
 * pages in chunks, as proxies send them. Later versions of V8 are as patient by themselves.
 */
const patience = Effect.sync(() => {
  if (process.versions.v8?.startsWith("11.") === true) setFlagsFromString("--wasm-tiering-budget=60000000")
})

/** The proxies of the environment, by the names that other programs use. */
const proxies = (): ReadonlyArray<readonly [name: string, url: string]> =>
  noProxy() === "*" ? [] : ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].flatMap((name) => {
    const url = process.env[name] ?? ""
    return url === "" ? [] : [[name, url]]
  })

const noProxy = (): string => process.env["no_proxy"] ?? process.env["NO_PROXY"] ?? ""

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** Connections through the proxies of the environment, except to this machine. */
const dispatcher: Layer.Layer<NodeHttpClient.Dispatcher, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.suspend(() => {
    const given = proxies()
    const invalid = given.find(([, url]) => !isHttp(url))
    if (invalid !== undefined) {
      // The URL may hold a password.
      return Effect.fail(
        ConfigError.InvalidData([invalid[0]], "must be an http or https URL, as in http://proxy.example.com:3128")
      )
    }
    return Effect.succeed(
      given.length === 0 ? NodeHttpClient.dispatcherLayer : Layer.scoped(
        NodeHttpClient.Dispatcher,
        Effect.acquireRelease(
          Effect.sync(() =>
            new Undici.EnvHttpProxyAgent({ noProxy: [noProxy(), "localhost", "127.0.0.1", "[::1]"].join(",") })
          ),
          (agent) => Effect.promise(() => agent.destroy())
        )
      )
    )
  })
)

/**
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<Transport, ConfigError.ConfigError> = UndiciTransport.isSupported
  ? UndiciTransport.layerWithoutDispatcher.pipe(Layer.provide(dispatcher), Layer.provide(Layer.effectDiscard(patience)))
  : FetchTransport.layer
