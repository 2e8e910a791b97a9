import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TransportError } from "../../core/index.ts"
import type { OpenResponse } from "../../http/ApiClient.ts"
import { monotonicMillis } from "../../internal/fibers.ts"

/**
 * Watches whether a response makes progress, or just sends bytes.
 *
 * A server can trickle bytes forever: no single wait is too long, yet no item is ever complete. So an item must be
 * complete within the time that a request may take. The time starts with the first bytes after the last item, so that a
 * slow consumer does not cause a timeout.
 */
export const watch = ({ from: { method, url }, timeout = Duration.infinity }: OpenResponse) => {
  const allowed = Duration.toMillis(timeout)
  let since: number | undefined
  return {
    /** Reports that bytes completed an item. */
    made: (): void => {
      since = undefined
    },
    /** Reports that bytes did not complete an item. Fails if none is completed for too long. */
    awaited: Effect.clockWith((clock): Effect.Effect<void, TransportError> => {
      const now = monotonicMillis(clock)
      since ??= now
      return now - since <= allowed
        ? Effect.void
        : Effect.fail(
          new TransportError({
            method,
            url,
            reason: "Timeout",
            description: `received bytes, but no complete item within ${Duration.format(timeout)}`
          })
        )
    })
  }
}
