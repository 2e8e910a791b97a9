/**
 * The complete API: all services in one layer.
 *
 * @since 1.0.0
 */
import * as Client from "@mailstream/client"
import * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { millis } from "./internal/options.ts"
import * as Services from "./internal/services.ts"

/**
 * The services of all lists.
 *
 * @since 1.0.0
 * @category models
 */
export type Mailstream = Services.Services

/**
 * @since 1.0.0
 * @category options
 */
export interface ConfigOptions extends Omit<Client.EnvOptions, "timeout" | "rateLimit"> {
  /** The time until a response is complete, not counting the wait for the rate limit; default: 30 seconds. */
  readonly timeout?: Duration.Input | undefined
  /**
   * Spaces the requests of this layer evenly. Default: they are not spaced, but `ratelimit-*` headers are respected and
   * a 429 pauses all requests. `false` disables all of this.
   */
  readonly rateLimit?: RateLimit | false | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface RateLimit {
  /** This many requests in each `per`. */
  readonly requests?: number | undefined
  /** Default: 1 second. */
  readonly per?: Duration.Input | undefined
  /** The longest time for which a response can delay requests; default: 1 minute. */
  readonly maxPause?: Duration.Input | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface Options extends ConfigOptions {
  /** The address of the API: http or https; its path is kept as a prefix. */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted
}

/**
 * All services, on one client that is closed with the layer. Nothing is requested yet.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import { Redacted } from "effect"
 *
 * const MailstreamLive = Mailstream.layer({
 *   baseUrl: "https://api.example.com",
 *   apiKey: Redacted.make("…"),
 *   rateLimit: { requests: 2, per: "1 second" }
 * })
 * ```
 */
export const layer = (options: Options): Layer.Layer<Mailstream, Client.ConfigurationError> =>
  Layer.effectContext(
    Effect.map(
      Effect.acquireRelease(connect(options), (client) => Effect.promise(() => client.close())),
      Services.fromClient
    )
  )

/**
 * All services, with base URL and key from the configuration: `MAILSTREAM_BASE_URL` and `MAILSTREAM_API_KEY`.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerConfig = (
  options?: ConfigOptions
): Layer.Layer<Mailstream, Client.ConfigurationError> =>
  Layer.unwrap(
    Effect.gen(function*() {
      const baseUrl = yield* read("MAILSTREAM_BASE_URL", Config.String)
      const apiKey = yield* read("MAILSTREAM_API_KEY", Config.Redacted)
      return layer({ ...options, baseUrl, apiKey })
    })
  )

/** Effect's `ConfigError` is not an `Error`: a program that ended with it would print `[object Object]`. */
const read = <A>(
  option: string,
  config: (name: string) => Config.Config<A>
): Effect.Effect<A, Client.ConfigurationError> =>
  Effect.matchEffect(Config.option(config(option)), {
    onFailure: ({ message }) => Effect.fail(new Client.ConfigurationError({ option, message })),
    onSuccess: Option.match({
      onNone: () => Effect.fail(new Client.ConfigurationError({ option, message: `${option}: is missing` })),
      onSome: Effect.succeed
    })
  })

/**
 * All services on a client of your own, which stays open.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerClient = (client: Client.Mailstream): Layer.Layer<Mailstream> =>
  Layer.succeedContext(Services.fromClient(client))

const connect = (
  { apiKey, rateLimit, timeout, ...options }: Options
): Effect.Effect<Client.Mailstream, Client.ConfigurationError> =>
  Effect.try({
    try: () =>
      new Client.Mailstream({
        ...options,
        apiKey: Redacted.value(apiKey),
        timeout: millis(timeout),
        rateLimit: typeof rateLimit === "object"
          ? { requests: rateLimit.requests, per: millis(rateLimit.per), maxPause: millis(rateLimit.maxPause) }
          : rateLimit
      }),
    catch: (error) => {
      if (error instanceof Client.ConfigurationError) return error
      throw error
    }
  })
