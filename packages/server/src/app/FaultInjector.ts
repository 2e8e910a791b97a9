/** Injects the faults of `Faults.Options` into responses. */
import { InternalServerError, RateLimitExceeded, ServiceUnavailable } from "@mailstream/core"
import type { ConcurrentIdempotentRequests } from "@mailstream/core/ApiError"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { PCGRandom } from "effect/Utils"
import type * as Faults from "./Faults.ts"
import type { Response } from "./Response.ts"
import * as Idempotency from "./sending/Idempotency.ts"

export interface FaultInjector {
  /** Applies its fault to a request, if it has one. */
  <E, R>(
    respond: Effect.Effect<Response, E, R>,
    /** Whether the request changes something, and has an idempotency key. */
    request: { readonly changes: boolean; readonly isKeyed: boolean }
  ): Effect.Effect<Response, E | Failure, R>
}

export type Failure = RateLimitExceeded | InternalServerError | ServiceUnavailable | ConcurrentIdempotentRequests

type Kind = Exclude<keyof Faults.Options, "seed">

/** In this order, only the first of those that hit a request happens; `latency` comes on top. The place of each is its sequence. */
const kinds = [
  "latency",
  "rateLimit",
  "serverError",
  "html",
  "reset",
  "truncate",
  "malform",
  "inProgress",
  "late"
] as const satisfies ReadonlyArray<Kind>

const check = ({ late, latency, rateLimit, seed = 0, ...options }: Faults.Options) =>
  Either.gen(function*() {
    yield* InvalidOption.integer("faults.seed", seed, { min: 0 })
    for (const [kind, fault] of Struct.entries({ late, latency, rateLimit, ...options })) {
      const { rate } = fault ?? { rate: 0 }
      yield* InvalidOption.unless(rate >= 0 && rate <= 1, `faults.${kind}.rate`, "must be a number from 0 to 1")
    }
    const delay = yield* InvalidOption.duration("faults.latency.delay", latency?.delay ?? 0, { min: 0 })
    const retryAfter = yield* InvalidOption.duration(
      "faults.rateLimit.retryAfter",
      rateLimit?.retryAfter ?? "1 second",
      { min: 0 }
    )
    const lateness = yield* InvalidOption.duration("faults.late.delay", late?.delay ?? 0, { min: 0 })
    return { delay, lateness, retryAfter, seed }
  })

export const make = (options: Faults.Options): Effect.Effect<FaultInjector, InvalidOption.InvalidOption> =>
  Effect.map(check(options), ({ delay, lateness, retryAfter, seed }) => {
    const sequences = kinds.map((kind, index) => ({
      kind,
      rate: options[kind]?.rate ?? 0,
      random: new PCGRandom(seed, index + 1)
    }))
    const delays = new PCGRandom(seed, 101)
    const errors = new PCGRandom(seed, 103)
    const latenesses = new PCGRandom(seed, 107)
    const onlyChanges = new Set<Kind>([
      "late",
      ...(["reset", "truncate", "malform"] as const).filter((kind) => options[kind]?.only === "changes")
    ])

    const inject = <E, R>(
      respond: Effect.Effect<Response, E, R>,
      kind: Kind | undefined
    ): Effect.Effect<Response, E | Failure, R> => {
      switch (kind) {
        case "rateLimit":
          return new RateLimitExceeded({ statusCode: 429, message: "Too many requests.", retryAfter })
        case "serverError":
          return errors.number() < 0.5 ? internalServerError : unavailable
        case "html":
          return Effect.succeed(badGateway)
        case "reset":
        case "truncate":
          return Effect.map(respond, (response): Response => ({ ...response, connectionFault: kind }))
        case "malform":
          return Effect.map(respond, malformed)
        case "inProgress":
          return Idempotency.concurrent
        case "late":
          return Effect.tap(respond, () => Effect.sleep(Duration.times(lateness, latenesses.number())))
        default:
          return respond
      }
    }

    return (respond, { changes, isKeyed }) =>
      Effect.suspend(() => {
        const applies = (kind: Kind) => kind === "inProgress" ? isKeyed : changes || !onlyChanges.has(kind)
        // Every fault draws, even if another one happens.
        const struck = sequences.filter(({ random, rate }) => random.number() < rate).map(({ kind }) => kind)
          .filter(applies)
        const injected = inject(respond, struck.find((kind) => kind !== "latency"))
        return struck.includes("latency")
          ? Effect.delay(injected, Duration.times(delay, delays.number()))
          : injected
      })
  })

const internalServerError = new InternalServerError({ statusCode: 500, message: "Something went wrong." })

const unavailable = new ServiceUnavailable({ statusCode: 503, message: "The service is unavailable." })

const badGateway: Response = {
  status: 502,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!doctype html>\n<html><head><title>502 Bad Gateway</title></head>" +
    "<body><h1>502 Bad Gateway</h1></body></html>\n"
}

/** Drops the first colon, so that even a parser that reads only the beginning fails. */
const malformed = (response: Response): Response => ({
  ...response,
  body: typeof response.body === "string"
    ? response.body.replace(":", "")
    : response.body instanceof Uint8Array
    ? response.body
    : Stream.zipWithIndex(response.body).pipe(
      Stream.map(([text, index]) => index === 0 ? text.replace(":", "") : text)
    )
})
