/** How many emails an account may still send. Each recipient counts. */
import { DailyQuotaExceeded, EmailAboveQuota, MonthlyQuotaExceeded } from "@mailstream/core/ApiError"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Objects } from "../../stores/Store.ts"
import type { Result } from "../lives/Life.ts"
import type { Settings } from "../Settings.ts"

const periods = [
  { name: "daily", length: 10, exceeded: DailyQuotaExceeded },
  { name: "monthly", length: 7, exceeded: MonthlyQuotaExceeded }
] as const

/** Counts emails that are about to be sent. Fails if there are too many, and then counts none of them. */
export const take = (objects: Objects, { quota }: Settings, now: number, count: number): Result<void> =>
  Effect.gen(function*() {
    const limited = periods.filter(({ name }) => quota[name] !== undefined)
    if (limited.length === 0 || count === 0) return
    const today = DateTime.formatIso(DateTime.unsafeMake(now))
    const used: Array<{ readonly id: string; readonly total: number }> = []
    for (const { exceeded, length, name } of limited) {
      const id = today.slice(0, length)
      const before = Number((yield* objects.line("usage", id))?.fields["count"] ?? 0)
      const left = quota[name]! - before
      if (left <= 0) {
        return yield* new exceeded({ statusCode: 429, message: `You have reached your ${name} email quota.` })
      }
      if (count > left) {
        return yield* new EmailAboveQuota({
          statusCode: 403,
          message: `This is for ${count} recipients, and your ${name} email quota has ${left} left.`
        })
      }
      used.push({ id, total: before + count })
    }
    yield* objects.prune("usage", { before: now - Duration.toMillis(Duration.days(62)) })
    yield* objects.write("usage", used.map(({ id, total }) => ({ id, about: null, at: now, fields: { count: total } })))
  })
