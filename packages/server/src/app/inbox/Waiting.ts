/** Waits for an email. */
import { Timestamp } from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Fields, StoreError, StoreService } from "../../stores/Store.ts"
import { EmailNotArrived } from "./EmailNotArrived.ts"
import * as Live from "./Live.ts"
import * as Sent from "./Sent.ts"

/** How many emails are read to find one that has arrived before. */
const maxRead = 1000

const batchSize = 100

/** How many emails that are scheduled are waited for. */
const maxScheduled = 100

/** What to wait for. */
export interface Wanted {
  readonly to: string | undefined
  readonly subject: string | RegExp | undefined
  /** In milliseconds since the epoch. */
  readonly since: number | undefined
}

/** `ada@example.com` of `Ada <ada@example.com>`. */
export const addressOf = (text: string): string => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase()

/** Whether an email is one to wait for. */
export const isWanted = ({ since, subject, to }: Wanted, email: Fields): boolean =>
  (since === undefined || createdAt(email) >= since) &&
  (to === undefined || recipientsOf(email).some((recipient) => addressOf(recipient) === addressOf(to))) &&
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
const pageOf = (store: StoreService, request: Parameters<StoreService["page"]>[1]) =>
  Effect.catchTag(store.page(Sent.emails, request), "not_found", Effect.die)

/** The emails that are new, newest first. */
const freshOf = (store: StoreService, known: string | undefined): Effect.Effect<ReadonlyArray<Fields>, StoreError> =>
  Effect.gen(function*() {
    const fresh: Array<Fields> = []
    let hasMore = true
    while (hasMore && fresh.length < maxRead) {
      const after = fresh.length === 0 ? undefined : String(fresh.at(-1)!["id"])
      const page = yield* pageOf(store, { limit: batchSize, after })
      const emails = page.items.map((item): Fields => JSON.parse(item))
      const end = emails.findIndex(({ id }) => id === known)
      fresh.push(...end === -1 ? emails : emails.slice(0, end))
      hasMore = page.has_more && end === -1
    }
    return fresh
  })

/** Looks at the emails that are new, and at those that were scheduled. */
const look = (store: StoreService, wanted: Wanted, known: Known) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const fresh = yield* freshOf(store, known.newest)
    const newest = fresh.length === 0 ? known.newest : String(fresh[0]!["id"])
    const scheduled: Array<string> = []
    for (
      const id of [...fresh.filter((email) => isWanted(wanted, email)).map(({ id }) => String(id)), ...known.scheduled]
    ) {
      const email = yield* store.get(Sent.emails, id)
      if (email === undefined) continue
      if (hasLeft(email, now)) return { found: email, known }
      if (email["last_event"] === "scheduled" && scheduled.length < maxScheduled) scheduled.push(id)
    }
    return { found: undefined, known: { newest, scheduled } }
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

const inWords = ({ since, subject, to }: Wanted): string =>
  [
    ...to === undefined ? [] : [` to ${to}`],
    ...subject === undefined
      ? []
      : [` with ${typeof subject === "string" ? JSON.stringify(subject) : String(subject)} in its subject`],
    ...since === undefined ? [] : [` since ${DateTime.formatIso(DateTime.unsafeMake(since))}`]
  ].join("")
