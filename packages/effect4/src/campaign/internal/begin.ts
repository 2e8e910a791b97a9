/** The beginning of a campaign, and whether a run continues the one that was begun. */
import * as Plans from "@mailstream/kernel/campaign/Plans"
import type { Row } from "@mailstream/kernel/campaign/Rows"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import { EmailId, type RequestError } from "../../core/index.ts"
import * as RetryPolicy from "../../http/RetryPolicy.ts"
import type { Emails } from "../../http/Services.ts"
import { CampaignMismatch, CampaignPaused } from "../CampaignError.ts"
import { start } from "./position.ts"
import { isPassing } from "./reconcile.ts"
import * as Rules from "./rules.ts"
import type { Options } from "./running.ts"
import * as Stores from "./store.ts"

/** The row of a campaign, which is created if there is none. As long as nobody has been dealt with, it may begin in another way. */
export const begin = (
  store: Stores.Store,
  name: string,
  begun: Plans.Begun,
  emails: typeof Emails.Service,
  options: Pick<Options, "retry" | "settle">
): Effect.Effect<Row, SqlError | CampaignMismatch | CampaignPaused> =>
  Effect.gen(function*() {
    const { once, scope, service } = begun
    const known = yield* Stores.patiently(store.find(name))
    if (known === undefined) {
      // Whatever this campaign sends is newer.
      const newest = yield* emails.list({ limit: 1 }).pipe(
        Effect.retry({ while: isPassing, schedule: RetryPolicy.monotonic(options.retry) }),
        Effect.result
      )
      if (Result.isFailure(newest) && isPassing(newest.failure)) {
        return yield* new CampaignPaused({ campaign: name, reason: "Unavailable", error: newest.failure })
      }
      const anchor = Result.isSuccess(newest) ? newest.success.data[0]?.id ?? "" : undefined
      const createdAt = yield* Clock.currentTimeMillis
      yield* Stores.patiently(store.create({ name, service, once, scope, position: start, createdAt, anchor }))
    }
    const row = known ?? (yield* Stores.patiently(store.find(name)))
    if (row === undefined) return yield* Effect.die(new Error(`The campaign ${name} was deleted while it began`))
    const mismatch = Plans.mismatchOf(row, begun)
    if (mismatch === undefined) {
      if (known !== undefined) yield* sameAccount(known, emails, options)
      return row
    }
    const isNew = Plans.isUntouched(row) && mismatch.reason !== "Service"
    const changed = isNew
      ? yield* Stores.patiently(store.swap(store.statements.beginOtherwise(row, { once, scope, position: start })))
      : undefined
    return changed ?? (yield* new CampaignMismatch(mismatch))
  })

/**
 * Whether the service knows none of the emails that it had when the campaign was run last: then, this API key is that of another
 * account. One that may only send cannot tell.
 */
const isUnknown = (
  { anchor, newest, startedAt }: Row,
  emails: typeof Emails.Service,
  retry: RetryPolicy.RetryPolicy
): Effect.Effect<boolean, RequestError> =>
  Effect.gen(function*() {
    const ids = [newest ?? "", anchor ?? ""].filter((id) => id !== "")
    if (ids.length === 0 || (yield* Clock.currentTimeMillis) - startedAt > Rules.kept) return false
    const found = yield* Effect.forEach(ids, (id) => Effect.result(emails.get(EmailId.make(id), { retry })))
    if (found.some(Result.isSuccess)) return false
    const failed = found.flatMap((result) => Result.isFailure(result) ? [result.failure] : [])
    const error = failed.find(isPassing)
    return error === undefined ? failed.every(({ _tag }) => _tag === "not_found") : yield* error
  })

/** Fails if the API key is that of another account. */
export const sameAccount = (
  row: Row,
  emails: typeof Emails.Service,
  { retry, settle }: Pick<Options, "retry" | "settle">
): Effect.Effect<void, CampaignMismatch | CampaignPaused> =>
  Effect.gen(function*() {
    const times = Math.min(Rules.patience, Math.ceil(Duration.toSeconds(settle)))
    const isOther = Effect.mapError(
      isUnknown(row, emails, retry),
      (error) => new CampaignPaused({ campaign: row.name, reason: "Unavailable", error })
    )
    for (let asked = 0; yield* isOther; asked++) {
      if (asked >= times) return yield* new CampaignMismatch(Plans.otherAccount(row))
      yield* Effect.sleep("1 second")
    }
  })
