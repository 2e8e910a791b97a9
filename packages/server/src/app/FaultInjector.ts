/**
 * Faults on demand, so that clients can be tried against them. Which request meets which fault follows from the seed
 * alone: each fault draws from a sequence of its own, once for every request, so that one rate can be changed without
 * moving the others.
 *
 * @since 0.1.0
 */
import { InternalServerError, RateLimitExceeded, ServiceUnavailable } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { PCGRandom } from "effect/Utils"
import type * as Answer from "./Response.ts"

/**
 * Each rate is a share of the requests, from 0 to 1; a fault that is left out does not happen. Where several would
 * happen to the same request, the first one in this order does; `latency` comes on top.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Default: 0. */
  readonly seed?: number | undefined
  /** The answer takes longer: up to `delay`, evenly distributed. */
  readonly latency?: { readonly rate: number; readonly delay: Duration.DurationInput } | undefined
  /** 429 `rate_limit_exceeded`; `retryAfter` is one second unless given. */
  readonly rateLimit?: { readonly rate: number; readonly retryAfter?: Duration.DurationInput | undefined } | undefined
  /** 500 `internal_server_error` or 503 `service_unavailable`, by turns at random. */
  readonly serverError?: { readonly rate: number } | undefined
  /** 502, with a page of HTML, as a proxy gives it. */
  readonly html?: { readonly rate: number } | undefined
  /** The request is carried out, and the connection is reset in place of an answer. */
  readonly reset?: { readonly rate: number } | undefined
  /** The request is carried out, and the connection ends in the middle of the answer. */
  readonly truncate?: { readonly rate: number } | undefined
  /** The request is carried out, and the answer is complete, but no valid JSON. */
  readonly malform?: { readonly rate: number } | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Faults {
  /** Lets a request meet its fault, if it has one. */
  <E, R>(answer: Effect.Effect<Answer.Answer, E, R>): Effect.Effect<Answer.Answer, E | Failure, R>
}

/**
 * The errors that faults answer with.
 *
 * @since 0.1.0
 * @category models
 */
export type Failure = RateLimitExceeded | InternalServerError | ServiceUnavailable

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<Faults> =>
  Effect.sync(() => {
    const seed = options.seed ?? 0
    const sequence = (index: number, fault: { readonly rate: number } | undefined) => {
      const random = new PCGRandom(seed, index)
      const rate = fault?.rate ?? 0
      return { strikes: () => random.number() < rate, share: new PCGRandom(seed, index + 100) }
    }
    const latency = sequence(1, options.latency)
    const rateLimit = sequence(2, options.rateLimit)
    const serverError = sequence(3, options.serverError)
    const html = sequence(4, options.html)
    const reset = sequence(5, options.reset)
    const truncate = sequence(6, options.truncate)
    const malform = sequence(7, options.malform)

    /** All of them draw, whichever happens. */
    const draw = () => ({
      latency: latency.strikes(),
      rateLimit: rateLimit.strikes(),
      serverError: serverError.strikes(),
      html: html.strikes(),
      reset: reset.strikes(),
      truncate: truncate.strikes(),
      malform: malform.strikes()
    })

    const meet = <E, R>(
      answer: Effect.Effect<Answer.Answer, E, R>,
      strikes: ReturnType<typeof draw>
    ): Effect.Effect<Answer.Answer, E | Failure, R> => {
      if (strikes.rateLimit) return Effect.fail(tooMany(options.rateLimit?.retryAfter ?? "1 second"))
      if (strikes.serverError) return Effect.fail(serverError.share.number() < 0.5 ? failed : unavailable)
      if (strikes.html) return Effect.succeed(badGateway)
      if (strikes.reset) return Effect.map(answer, (answer) => ({ ...answer, breaks: "before" }))
      if (strikes.truncate) return Effect.map(answer, (answer) => ({ ...answer, breaks: "within" }))
      if (strikes.malform) return Effect.map(answer, malformed)
      return answer
    }

    return (answer) =>
      Effect.suspend(() => {
        const strikes = draw()
        if (!strikes.latency) return meet(answer, strikes)
        const delay = Duration.times(options.latency?.delay ?? 0, latency.share.number())
        return Effect.zipRight(Effect.sleep(delay), meet(answer, strikes))
      })
  })

const tooMany = (retryAfter: Duration.DurationInput) =>
  new RateLimitExceeded({
    statusCode: 429,
    message: "Too many requests.",
    retryAfter: Duration.decode(retryAfter)
  })

const failed = new InternalServerError({ statusCode: 500, message: "Something went wrong." })

const unavailable = new ServiceUnavailable({ statusCode: 503, message: "The service is not available." })

const badGateway: Answer.Answer = {
  status: 502,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!doctype html>\n<html><head><title>502 Bad Gateway</title></head>" +
    "<body><h1>502 Bad Gateway</h1></body></html>\n"
}

/** The first colon is missing, so that no parser can take the text for JSON, however little of it it reads. */
const malformed = (answer: Answer.Answer): Answer.Answer => ({
  ...answer,
  body: typeof answer.body === "string"
    ? answer.body.replace(":", "")
    : Stream.zipWithIndex(answer.body).pipe(
      Stream.map(([text, index]) => index === 0 ? text.replace(":", "") : text)
    )
})
