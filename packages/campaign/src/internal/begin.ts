/** The beginning of a campaign, and whether a run continues the one that was begun. */
import type { SqlError } from "@effect/sql/SqlError"
import { EmailId, type RequestError } from "@mailstream/core"
import * as Position from "@mailstream/core/Position"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type { Emails } from "@mailstream/http/Services"
import * as Plans from "@mailstream/kernel/campaign/Plans"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { CampaignMismatch, CampaignPaused } from "../CampaignError.ts"
import { StoredPosition } from "./plan.ts"
import { isPassing } from "./reconcile.ts"
import type { Row } from "./rows.ts"
import * as Rules from "./rules.ts"
import type { Options } from "./running.ts"
import * as Stores from "./store.ts"

/** Where a walk begins, as it is stored. */
export const start = Schema.encodeSync(StoredPosition)(Position.start)

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
        Effect.either
      )
      if (newest._tag === "Left" && isPassing(newest.left)) {
        return yield* new CampaignPaused({ campaign: name, reason: "Unavailable", error: newest.left })
      }
      const anchor = newest._tag === "Right" ? newest.right.data[0]?.id ?? "" : undefined
      const createdAt = yield* Clock.currentTimeMillis
      yield* Stores.patiently(store.create({ name, service, once, scope, position: start, createdAt, anchor }))
    }
    const row = known ?? (yield* Stores.patiently(store.find(name)))
    if (row === undefined) return yield* Effect.dieMessage(`The campaign ${name} was deleted while it began`)
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
    const [failed, found] = Arr.separate(
      yield* Effect.forEach(ids, (id) => Effect.either(emails.get(EmailId.make(id), { retry })))
    )
    if (found.length > 0) return false
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
    const again = Schedule.intersect(Schedule.recurs(times), Schedule.spaced("1 second"))
    const isOther = isUnknown(row, emails, retry).pipe(
      Effect.mapError((error) => new CampaignPaused({ campaign: row.name, reason: "Unavailable", error })),
      Effect.repeat(Schedule.zipRight(again, Schedule.recurWhile((is: boolean) => is)))
    )
    if (yield* isOther) {
      return yield* new CampaignMismatch(Plans.otherAccount(row))
    }
  })
