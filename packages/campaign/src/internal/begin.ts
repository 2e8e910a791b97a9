/** The beginning of a campaign, and whether a run continues the one that was begun. */
import type { SqlError } from "@effect/sql/SqlError"
import { EmailId, type RequestError } from "@mailstream/core"
import * as Position from "@mailstream/core/Position"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type { Emails } from "@mailstream/http/Services"
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
import type { Options } from "./running.ts"
import * as Stores from "./store.ts"

/** Where a walk begins, as it is stored. */
export const start = Schema.encodeSync(StoredPosition)(Position.start)

/** What a campaign is begun with, and stays with. */
export interface Begun {
  readonly service: string
  readonly once: "contact" | "address"
  readonly scope: string | undefined
}

/** What differs from how a campaign was begun, if anything does. */
export const mismatchOf = (row: Row, { once, scope, service }: Begun): CampaignMismatch | undefined => {
  const campaign = row.name
  if (row.service !== service) {
    return new CampaignMismatch({
      campaign,
      reason: "Service",
      begunWith: row.service,
      description: `was begun at ${row.service}, not at ${service}. To continue it, use the base URL of then`
    })
  }
  if (row.once !== once) {
    return new CampaignMismatch({
      campaign,
      reason: "Once",
      begunWith: row.once,
      description: `was begun with once: "${row.once}". To continue it, use the same`
    })
  }
  return row.scope === scope ? undefined : new CampaignMismatch({
    campaign,
    reason: "Scope",
    begunWith: row.scope,
    description: `was begun ${scoped(row.scope)}, not ${scoped(scope)}. To continue it, use the same`
  })
}

const scoped = (scope: string | undefined): string =>
  scope === undefined ? "without a scope" : `with the scope "${scope}"`

/** Whether nobody has been dealt with, ever. */
const isUntouched = ({ accepted, owner, planned, rejected, skipped, undecided, units }: Row): boolean =>
  owner === undefined && units === 0 && accepted + planned + rejected + skipped + undecided === 0

/** The row of a campaign, which is created if there is none. As long as nobody has been dealt with, it may begin in another way. */
export const begin = (
  store: Stores.Store,
  name: string,
  begun: Begun,
  emails: typeof Emails.Service,
  options: Pick<Options, "retry" | "settle">
): Effect.Effect<Row, SqlError | CampaignMismatch | CampaignPaused> =>
  Effect.gen(function*() {
    const { once, scope, service } = begun
    const { sql } = store
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
    const mismatch = mismatchOf(row, begun)
    if (mismatch === undefined) {
      if (known !== undefined) yield* sameAccount(known, emails, options)
      return row
    }
    const isNew = isUntouched(row) && mismatch.reason !== "Service"
    const changed = isNew
      ? yield* Stores.patiently(store.swap(
        name,
        sql`once = ${once}, scope = ${scope ?? null}, position = ${start}, ended_at = NULL, beat = beat + 1`,
        sql`fence = ${row.fence} AND owner IS NULL AND units = 0`
      ))
      : undefined
    return changed ?? (yield* mismatch)
  })

/** For how long a service certainly keeps emails, in milliseconds. */
const kept = 7 * 24 * 3_600_000

/** How often the service is asked again for an email that it may not show yet, once a second. */
const patience = 30

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
    if (ids.length === 0 || (yield* Clock.currentTimeMillis) - startedAt > kept) return false
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
    const times = Math.min(patience, Math.ceil(Duration.toSeconds(settle)))
    const again = Schedule.intersect(Schedule.recurs(times), Schedule.spaced("1 second"))
    const isOther = isUnknown(row, emails, retry).pipe(
      Effect.mapError((error) => new CampaignPaused({ campaign: row.name, reason: "Unavailable", error })),
      Effect.repeat(Schedule.zipRight(again, Schedule.recurWhile((is: boolean) => is)))
    )
    if (yield* isOther) {
      return yield* new CampaignMismatch({
        campaign: row.name,
        reason: "Account",
        description: `was begun with another account: this API key does not know its last email, ${
          row.newest ?? row.anchor
        }. To continue it, use a key of the account of then`
      })
    }
  })
