/**
 * The complete API: all services in one layer.
 *
 * @since 1.0.0
 */
import * as Client from "@mailstream/client"
import * as Config from "effect/Config"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { millis, retried } from "./internal/options.ts"
import * as Services from "./internal/services.ts"
import type { Retried } from "./List.ts"

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
export interface Options extends Pick<Client.Options, "maxBodySize" | "fetch" | "transport">, Retried {
  /** The address of the API: http or https; its path is kept as a prefix. */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted
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
 * All services, on one client that is closed with the layer. Nothing is requested yet. The few messages of the client go to
 * the loggers that surround the layer.
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
export const layer = (options: Options): Layer.Layer<Mailstream, Client.InvalidOption> =>
  Layer.effectContext(
    Effect.map(
      Effect.acquireRelease(
        Effect.contextWith((surroundings: Context.Context<never>) => connect(options, surroundings)),
        (client) => Effect.promise(() => client.close())
      ),
      Services.fromClient
    )
  )

/**
 * All services, with options from the configuration. The base URL and the key are those of `MAILSTREAM_BASE_URL` and
 * `MAILSTREAM_API_KEY` unless they are among the options.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import { Config } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig({
 *   apiKey: Config.Redacted("API_KEY"),
 *   timeout: Config.Duration("TIMEOUT")
 * })
 * ```
 */
export const layerConfig = (
  options: Config.Wrap<Partial<Options>> = {}
): Layer.Layer<Mailstream, Client.InvalidOption | Config.ConfigError> =>
  Layer.unwrap(
    Effect.gen(function*() {
      const given = yield* Config.unwrap<Partial<Options>>(options)
      const baseUrl = given.baseUrl ?? (yield* Config.String("MAILSTREAM_BASE_URL"))
      const apiKey = given.apiKey ?? (yield* Config.Redacted("MAILSTREAM_API_KEY"))
      return layer({ ...given, baseUrl, apiKey })
    })
  )

/**
 * All services on a client of your own, which stays open.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerClient = (client: Client.Mailstream): Layer.Layer<Mailstream> =>
  Layer.succeedContext(Services.fromClient(client))

const connect = (
  { apiKey, rateLimit, timeout, ...options }: Options,
  surroundings: Context.Context<never>
): Effect.Effect<Client.Mailstream, Client.InvalidOption> =>
  Effect.try({
    try: () =>
      new Client.Mailstream({
        ...options,
        ...retried(options, surroundings),
        logger: (level, message) => Effect.runSyncWith(surroundings)(Effect.logWithLevel(severities[level])(message)),
        apiKey: Redacted.value(apiKey),
        timeout: millis(timeout),
        rateLimit: typeof rateLimit === "object" && rateLimit !== null
          ? { ...rateLimit, per: millis(rateLimit.per), maxPause: millis(rateLimit.maxPause) }
          : rateLimit
      }),
    catch: (error) => {
      if (error instanceof Client.InvalidOption) return error
      throw error
    }
  })

const severities = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const
