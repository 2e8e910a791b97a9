/**
 * The client of the API: base URL, authentication, timeout, rate limit, and the one place where responses become values
 * or typed errors. The services of this package are thin layers on top of it; below it is a `Transport`.
 *
 * @since 1.0.0
 */
import { isSuccess } from "@mailstream/kernel/Head"
import * as Requests from "@mailstream/kernel/Outgoing"
import * as Cause from "effect/Cause"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type * as Tracer from "effect/Tracer"
import type { InvalidOption, RequestError } from "../core/index.ts"
import type { Call, OpenResponse, Request } from "./ApiCall.ts"
import type { ConfigOptions, Options } from "./ClientOptions.ts"
import { readPieces } from "./internal/body.ts"
import * as Limiter from "./internal/limiter.ts"
import { observe, type Observed } from "./internal/observe.ts"
import * as Responses from "./internal/response.ts"
import * as Settings from "./internal/settings.ts"
import * as Transport from "./Transport.ts"

export type { Call, OpenResponse, Request } from "./ApiCall.ts"
export type { ConfigOptions, Options } from "./ClientOptions.ts"

/**
 * @since 1.0.0
 * @category services
 */
export class ApiClient extends Context.Service<ApiClient, {
  /** Where requests go, without a trailing slash. */
  readonly baseUrl: string
  /** Sends one request, once, and decodes its response. Any 2xx is a success. */
  readonly call: <A, I>(call: Call<A, I>) => Effect.Effect<A, RequestError>
  /** Sends one request, once, and leaves the body of the response to be read as it arrives, while the scope is open. */
  readonly open: (request: Request) => Effect.Effect<OpenResponse, RequestError, Scope.Scope>
}>()("@mailstream/effect4/ApiClient") {
  /**
   * A client on any `Transport`. Fails if an option is invalid, such as a base URL that is not http or https.
   *
   * @since 1.0.0
   */
  static readonly layer = (
    options: Options
  ): Layer.Layer<ApiClient, InvalidOption, Transport.Transport> => Layer.effect(ApiClient, make(options))

  /**
   * A client whose options come from the configuration: unless given, the base URL from `MAILSTREAM_BASE_URL`, and the key
   * from `MAILSTREAM_API_KEY`. Fails with a `ConfigError` if a variable is missing or malformed.
   *
   * @since 1.0.0
   */
  static readonly layerConfig = (
    options?: ConfigOptions
  ): Layer.Layer<ApiClient, Config.ConfigError | InvalidOption, Transport.Transport> =>
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
): Effect.Effect<typeof ApiClient.Service, InvalidOption, Transport.Transport> =>
  Effect.gen(function*() {
    const settings = yield* Effect.fromResult(Settings.fromOptions(options))
    const transport = yield* Transport.Transport
    const toTransport = Requests.make(settings)
    const attributesOf = Requests.attributes(settings)
    const responses = Responses.make(settings)
    const turnAt = Limiter.fromOption(options.rateLimit)

    /** Sends a request when its turn comes, and settles the call with its response or failure. */
    const send = <Reply extends Transport.Head, A, R>(
      request: Request,
      exchange: (span: Tracer.Span) => Effect.Effect<Reply, Transport.Failure, R>,
      settle: (reply: Reply, observed: Observed) => Result.Result<A, RequestError>
    ): Effect.Effect<A, RequestError, R> =>
      observe(request.name, attributesOf(request), (observed) => {
        const turn = turnAt(observed.clock)
        const end = (head: Transport.Head | undefined) => {
          turn.end(head)
          if (head !== undefined) observed.span.attribute("http.response.status_code", head.status)
        }
        // A custom transport that throws instead of failing must not keep the span open.
        const sent = Result.getOrElse(
          Result.try({ try: () => exchange(observed.span), catch: Effect.die }),
          (died): Effect.Effect<Reply, Transport.Failure, R> => died
        )
        return Effect.matchCauseEffect(turn.send(sent, observed.restore), {
          onFailure: (cause) => {
            const failed = Cause.findError(cause)
            end(Result.isSuccess(failed) ? Responses.headOf(failed.success) : undefined)
            return Result.isSuccess(failed)
              ? observed.settle(Result.fail(responses.failure(request, failed.success, observed.clock)))
              : observed.halt(failed.failure)
          },
          onSuccess: (reply) => {
            end(reply)
            return observed.settle(settle(reply, observed))
          }
        })
      })

    return {
      baseUrl: `${settings.origin}${settings.prefix}`,
      call: (call) =>
        send(call, (span) => transport.send(toTransport(call, span)), (response, { clock, span }) => {
          if (!isSuccess(response)) return Result.fail(responses.apiError(call, response, clock, response.body))
          const decoded = responses.decode(call, response)
          if (call.attributes !== undefined && Result.isSuccess(decoded)) {
            for (const [name, value] of Object.entries(call.attributes(decoded.success))) span.attribute(name, value)
          }
          return decoded
        }),
      open: (request) =>
        send(request, (span) =>
          openOrRead(transport, toTransport(request, span)), (response, { clock }) =>
          "bytes" in response
            ? Result.succeed(responses.opened(request, response, clock))
            : Result.fail(responses.apiError(request, response, clock, response.body)))
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
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(Transport.Failure.Timeout({ head: { status, headers } }))
    }),
    Effect.flatMap((pieces) => Effect.fromResult(Transport.responseFromBytes({ status, headers }, pieces)))
  )
