/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The client.
 *
 * @since 1.0.0
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type { ValidationError } from "@mailstream/core"
import { InvalidOption } from "@mailstream/core/InvalidOption"
import * as ApiClient from "@mailstream/http/ApiClient"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpMailstream from "@mailstream/http/Mailstream"
import * as HttpTransport from "@mailstream/http/Transport"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import type { Campaign, CampaignOptions, Identified } from "./Campaigns.ts"
import * as Campaigns from "./internal/campaigns.ts"
import * as Change from "./internal/change.ts"
import * as Connections from "./internal/connection.ts"
import { fromConfigError } from "./internal/errors.ts"
import * as Connected from "./internal/lists.ts"
import * as Settings from "./internal/settings.ts"
import * as Transports from "./internal/transports.ts"
import type { Retried } from "./List.ts"
import type { Lists } from "./Lists.ts"
import type { Logger } from "./Logger.ts"
import type { Transport } from "./Transport.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface EnvOptions extends Retried {
  /** The time until a response is complete, in milliseconds; default: 30,000. */
  readonly timeout?: number | undefined
  /** The largest response that is read into memory, in bytes; default: 16 MiB. `whole` reads responses of any size. */
  readonly maxBodySize?: number | undefined
  /**
   * Spaces the requests of this client evenly. Default: they are not spaced, but `ratelimit-*` headers are respected and
   * a 429 pauses all requests. `false` disables all of this.
   */
  readonly rateLimit?: RateLimit | false | undefined
  /**
   * Receives the client's few messages: `console`, another object of this kind, or a function; `false` for none. Default:
   * information and warnings go to `console.warn`.
   */
  readonly logger?: Logger | false | undefined
  /** Replaces the platform's `fetch`, for example in tests. */
  readonly fetch?: typeof fetch | undefined
  /** Replaces `fetch` altogether: `undici()`, which is faster on Node. */
  readonly transport?: Transport | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface RateLimit {
  /** This many requests in each `per`. */
  readonly requests?: number | undefined
  /** In milliseconds; default: 1000. */
  readonly per?: number | undefined
  /** The longest time for which a response can delay requests, in milliseconds; default: 60,000. */
  readonly maxPause?: number | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends EnvOptions {
  /** The key is sent to the API, and never printed. */
  readonly apiKey: string
  /**
   * The address of the API: http or https; default: `MAILSTREAM_BASE_URL` of the environment. In a browser, it may be
   * relative to the page's origin, as in `/api`.
   */
  readonly baseUrl?: string | URL | undefined
}

/**
 * A client of the API: every list with its operations, and what it takes to end it.
 *
 * @since 1.0.0
 * @category models
 */
export interface Mailstream extends Lists, AsyncDisposable {
  /**
   * A campaign: an email to everybody in an audience, each at most once, whatever is killed and for however long. Nothing is sent
   * before `run`. Its name has 1 to 100 letters, digits, `_` and `-`. Throws an `InvalidOption`.
   *
   * @example
   * ```ts
   * import { Mailstream } from "@mailstream/client"
   * import { skip, sqlite } from "@mailstream/client/campaign"
   *
   * const mailstream = Mailstream.fromEnv()
   *
   * const news = mailstream.campaign("news-2026-11", {
   *   store: sqlite("campaign.db"),
   *   audience: mailstream.contacts.items(),
   *   message: (contact) =>
   *     contact.unsubscribed
   *       ? skip("unsubscribed")
   *       : { from: "Ada <ada@example.com>", to: contact.email, subject: "November", text: `Hello ${contact.first_name}!` }
   * })
   *
   * const { accepted } = await news.run() // again after a crash: it continues
   * ```
   */
  readonly campaign: <Item extends Identified>(name: string, options: CampaignOptions<Item>) => Campaign
  /** Aborts everything that is running, and closes the connections. Later calls are rejected with `ClientClosed`. */
  readonly close: () => Promise<void>
}

/**
 * @since 1.0.0
 * @category models
 */
export interface MailstreamConstructor {
  /** Throws an `InvalidOption` if an option is missing, unknown or invalid. Nothing is requested. */
  new(options: Options): Mailstream
  readonly prototype: Mailstream
  /** A client with the base URL and the key of the environment: `MAILSTREAM_BASE_URL` and `MAILSTREAM_API_KEY`. */
  readonly fromEnv: (options?: EnvOptions) => Mailstream
}

/** An object with all lists. They are assigned, which TypeScript cannot express for a class. */
const AllLists = class {
  constructor(lists: Lists) {
    Object.assign(this, lists)
  }
} as new(lists: Lists) => Lists

/**
 * The API of the email service.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/client"
 *
 * const mailstream = new Mailstream({ baseUrl: "https://api.example.com", apiKey: "…" })
 *
 * const page = await mailstream.contacts.list({ limit: 10 })
 * await mailstream.topics.create({ name: "Product news", default_subscription: "opt_in" })
 * await mailstream.close()
 * ```
 */
export const Mailstream: MailstreamConstructor = class extends AllLists implements Mailstream {
  readonly campaign: Mailstream["campaign"]
  readonly close: () => Promise<void>

  static readonly fromEnv = (options: EnvOptions = {}): Mailstream => {
    const given = valueOf(Settings.fromEnv(options))
    const { apiKey, baseUrl } = valueOf(ApiClient.config)
    return new Mailstream({ ...given, baseUrl, apiKey: Redacted.value(apiKey) })
  }

  constructor(options: Options) {
    // The key stays in the closures of the connection, where nothing that prints an object finds it.
    const connection = connect(options)
    super(Connected.make(connection))
    this.campaign = (name, options) => Campaigns.make(connection, name, options)
    this.close = connection.close
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

const connect = (options: Options): Connections.Connection => {
  const given = valueOf(Settings.client(options))
  const scope = Effect.runSync(Scope.make())
  const { logger, onRetry, retry } = given
  return Connections.make(valueOf(Scope.extend(build(given), scope)), scope, { logger, defaults: { onRetry, retry } })
}

/** The value of a program that does not wait; throws its error. */
const valueOf = <A>(effect: Effect.Effect<A, ConfigError.ConfigError | InvalidOption | ValidationError>): A =>
  Either.getOrThrowWith(Effect.runSync(Effect.either(effect)), fromConfigError)

const build = (
  options: Options
): Effect.Effect<Context.Context<Connections.Services>, ConfigError.ConfigError | InvalidOption, Scope.Scope> =>
  Effect.gen(function*() {
    const { apiKey, maxBodySize, rateLimit, timeout } = options
    const baseUrl = options.baseUrl === undefined
      ? yield* Effect.mapError(baseUrlVariable, withoutBaseUrl)
      : options.baseUrl
    const settings = { baseUrl, apiKey: Redacted.make(apiKey), timeout, maxBodySize, rateLimit }
    // First without the transport: once it is acquired, a failure would have to wait for its release.
    yield* Effect.provideService(ApiClient.make(settings), HttpTransport.Transport, unused)
    return yield* Layer.build(Layer.provide(HttpMailstream.layer(settings), transportOf(options)))
  })

const baseUrlVariable = Config.string("MAILSTREAM_BASE_URL")

const withoutBaseUrl = () =>
  new InvalidOption({ option: "MAILSTREAM_BASE_URL", description: "is missing: pass `baseUrl`, or set this variable" })

const unused: typeof HttpTransport.Transport.Service = { send: () => Effect.never, open: () => Effect.never }

const transportOf = ({ fetch, transport }: EnvOptions): Layer.Layer<HttpTransport.Transport> => {
  const context = fetch === undefined ? undefined : Context.make(FetchHttpClient.Fetch, responding(fetch))
  return Change.noting(
    Transports.layerOf(transport) ?? Layer.sync(HttpTransport.Transport, () => FetchTransport.make(context))
  )
}

/** The caller's `fetch`, which must return a response. */
const responding = (own: typeof fetch): typeof fetch => async (...args) => {
  const response = await own(...args)
  if (typeof response?.status === "number" && typeof response.headers?.forEach === "function") return response
  throw new TypeError("the `fetch` of the client's options did not return a Response")
}
