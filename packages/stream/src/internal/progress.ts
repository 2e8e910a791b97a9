import { TransportError } from "@mailstream/core"
import type { OpenResponse } from "@mailstream/http/ApiClient"
import { monotonicMillis } from "@mailstream/http/internal/fiber"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** A response that must make progress, not just send bytes. */
export interface Watched {
  readonly response: OpenResponse
  /** Reports that an item is complete. */
  readonly progressed: () => void
}

/**
 * A server can trickle bytes forever: no single wait is too long, yet no item is ever complete. So an item must be
 * complete within the time that a request may take. The time starts with the first bytes after the last item, so that a
 * slow consumer does not cause a timeout.
 */
export const watch = (response: OpenResponse): Watched => {
  const { from: { method, url }, timeout } = response
  if (timeout === undefined) return { response, progressed: () => {} }
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
        description: `received bytes, but no complete item within ${Duration.format(timeout)}`
      })
  }
  return {
    response: {
      ...response,
      bytes: Stream.tap(response.bytes, () => Effect.clockWith((clock) => check(monotonicMillis(clock))))
    },
    progressed: () => {
      since = undefined
    }
  }
}
