/**
 * The rate limit of a client. `ApiClient` puts one limiter in front of its `Transport`, shared by all requests of the
 * client: services and streams know nothing about it. `make` makes one that several clients share, and `perHost` limits what all
 * clients of a transport send to one host.
 *
 * Effect's own `RateLimiter` spaces calls by a fixed rule. This one also adapts: the `ratelimit-*` headers of each
 * response say how many requests are left and until when, and a 429 pauses all requests.
 *
 * @since 1.0.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type { InvalidOption } from "../core/index.ts"
import { clockOf } from "../internal/fibers.ts"
import * as Limit from "./internal/limit.ts"
import * as Limiter from "./internal/limiter.ts"
import { Transport } from "./Transport.ts"

/**
 * @since 1.0.0
 * @category models
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
export interface Options {
  /** Spaces requests evenly: this many in each `per`. Without it they are not spaced. */
  readonly requests?: number | undefined
  /** Default: one second. */
  readonly per?: Duration.Input | undefined
  /**
   * The longest time for which a response can delay requests, whatever it says; default: one minute. If the API wants
   * callers to wait longer, the error says so.
   */
  readonly maxPause?: Duration.Input | undefined
}

/**
 * @since 1.0.0
 * @category symbols
 */
export const TypeId: typeof Limiter.TypeId = Limiter.TypeId

/**
 * @since 1.0.0
 * @category symbols
 */
export type TypeId = typeof TypeId

/**
 * A rate limit, and what responses have said about it so far, for all clients that get it as their `rateLimit`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RateLimit {
  readonly [TypeId]: Limiter.Limiter
}

/**
 * @since 1.0.0
 * @category refinements
 */
export const isRateLimit = (value: unknown): value is RateLimit => Predicate.hasProperty(value, TypeId)

/**
 * A rate limit that clients share: those with the same API key, or one after another. Clients that are not given the same one share
 * nothing. Fails if an option is invalid.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Mailstream, RateLimit } from "@mailstream/effect4"
 * import { Effect, Layer, Redacted } from "effect"
 *
 * const client = (rateLimit: RateLimit.RateLimit) =>
 *   Mailstream.layer({ baseUrl: "https://api.example.com", apiKey: Redacted.make("…"), rateLimit })
 *
 * const TwoClients = Effect.map(
 *   RateLimit.make({ requests: 2 }),
 *   (rateLimit) => [client(rateLimit), client(rateLimit)] as const
 * )
 * ```
 */
export const make = (options: Options = {}): Effect.Effect<RateLimit, InvalidOption> =>
  Effect.map(Effect.fromResult(Limit.check(options)), () => ({ [TypeId]: Limiter.fromOption(options) }))

/**
 * How many requests are sent to one host.
 *
 * @since 1.0.0
 * @category models
 */
export interface HostOptions {
  /** Spaces requests evenly: this many in each `per`. A function is asked again for each request. */
  readonly requests: number | (() => number)
  /** Default: one second. */
  readonly per?: Duration.Input | undefined
}

/**
 * A transport that spaces the requests to each host, whichever clients send them; each host has its own limit. Clients keep their own
 * limits as well, and what a response says about one of them, such as a 429, does not delay the others. The time until a request
 * may be sent is not part of its timeout.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { RateLimit } from "@mailstream/effect4"
 * import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
 * import { Layer } from "effect"
 *
 * // For any number of clients: at most 50 requests a second to each host.
 * const TransportLive = RateLimit.perHost({ requests: 50 }).pipe(Layer.provide(UndiciTransport.layer))
 * ```
 */
export const perHost = (options: HostOptions): Layer.Layer<Transport, InvalidOption, Transport> =>
  Layer.effect(Transport, Effect.flatMap(Transport, (transport) => limited(transport, options)))

/**
 * What `perHost` does, with a transport.
 *
 * @since 1.0.0
 * @category constructors
 */
export const limited = (
  transport: typeof Transport.Service,
  { per = "1 second", requests }: HostOptions
): Effect.Effect<typeof Transport.Service, InvalidOption> => {
  const current = typeof requests === "function" ? requests : () => requests
  const rule = () => Limit.ruleOf({ requests: current(), per })
  const hosts = new Map<string, Limiter.Limiter>()
  const limiterOf = (origin: string): Limiter.Limiter => {
    const known = hosts.get(origin)
    if (known !== undefined) return known
    const made = Limiter.make(rule)
    hosts.set(origin, made)
    return made
  }
  const inTurn = <A, E, R>(origin: string, send: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiber((fiber) => {
        const turn = limiterOf(origin)(clockOf(fiber))
        return Effect.ensuring(turn.send(send, restore), Effect.sync(() => turn.end()))
      })
    )
  return Effect.as(Effect.fromResult(Limit.check({ requests: current(), per })), {
    send: (request) => inTurn(request.origin, transport.send(request)),
    open: (request) => inTurn(request.origin, transport.open(request))
  })
}
