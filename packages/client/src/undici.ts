/**
 * Requests through undici instead of `fetch`: faster on Node, with connections that `close()` closes.
 *
 * @since 1.0.0
 */
import * as HttpTransport from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Undici from "undici"
import * as Transports from "./internal/transports.ts"
import type { Transport } from "./Mailstream.ts"
import { ConfigurationError } from "./MailstreamError.ts"

/**
 * An agent of undici 8, such as its `ProxyAgent`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Dispatcher {
  readonly dispatch: (options: never, handler: never) => boolean
}

/**
 * Every client has connections of its own, which its `close()` closes. With a `dispatcher`, for example a proxy agent,
 * they are the dispatcher's, which stays open. Throws a `ConfigurationError` on runtimes without undici, such as Bun.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/client"
 * import { undici } from "@mailstream/client/undici"
 *
 * const mailstream = Mailstream.fromEnv({ transport: undici() })
 * ```
 */
export const undici = (options: { readonly dispatcher?: Dispatcher | undefined } = {}): Transport => {
  const dispatcher: unknown = options.dispatcher
  if (!UndiciTransport.isSupported) {
    throw new ConfigurationError({
      option: "transport",
      message: "transport: this runtime has no undici: leave the transport out, for fetch"
    })
  }
  if (dispatcher === undefined) return Transports.make("undici", own)
  if (!isDispatcher(dispatcher)) {
    throw new ConfigurationError({
      option: "dispatcher",
      message: "dispatcher: must be a dispatcher of undici 8, such as new ProxyAgent(\"http://…\")"
    })
  }
  return Transports.make("undici", Layer.sync(HttpTransport.Transport, () => UndiciTransport.make(dispatcher)))
}

const isDispatcher = (value: unknown): value is Undici.Dispatcher =>
  Predicate.isObject(value) && "dispatch" in value && Predicate.isFunction(value.dispatch)

const own: Layer.Layer<HttpTransport.Transport> = Layer.scoped(
  HttpTransport.Transport,
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Undici.Agent()),
      (agent) => Effect.promise(() => agent.destroy())
    ),
    UndiciTransport.make
  )
)
