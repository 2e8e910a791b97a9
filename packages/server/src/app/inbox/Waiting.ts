/** Waits for an email. */
import { Timestamp } from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Lists from "../../stores/Lists.ts"
import type { Cursor, Fields, StoreError, StoreService } from "../../stores/Store.ts"
import { EmailNotArrived } from "./EmailNotArrived.ts"
import * as Live from "./Live.ts"
import * as Sent from "./Sent.ts"

/** How many emails are read at a time. */
const batchSize = 100

/** How many emails that are scheduled are waited for. */
const maxScheduled = 100

/** What to wait for. */
export interface Wanted {
  readonly campaign: string | undefined
  readonly to: string | undefined
  readonly subject: string | RegExp | undefined
  /** In milliseconds since the epoch. */
  readonly since: number | undefined
}

/** Whether an email of the campaign, if it is about one, is one to wait for. */
export const isWanted = ({ since, subject, to }: Wanted, email: Fields): boolean =>
  (since === undefined || createdAt(email) >= since) &&
  (to === undefined || recipientsOf(email).some((recipient) => Lists.addressOf(recipient) === Lists.addressOf(to))) &&
  (subject === undefined || (typeof subject === "string"
    ? String(email["subject"] ?? "").includes(subject)
    : String(email["subject"] ?? "").search(subject) !== -1))

const recipientsOf = (email: Fields): ReadonlyArray<string> =>
  ["to", "cc", "bcc"].flatMap((field) => Sent.textsOf(email[field]))

const isTimestamp = Schema.is(Timestamp.Timestamp)

const createdAt = (email: Fields): number => {
  const at = email["created_at"]
  return isTimestamp(at) ? DateTime.toEpochMillis(Timestamp.toDateTime(at)) : 0
}

/** Whether an email has left: one that is scheduled leaves when its time comes, even if nobody has looked at it since then. */
const hasLeft = ({ due, last_event }: Fields, now: number): boolean =>
  last_event === "scheduled" ? typeof due === "number" && due <= now : last_event !== "canceled"

/** The emails that were looked at, and those of them that may still leave. */
interface Known {
  readonly newest: string | undefined
  readonly scheduled: ReadonlyArray<string>
}

/** The list of all emails is always there. */
const pageOf = (store: StoreService, request: Parameters<StoreService["page"]>[1], campaign?: string) =>
  Effect.catchTag(store.page(Sent.listOf(campaign), request), "not_found", Effect.die)

/** Of some emails, newest first: the first that has left, and those before it that may still leave. */
const choose = (store: StoreService, ids: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const scheduled: Array<string> = []
    for (const id of ids) {
      const email = yield* store.get(Sent.emails, id)
      if (email === undefined) continue
      if (hasLeft(email, now)) return { found: email, scheduled }
      if (email["last_event"] === "scheduled") scheduled.push(id)
    }
    return { found: undefined, scheduled }
  })

/**
 * Looks at the emails that are new, and at those that were scheduled. The first time, that is every stored email, from the newest
 * on, until one is found; later, those that are newer than the newest known, from the oldest on. One page is held at a time.
 */
const look = (store: StoreService, wanted: Wanted, known: Known) =>
  Effect.gen(function*() {
    const isFirst = known.newest === undefined
    let { newest, scheduled } = known
    let found: Fields | undefined
    let cursor: Cursor = { before: newest }
    let hasMore = true
    while (hasMore && !(isFirst && found !== undefined)) {
      const page = yield* pageOf(store, { limit: batchSize, ...cursor }, wanted.campaign)
      const emails = page.items.map((item): Fields => JSON.parse(item))
      const ids = emails.map(({ id }) => String(id))
      const matching = emails.filter((email) => isWanted(wanted, email)).map(({ id }) => String(id))
      const chosen = yield* choose(store, matching)
      found = chosen.found ?? found
      const newestFirst = isFirst ? [scheduled, chosen.scheduled] : [chosen.scheduled, scheduled]
      scheduled = newestFirst.flat().slice(0, maxScheduled)
      newest = isFirst ? newest ?? ids[0] : ids[0] ?? newest
      cursor = isFirst ? { after: ids.at(-1) } : { before: newest }
      hasMore = page.has_more
      // Others have their turn, however long the list is.
      yield* Effect.yieldNow()
    }
    if (found !== undefined) return { found, known }
    const late = yield* choose(store, scheduled)
    return { found: late.found, known: { newest, scheduled: late.scheduled } }
  })

/** The newest email that is wanted, as soon as there is one. */
export const find = (
  store: StoreService,
  wanted: Wanted,
  timeout: Duration.Duration,
  /** Does what is due. */
  settle: Effect.Effect<void, StoreError> = Effect.void
): Effect.Effect<Fields, EmailNotArrived | StoreError> =>
  Effect.gen(function*() {
    yield* settle
    let count = yield* store.changed(-1)
    let looked = yield* look(store, wanted, { newest: undefined, scheduled: [] })
    const wait = Effect.gen(function*() {
      while (looked.found === undefined) {
        // Other processes may use the same database, and the time of one that is scheduled may come.
        yield* Effect.timeoutOption(store.changed(count), Live.pollInterval)
        yield* settle
        count = yield* store.changed(-1)
        looked = yield* look(store, wanted, looked.known)
      }
    })
    yield* Effect.timeoutOption(wait, timeout)
    if (looked.found !== undefined) return looked.found
    const { items } = yield* pageOf(store, { limit: maxArrived })
    return yield* new EmailNotArrived({
      wanted: inWords(wanted),
      waited: timeout,
      arrived: items.map((item): Fields => JSON.parse(item)).map(({ subject, to }) => ({
        to: Sent.textsOf(to).slice(0, maxArrived).map((address) => Sent.cut(address, maxLength) ?? ""),
        subject: Sent.cut(subject, maxLength) ?? ""
      }))
    })
  })

/** How many of the emails that did arrive are named. */
const maxArrived = 5

/** How much of their subjects and addresses is. */
const maxLength = 100

const inWords = ({ campaign, since, subject, to }: Wanted): string =>
  [
    ...campaign === undefined ? [] : [` of the campaign ${campaign}`],
    ...to === undefined ? [] : [` to ${to}`],
    ...subject === undefined
      ? []
      : [` with ${typeof subject === "string" ? JSON.stringify(subject) : String(subject)} in its subject`],
    ...since === undefined ? [] : [` since ${DateTime.formatIso(DateTime.unsafeMake(since))}`]
  ].join("")
