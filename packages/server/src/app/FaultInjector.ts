/** Injects the faults of `Faults.Options` into responses. */
import { InternalServerError, RateLimitExceeded, ServiceUnavailable } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { PCGRandom } from "effect/Utils"
import type * as Faults from "./Faults.ts"
import type { Response } from "./Response.ts"

export interface FaultInjector {
  /** Lets a request meet its fault, if it has one. */
  <E, R>(respond: Effect.Effect<Response, E, R>): Effect.Effect<Response, E | Failure, R>
}

export type Failure = RateLimitExceeded | InternalServerError | ServiceUnavailable

export const make = (options: Faults.Options): Effect.Effect<FaultInjector> =>
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

    /** Every fault draws, even if only one of them happens. */
    const draw = () => ({
      latency: latency.strikes(),
      rateLimit: rateLimit.strikes(),
      serverError: serverError.strikes(),
      html: html.strikes(),
      reset: reset.strikes(),
      truncate: truncate.strikes(),
      malform: malform.strikes()
    })

    const inject = <E, R>(
      respond: Effect.Effect<Response, E, R>,
      strikes: ReturnType<typeof draw>
    ): Effect.Effect<Response, E | Failure, R> => {
      if (strikes.rateLimit) return Effect.fail(tooManyRequests(options.rateLimit?.retryAfter ?? "1 second"))
      if (strikes.serverError) return Effect.fail(serverError.share.number() < 0.5 ? internalServerError : unavailable)
      if (strikes.html) return Effect.succeed(badGateway)
      if (strikes.reset) return Effect.map(respond, (response) => ({ ...response, connectionFault: "reset" }))
      if (strikes.truncate) return Effect.map(respond, (response) => ({ ...response, connectionFault: "truncate" }))
      if (strikes.malform) return Effect.map(respond, malformed)
      return respond
    }

    return (respond) =>
      Effect.suspend(() => {
        const strikes = draw()
        if (!strikes.latency) return inject(respond, strikes)
        const delay = Duration.times(options.latency?.delay ?? 0, latency.share.number())
        return Effect.zipRight(Effect.sleep(delay), inject(respond, strikes))
      })
  })

const tooManyRequests = (retryAfter: Duration.DurationInput) =>
  new RateLimitExceeded({
    statusCode: 429,
    message: "Too many requests.",
    retryAfter: Duration.decode(retryAfter)
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
    : Stream.zipWithIndex(response.body).pipe(
      Stream.map(([text, index]) => index === 0 ? text.replace(":", "") : text)
    )
})
