/**
 * The way to the API: base URL, authentication, timeouts, rate limit, and the one place where answers become values or
 * typed errors. The services of this package are thin tables on top of it.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import {
  type ApiError,
  ErrorResponse,
  type RequestedFrom,
  type RequestError,
  TransportError,
  UnexpectedResponse
} from "@mailstream/core"
import type * as Resource from "@mailstream/core/Resource"
import * as Wire from "@mailstream/core/Wire"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constVoid, identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Client from "./internal/client.ts"
import * as Gate from "./internal/gate.ts"
import * as Scrub from "./internal/scrub.ts"
import * as Transport from "./internal/transport.ts"
import { version } from "./internal/version.ts"
import type * as RateLimit from "./RateLimit.ts"
import * as Telemetry from "./Telemetry.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Where the API is: http or https; a path in it is kept as a prefix. */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted
  /** How long a request may take until its answer is complete; default: 30 seconds. Waiting for a turn is not counted. */
  readonly timeout?: Duration.DurationInput | undefined
  /**
   * How many bytes an answer may have that is read as a whole; default: 16 MiB. `whole` reads answers of any size, item
   * by item.
   */
  readonly maxBodySize?: number | undefined
  /**
   * Default: requests are not spaced, but `ratelimit-*` headers are heeded and a 429 pauses all requests of this
   * client. `false` switches all of it off.
   */
  readonly rateLimit?: RateLimit.Options | false | undefined
  /** The one escape hatch: changes the `HttpClient` before anything else is put around it. */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/**
 * One request to the API.
 *
 * @since 0.1.0
 * @category models
 */
export interface Request {
  /** What the call is named in spans and metrics: `Contacts.list`. */
  readonly name: string
  readonly method: "GET" | "POST"
  /** Below the base URL, percent-encoded. */
  readonly path: Resource.Path
  readonly query?: { readonly [name: string]: string | number | undefined } | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/**
 * One request, and what its answer is decoded with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call<A extends I, I> extends Request {
  /** A schema that checks and changes nothing: the answer is given as it was sent. */
  readonly schema: Schema.Schema<A, I>
  /** What the span says of the answer: counts and ids. */
  readonly attributes?: ((answer: A) => Record<string, unknown>) | undefined
}

/**
 * An answer with success whose body is still to come.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenAnswer {
  readonly from: RequestedFrom
  readonly contentType: string | undefined
  /** Nothing is read ahead of whoever pulls. Fails when nothing comes for as long as a request may take. */
  readonly bytes: Stream.Stream<Uint8Array, RequestError>
  /** How long a request may take, for whoever can tell whether the bytes come to something; default: for ever. */
  readonly timeout?: Duration.Duration | undefined
}

/**
 * @since 0.1.0
 * @category services
 */
export class ApiClient extends Context.Tag("@mailstream/http/ApiClient")<ApiClient, {
  /** Sends one request, once, and decodes its answer. Any 2xx is success. */
  readonly call: <A extends I, I>(call: Call<A, I>) => Effect.Effect<A, RequestError>
  /** Sends one request, once, and leaves the body of the answer to be read as it arrives, while the scope is open. */
  readonly open: (request: Request) => Effect.Effect<OpenAnswer, RequestError, Scope.Scope>
}>() {
  /**
   * A client on any `HttpClient`. Fails where the base URL or the key cannot be used.
   *
   * @since 0.1.0
   */
  static readonly layer = (
    options: Options
  ): Layer.Layer<ApiClient, ConfigError.ConfigError, HttpClient.HttpClient> => Layer.effect(ApiClient, make(options))

  /**
   * A client whose base URL and key come from the configuration: `MAILSTREAM_BASE_URL` and `MAILSTREAM_API_KEY`.
   *
   * @since 0.1.0
   */
  static readonly layerConfig = (
    options?: Omit<Options, "baseUrl" | "apiKey">
  ): Layer.Layer<ApiClient, ConfigError.ConfigError, HttpClient.HttpClient> =>
    Layer.effect(ApiClient, Effect.flatMap(config, (required) => make({ ...options, ...required })))
}

