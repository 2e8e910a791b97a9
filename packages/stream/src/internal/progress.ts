import { TransportError } from "@mailstream/core"
import type { OpenResponse } from "@mailstream/http/ApiClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** A response that has to make progress, not just send bytes. */
export interface Watched {
  readonly answer: OpenResponse
  /** Reports that an item is complete. */
  readonly progressed: () => void
}

/**
 * A server can send a byte now and then forever: no wait is too long, and yet nothing is ever complete. So an item must be
 * complete within the time that a request may take. The time starts with the first bytes after the last item, so that a
 * slow consumer does not lose the rest.
 */
export const watch = (answer: OpenResponse): Watched => {
  const { from: { method, url }, timeout } = answer
  if (timeout === undefined) return { answer, progressed: () => {} }
  const allowed = Duration.toMillis(timeout)
  let since: number | undefined
  const check = (now: number): Effect.Effect<void, TransportError> => {
    since ??= now
    return now - since <= allowed
      ? Effect.void
      : new TransportError({
        method,
        url,
        reason: "Timeout",
        description: `bytes, but no whole item within ${Duration.format(timeout)}`
      })
  }
  return {
    answer: { ...answer, bytes: Stream.tap(answer.bytes, () => Effect.flatMap(Clock.currentTimeMillis, check)) },
    progressed: () => {
      since = undefined
    }
  }
}
