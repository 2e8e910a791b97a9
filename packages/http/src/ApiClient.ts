/**
 * The client of the API: base URL, authentication, timeout, rate limit, and the one place where responses become values
 * or typed errors. The services of this package are thin layers on top of it; below it is a `Transport`.
 *
 * @since 1.0.0
 */
import type { RequestedFrom, RequestError } from "@mailstream/core"
import type * as Resource from "@mailstream/core/Resource"
import * as Cause from "effect/Cause"
import type * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import { readPieces } from "./internal/body.ts"
import { headOf, isSuccess } from "./internal/head.ts"
import * as Limiter from "./internal/limiter.ts"
import { observe, type Observed } from "./internal/observe.ts"
import * as Requests from "./internal/request.ts"
import * as Responses from "./internal/response.ts"
import * as Settings from "./internal/settings.ts"
import type * as RateLimit from "./RateLimit.ts"
import * as Transport from "./Transport.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /**
   * The address of the API: http or https; its path is kept as a prefix. In a browser, it may be relative to the page's
   * origin, as in `/api`.
   */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted
  /** The time until the response is complete, not counting the wait for the rate limit; default: 30 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /**
   * The largest response that is read into memory, in bytes; default: 16 MiB. `whole` streams responses of
   * any size, item by item.
   */
  readonly maxBodySize?: number | undefined
  /**
   * Default: requests are not spaced, but `ratelimit-*` headers are respected and a 429 pauses all requests of this
   * client. `false` disables all of this.
   */
  readonly rateLimit?: RateLimit.Options | false | undefined
}

/**
 * One request to the API.
 *
 * @since 1.0.0
 * @category models
 */