/**
 * What `layerConfig` reads.
 *
 * @since 0.1.0
 * @category config
 */
export const config: Config.Config<Pick<Options, "apiKey"> & { readonly baseUrl: string }> = Config.all({
  baseUrl: Config.string("MAILSTREAM_BASE_URL").pipe(
    Config.mapOrFail((text) => checked("MAILSTREAM_BASE_URL", baseUrl(text)))
  ),
  apiKey: Config.redacted("MAILSTREAM_API_KEY").pipe(
    Config.mapOrFail((key) => Either.map(checked("MAILSTREAM_API_KEY", apiKey(key)), () => key))
  )
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Options
): Effect.Effect<typeof ApiClient.Service, ConfigError.ConfigError, HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const base = yield* checked("baseUrl", baseUrl(options.baseUrl))
    const key = yield* checked("apiKey", apiKey(options.apiKey))
    const timeout = Duration.decode(options.timeout ?? "30 seconds")
    const gate: Gate.Gate = options.rateLimit === false ? Gate.free : Gate.make(options.rateLimit ?? {})
    const { origin } = new URL(base)
    const prefix = base.slice(origin.length)
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${key}`,
      ...(isBrowser() ? {} : { "user-agent": `mailstream/${version}` })
    }
    // What a proxy or a server echoes may hold the key.
    const scrub = Scrub.make(key)
    const contentTypeOf = ({ "content-type": type }: Transport.Head["headers"]) =>
      type === undefined ? undefined : scrub(type)

    const client = (options.transformClient ?? identity)(yield* HttpClient.HttpClient)
    const limits = { timeout, maxBytes: options.maxBodySize ?? defaultMaxBodySize }
    const isDirect = Transport.isDirect(client)
    const transport = isDirect ? client[Transport.Direct](limits) : Client.make(client, limits)
    const toOutgoing = ({ body, method, path, query }: Request): Transport.Outgoing => ({
      method,
      origin,
      path: `${prefix}${path}`,
      search: search(query),
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body)
    })

    const from = ({ method, path }: Request, statusCode: number): RequestedFrom => ({
      method,
      url: `${base}${path}`,
      statusCode
    })

    const failed = (request: Request) => (failure: Transport.Failure): TransportError | UnexpectedResponse => {
      if (failure.reason === "TooLarge") {
        return UnexpectedResponse.tooLarge(from(request, failure.status), limits.maxBytes)
      }
      const { method, url } = from(request, 0)
      return new TransportError({
        method,
        url,
        reason: failure.reason,
        description: failure.reason === "Timeout"
          ? `no complete answer within ${Duration.format(timeout)}`
          : scrub(failure.description)
      })
    }

    const refused = ({ headers, status }: Transport.Head, body: string, clock: Clock.Clock): ApiError =>
      ErrorResponse.toError({ status, headers, now: clock.unsafeCurrentTimeMillis() }, scrub(body))

    const decode = <A extends I, I>(
      call: Call<A, I>,
      { body, headers, status }: Transport.Answer
    ): Either.Either<A, UnexpectedResponse> => {
      const json = Either.try((): unknown => JSON.parse(body))
      return Either.isLeft(json)
        ? Either.left(UnexpectedResponse.notJson(from(call, status), scrub(body), contentTypeOf(headers)))
        : Either.mapLeft(
          Wire.check(call.schema)(json.right),
          (error) => UnexpectedResponse.wrongShape(from(call, status), error)
        )
    }

    /** Sends a request when it is its turn, and makes something of its answer or of what went wrong. */
    const send = <Answer extends Transport.Head, A, R extends Scope.Scope>(
      request: Request,
      exchange: () => Transport.Pending<Answer, Transport.Failure, R>,
      settle: (answer: Answer, observed: Telemetry.Observed) => Either.Either<A, RequestError>
    ): Effect.Effect<A, RequestError, R> =>
      Telemetry.observe(request.name, attributes(request), (observed) => {
        const { abandon, result } = exchange()
        // What `transformClient` put around a client can see the span of the call; nothing else looks for it. The span is
        // only ever taken away from the requirements, which cannot be written down for an `R` that is not known.
        const sent = isDirect ? result : Effect.withParentSpan(result, observed.span)
        return gate(sent as typeof result, observed, {
          onFailure: (cause): Effect.Effect<Either.Either<A, RequestError>> => {
            if (Cause.isInterrupted(cause)) abandon()
            return Effect.catchAll(
              Effect.failCause(cause),
              (failure) => Effect.succeed(Either.left(failed(request)(failure)))
            )
          },
          onSuccess: (answer) => Effect.succeed(settle(answer, observed))
        })
      })

    const call = <A extends I, I>(call: Call<A, I>): Effect.Effect<A, RequestError> =>
      send(call, () => transport.exchange(toOutgoing(call)), (answer, { clock, span }) => {
        if (!isSuccess(answer)) return Either.left(refused(answer, answer.body, clock))
        const decoded = decode(call, answer)
        if (call.attributes !== undefined && Either.isRight(decoded)) {
          for (const [name, value] of Object.entries(call.attributes(decoded.right))) span.attribute(name, value)
        }
        return decoded
      })

    const open = (request: Request): Effect.Effect<OpenAnswer, RequestError, Scope.Scope> =>
      send(request, () => ({
        result: Effect.flatMap(
          transport.open(toOutgoing(request)),
          (opened) => Effect.map(isSuccess(opened) ? Effect.succeed("") : opened.body, (body) => ({ ...opened, body }))
        ),
        abandon: constVoid
      }), (answer, { clock }): Either.Either<OpenAnswer, RequestError> =>
        isSuccess(answer)
          ? Either.right({
            from: from(request, answer.status),
            contentType: contentTypeOf(answer.headers),
            timeout,
            bytes: Stream.mapError(answer.bytes, failed(request))
          })
          : Either.left(refused(answer, answer.body, clock)))

    return { call, open }
  })

/** A page of a hundred items has some twenty kilobytes. */
const defaultMaxBodySize = 16 * 1024 * 1024

const search = (query: Request["query"] = {}): string => {
  let text = ""
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`
  }
  return text
}

