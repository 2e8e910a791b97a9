/**
 * Requests through undici instead of `fetch`: faster on Node, with connections that `close()` closes.
 *
 * @since 1.0.0
 */
import { unless } from "@mailstream/core/InvalidOption"
import * as HttpTransport from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Undici from "undici"
import { toError } from "./internal/errors.ts"
import * as Settings from "./internal/settings.ts"
import * as Transports from "./internal/transports.ts"
import type { Transport } from "./Transport.ts"

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
 * they are the dispatcher's, which stays open. Throws an `InvalidOption` on runtimes without undici, such as Bun.
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
  const isSupported = unless(
    UndiciTransport.isSupported,
    "transport",
    "cannot be undici on this runtime, which has none: leave it out, for fetch"
  )
  const { dispatcher } = Either.getOrThrowWith(Either.flatMap(isSupported, () => Settings.undici(options)), toError)
  return Transports.make(
    "undici",
    dispatcher === undefined ? own : Layer.sync(
      HttpTransport.Transport,
      // An agent of another copy of undici 8 has the same methods.
      () => UndiciTransport.make(dispatcher as unknown as Undici.Dispatcher)
    )
  )
}

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
