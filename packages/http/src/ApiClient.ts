/**
 * The way to the API: base URL, authentication, timeouts, rate limit, and the one place where answers become values or
 * typed errors. The services of this package are thin tables on top of it.
 *
 * @since 0.1.0
 */
import * as Headers from "@effect/platform/Headers"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import {
  fromAnswer,
  type RequestedFrom,
  type RequestError,
  type Resource,
  TransportError,
  UnexpectedResponse,
  Wire
} from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constTrue, identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Gate from "./internal/gate.ts"
import * as Scrub from "./internal/scrub.ts"
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
  readonly bytes: Stream.Stream<Uint8Array, TransportError>
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
  /** Sends one request, once, and leaves the body of the answer to be read as it arrives. */
  readonly open: (request: Request) => Effect.Effect<OpenAnswer, RequestError>
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
    const gate: Gate.Gate = options.rateLimit === false ? identity : Gate.make(options.rateLimit ?? {})
    const headers = Headers.fromInput({
      accept: "application/json",
      authorization: `Bearer ${key}`,
      ...(isBrowser() ? {} : { "user-agent": `mailstream/${version}` })
    })
    // What a proxy or a server echoes may hold the key.
    const scrub = Scrub.make(key)
    const contentTypeOf = ({ "content-type": type }: Headers.Headers) => type === undefined ? undefined : scrub(type)

    const client = (yield* HttpClient.HttpClient).pipe(
      options.transformClient ?? identity,
      // The calls have spans of their own; those of the platform would carry the request's headers.
      HttpClient.withTracerDisabledWhen(constTrue)
    )
    const requests = {
      GET: HttpClientRequest.make("GET")(base, { headers }),
      POST: HttpClientRequest.make("POST")(base, { headers })
    }

    const toHttp = (request: Request): HttpClientRequest.HttpClientRequest =>
      HttpClientRequest.modify(requests[request.method], {
        url: `${base}${request.path}`,
        urlParams: request.query,
        body: request.body === undefined ? undefined : HttpBody.unsafeJson(request.body)
      })

    const timedOut = ({ method, url }: HttpClientRequest.HttpClientRequest): TransportError =>
      new TransportError({
        method,
        url,
        reason: "Timeout",
        description: `no complete answer within ${Duration.format(timeout)}`
      })

    const lost = (error: HttpClientError.HttpClientError): TransportError =>
      new TransportError({
        method: error.request.method,
        url: error.request.url,
        reason: reasonOf(error),
        description: scrub(describe(error))
      })

    /** Sends a request when it is its turn, and gives what was read of its answer within the time that it has. */
    const send = <A extends Gate.Head>(
      request: HttpClientRequest.HttpClientRequest,
      read: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, HttpClientError.HttpClientError>
    ): Effect.Effect<A, TransportError> =>
      client.execute(request).pipe(
        Effect.flatMap(read),
        Effect.mapError(lost),
        Effect.timeoutFail({ duration: timeout, onTimeout: () => timedOut(request) }),
        gate
      )

    const refused = (status: number, headers: Headers.Headers, body: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(fromAnswer({ status, headers, now }, scrub(body))))

    const decode = <A extends I, I>(
      schema: Schema.Schema<A, I>,
      from: RequestedFrom,
      { body, headers }: Answer
    ): Either.Either<A, UnexpectedResponse> => {
      const json = parseJson(body)
      return Either.isLeft(json)
        ? Either.left(UnexpectedResponse.notJson(from, scrub(body), contentTypeOf(headers)))
        : Either.mapLeft(Wire.check(schema)(json.right), (error) => UnexpectedResponse.wrongShape(from, error))
    }

    const call = <A extends I, I>(call: Call<A, I>): Effect.Effect<A, RequestError> => {
      const http = toHttp(call)
      return send(http, readAll).pipe(
        Effect.flatMap((answer): Effect.Effect<A, RequestError> =>
          isSuccess(answer)
            ? decode(call.schema, requestedFrom(http, answer), answer)
            : refused(answer.status, answer.headers, answer.body)
        ),
        Effect.tap((answer) =>
          call.attributes === undefined ? Effect.void : Effect.annotateCurrentSpan(call.attributes(answer))
        ),
        Telemetry.observe(call.name, attributes(call))
      )
    }

    const open = (request: Request): Effect.Effect<OpenAnswer, RequestError> => {
      const http = toHttp(request)
      return send(http, Effect.succeed).pipe(
        Effect.flatMap((response): Effect.Effect<OpenAnswer, RequestError> =>
          isSuccess(response)
            ? Effect.succeed({
              from: requestedFrom(http, response),
              contentType: contentTypeOf(response.headers),
              timeout,
              bytes: response.stream.pipe(
                Stream.mapError(lost),
                Stream.timeoutFail(() => timedOut(http), timeout)
              )
            })
            : response.text.pipe(
              Effect.mapError(lost),
              Effect.timeoutFail({ duration: timeout, onTimeout: () => timedOut(http) }),
              Effect.flatMap((body) => refused(response.status, response.headers, body))
            )
        ),
        Telemetry.observe(request.name, attributes(request))
      )
    }

    return { call, open }
  })

/** An answer that has come to its end. */
interface Answer extends Gate.Head {
  readonly headers: Headers.Headers
  readonly body: string
}

const readAll = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<Answer, HttpClientError.HttpClientError> =>
  Effect.map(response.text, (body) => ({ status: response.status, headers: response.headers, body }))

const attributes = (request: Request): Record<string, unknown> => ({
  "http.request.method": request.method,
  "url.path": request.path,
  ...request.query
})

const isSuccess = ({ status }: Gate.Head): boolean => status >= 200 && status < 300

const requestedFrom = (
  { method, url }: HttpClientRequest.HttpClientRequest,
  { status }: Gate.Head
): RequestedFrom => ({ method, url, statusCode: status })

const parseJson = (text: string): Either.Either<unknown, unknown> => Either.try((): unknown => JSON.parse(text))

const reasonOf = (error: HttpClientError.HttpClientError): "Connect" | "Lost" =>
  error._tag === "RequestError" && causesOf(error.cause).some(({ code }) => unsentCodes.has(code)) ? "Connect" : "Lost"

const describe = (error: HttpClientError.HttpClientError): string =>
  causesOf(error.cause).map(({ code, message }) => message === "" ? code : message).join(": ") ||
  "the connection failed"

/** The codes of failures in which not a byte of the request was sent. */
const unsentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused"
])

/** An error and what caused it, outermost first. Only texts are kept: the objects may hold anything. */
const causesOf = (
  error: unknown,
  depth = 0
): ReadonlyArray<{ readonly message: string; readonly code: string }> => {
  if (!(error instanceof Error) || depth > 4) return []
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return [{ message: error.message, code }, ...causesOf(inner, depth + 1)]
}

const checked = <A>(name: string, value: Either.Either<A, string>): Either.Either<A, ConfigError.ConfigError> =>
  Either.mapLeft(value, (message) => ConfigError.InvalidData([name], message))

const baseUrl = (input: string | URL): Either.Either<string, string> => {
  const url = Option.getOrUndefined(Option.liftThrowable(() => new URL(input))())
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