const attributes = (request: Request): Record<string, unknown> => ({
  "http.request.method": request.method,
  "url.path": request.path,
  ...request.query
})

const isSuccess = ({ status }: Transport.Head): boolean => status >= 200 && status < 300

const checked = <A>(name: string, value: Either.Either<A, string>): Either.Either<A, ConfigError.ConfigError> =>
  Either.mapLeft(value, (message) => ConfigError.InvalidData([name], message))

const baseUrl = (input: string | URL): Either.Either<string, string> => {
  const url = Either.getOrUndefined(Either.try(() => new URL(input)))
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return Either.left("must be an http or https URL, as in https://api.example.com")
  }
  if (url.username !== "" || url.password !== "") return Either.left("must not hold a user name or a password")
  if (url.search !== "" || url.hash !== "") return Either.left("must not have a query or a fragment")
  return Either.right(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
}

const apiKey = (key: Redacted.Redacted): Either.Either<string, string> => {
  const text = Redacted.value(key)
  return /^[\x21-\x7e]+$/.test(text)
    ? Either.right(text)
    : Either.left(
      text === ""
        ? "must not be empty"
        : "must be visible ASCII characters alone: no spaces, line ends or control characters"
    )
}

/** Browsers and their workers, which send a `user-agent` of their own. */
const isBrowser = (): boolean => typeof navigator !== "undefined" && navigator.userAgent.startsWith("Mozilla/")
