/**
 * When a request is sent again: as the library does it, but a service that has never answered is not waited for. Its
 * address is wrong, most likely, and whoever typed it wants to know.
 *
 * @since 0.1.0
 */
import type { RequestError } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type * as Progress from "@mailstream/stream/Progress"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

const isConnect = (error: RequestError): boolean => error._tag === "TransportError" && error.reason === "Connect"

/**
 * For a walk that tells of its progress.
 *
 * @since 0.1.0
 * @category policies
 */
export const reached = (progress: Progress.Tracker) => (policy: RetryPolicy.RetryPolicy): RetryPolicy.RetryPolicy =>
  Schedule.whileInputEffect(
    policy,
    (error: RequestError) => Effect.map(progress, ({ pages }) => pages > 0 || !isConnect(error))
  )

/**
 * For a single request.
 *
 * @since 0.1.0
 * @category policies
 */
export const single: RetryPolicy.RetryPolicy = Schedule.whileInput(
  RetryPolicy.default,
  (error: RequestError) => !isConnect(error)
)
