/** The options of the service, checked and complete. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import type { Quota, ServiceOptions } from "./ServiceOptions.ts"

/** Times are in milliseconds. */
export interface Settings {
  readonly idempotencyWindow: number
  readonly events: { readonly maxAge: number; readonly maxCount: number }
  readonly quota: Quota
  /** Tells whoever delivers events to webhooks that there may be some; undefined: nobody does, and none are kept for that. */
  readonly notify: (() => void) | undefined
}

export const make = (
  { events = {}, idempotencyWindow = "24 hours", quota = {} }: ServiceOptions,
  notify: Settings["notify"]
): Either.Either<Settings, InvalidOption.InvalidOption> =>
  Either.gen(function*() {
    const window = yield* InvalidOption.duration("idempotencyWindow", idempotencyWindow, { min: "1 second" })
    const maxAge = yield* InvalidOption.duration("events.maxAge", events.maxAge ?? "30 days", { min: "1 second" })
    const maxCount = yield* InvalidOption.integer("events.maxCount", events.maxCount ?? 10_000, { min: 1 })
    if (quota.daily !== undefined) yield* InvalidOption.integer("quota.daily", quota.daily, { min: 0 })
    if (quota.monthly !== undefined) yield* InvalidOption.integer("quota.monthly", quota.monthly, { min: 0 })
    return {
      idempotencyWindow: Duration.toMillis(window),
      events: { maxAge: Duration.toMillis(maxAge), maxCount },
      quota,
      notify
    }
  })