export interface Request {
  /** The name of the operation in spans and metrics: `Contacts.list`. */
  readonly name: string
  readonly method: "GET" | "POST"
  /** Below the base URL, percent-encoded. */
  readonly path: Resource.Path
  readonly query?: { readonly [name: string]: string | number | undefined } | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/**
 * One request, and how its response is decoded.
 *
 * @since 1.0.0
 * @category models
 */
export interface Call<A extends I, I> extends Request {
  /** A schema that validates without transforming: the response is returned as it was sent. */
  readonly schema: Schema.Schema<A, I>
  /** Attributes of the span that describe the response: counts and ids. */
  readonly attributes?: ((response: A) => Record<string, unknown>) | undefined
}

/**
 * A successful response whose body has not been read yet.
 *
 * @since 1.0.0
 * @category models
 */
export interface OpenResponse {
  readonly from: RequestedFrom
  readonly contentType: string | undefined
  /** How the body says it is compressed, if it does; transports that can undo it have done so. */
  readonly contentEncoding?: string | undefined
  /** Nothing is read ahead of the consumer. Fails if nothing arrives for as long as a request may take. */
  readonly bytes: Stream.Stream<Uint8Array, RequestError>
  /** How long a request may take, for consumers that check whether the bytes make progress; default: unlimited. */
  readonly timeout?: Duration.Duration | undefined
}

/**
 * @since 1.0.0
 * @category services
 */
export class ApiClient extends Context.Tag("@mailstream/http/ApiClient")<ApiClient, {
  /** Where requests go, without a trailing slash. */
  readonly baseUrl: string
  /** Sends one request, once, and decodes its response. Any 2xx is a success. */
  readonly call: <A extends I, I>(call: Call<A, I>) => Effect.Effect<A, RequestError>
  /** Sends one request, once, and leaves the body of the response to be read as it arrives, while the scope is open. */
  readonly open: (request: Request) => Effect.Effect<OpenResponse, RequestError, Scope.Scope>
}>() {
  /**
   * A client on any `Transport`. Fails if the base URL or the key cannot be used.
   *
   * @since 1.0.0
   */
  static readonly layer = (
    options: Options
  ): Layer.Layer<ApiClient, ConfigError.ConfigError, Transport.Transport> => Layer.effect(ApiClient, make(options))

  /**
   * A client whose options come from the configuration: unless given, the base URL from `MAILSTREAM_BASE_URL`, and the key
   * from `MAILSTREAM_API_KEY`.
   *
   * @since 1.0.0
   */
  static readonly layerConfig = (
    options?: Config.Config.Wrap<Partial<Options>>
  ): Layer.Layer<ApiClient, ConfigError.ConfigError, Transport.Transport> =>
    Layer.effect(ApiClient, Effect.flatMap(Settings.fromConfig(options), make))
}

/**
 * The configuration that `layerConfig` reads.
 *
 * @since 1.0.0
 * @category config
 */
export const config: Config.Config<Pick<Options, "apiKey"> & { readonly baseUrl: string }> = Settings.config

/**
 * @since 1.0.0
 * @category constructors
 */
export const make = (
  options: Options
): Effect.Effect<typeof ApiClient.Service, ConfigError.ConfigError, Transport.Transport> =>
  Effect.gen(function*() {
    const settings = yield* Settings.fromOptions(options)
    const transport = yield* Transport.Transport
    const toTransport = Requests.make(settings)
    const responses = Responses.make(settings)
    const limiter = options.rateLimit === false ? Limiter.unlimited : Limiter.make(options.rateLimit ?? {})

    /** Sends a request when its turn comes, and settles the call with its response or failure. */
    const send = <Reply extends Transport.Head, A, R>(
      request: Request,
      exchange: (span: Tracer.Span) => Effect.Effect<Reply, Transport.Failure, R>,
      settle: (reply: Reply, observed: Observed) => Either.Either<A, RequestError>
    ): Effect.Effect<A, RequestError, R> =>
      observe(request.name, Requests.attributes(request), (observed) => {
        const turn = limiter.turn(observed.clock)
        // A custom transport that throws instead of failing must not keep the span open.
        const sent = Either.getOrElse(Either.try(() => exchange(observed.span)), Effect.die)
        return Effect.matchCauseEffect(turn.send(sent, observed.restore), {
          onFailure: (cause) => {
            const failed = Cause.failureOrCause(cause)
            turn.end(Either.isLeft(failed) ? headOf(failed.left) : undefined)
            return Either.isLeft(failed)
              ? observed.settle(Either.left(responses.failure(request, failed.left, observed.clock)))
              : observed.halt(failed.right)
          },
          onSuccess: (reply) => {
            turn.end(reply)
            return observed.settle(settle(reply, observed))
          }
        })
      })

    return {
      baseUrl: `${settings.origin}${settings.prefix}`,
      call: (call) =>
        send(call, (span) => transport.send(toTransport(call, span)), (response, { clock, span }) => {
          if (!isSuccess(response)) return Either.left(responses.apiError(call, response, clock))
          const decoded = responses.decode(call, response)
          if (call.attributes !== undefined && Either.isRight(decoded)) {
            for (const [name, value] of Object.entries(call.attributes(decoded.right))) span.attribute(name, value)
          }
          return decoded
        }),
      open: (request) =>
        send(request, (span) =>
          openOrRead(transport, toTransport(request, span)), (response, { clock }) =>
          "bytes" in response
            ? Either.right(responses.opened(request, response, clock))
            : Either.left(responses.apiError(request, response, clock)))
    }
  })

/** Opens a response if it is a success; otherwise reads it to its end, for the error in it. */
const openOrRead = (
  transport: typeof Transport.Transport.Service,
  request: Transport.Request
): Effect.Effect<Transport.OpenResponse | Transport.Response, Transport.Failure, Scope.Scope> =>
  Effect.flatMap(
    transport.open(request),
    (opened): Effect.Effect<Transport.OpenResponse | Transport.Response, Transport.Failure> =>
      isSuccess(opened) ? Effect.succeed(opened) : readRefusal(opened, request)
  )

const readRefusal = (
  { bytes, headers, status }: Transport.OpenResponse,
  { maxBodySize, timeout }: Transport.Request
): Effect.Effect<Transport.Response, Transport.Failure> =>
  readPieces(bytes, maxBodySize, () => Transport.Failure.TooLarge({ head: { status, headers } })).pipe(
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () => Transport.Failure.Timeout({ head: { status, headers } })
    }),
    Effect.flatMap((pieces) => Transport.responseFromBytes({ status, headers }, pieces))
  )
