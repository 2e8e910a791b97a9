/**
 * Retry policies for the terminal. A service that has never responded is not retried: its address is most likely
 * wrong, and the user wants to know at once.
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
 * Whether the service has ever responded. A page counts when it is complete, but its items may arrive long before that;
 * and there has been no retry unless the service was reached, since `reached` allows none before that.
 */
const hasResponded = ({ items, pages, retries }: Progress.Progress): boolean => pages > 0 || items > 0 || retries > 0

/**
 * For a walk: connection failures are retried once the service has responded.
 *
 * @since 0.1.0
 * @category policies
 */
export const reached = (progress: Progress.Tracker) => (policy: RetryPolicy.RetryPolicy): RetryPolicy.RetryPolicy =>
  Schedule.whileInputEffect(
    policy,
    (error: RequestError) => Effect.map(progress, (progress) => hasResponded(progress) || !isConnect(error))
  )

/**
 * For a single request: connection failures are not retried.
 *
 * @since 0.1.0
 * @category policies
 */
export const single: RetryPolicy.RetryPolicy = Schedule.whileInput(
  RetryPolicy.default,
  (error: RequestError) => !isConnect(error)
)
