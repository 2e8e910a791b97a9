/** Waits for an email. */
import { Timestamp } from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Fields, StoreError, StoreService } from "../../stores/Store.ts"
import * as Time from "../lives/Time.ts"
import { EmailNotArrived } from "./EmailNotArrived.ts"
import * as Live from "./Live.ts"
import * as Sent from "./Sent.ts"

/** How many emails are read to find one that has arrived before. */
const maxRead = 1000

const batchSize = 100

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

/** Whether an email has left: one that is scheduled has not. */
const hasLeft = ({ last_event }: Fields): boolean => last_event !== "scheduled" && last_event !== "canceled"

/** The emails that were looked at, and those of them that may still leave. */
interface Known {
  readonly newest: string | undefined
  readonly scheduled: ReadonlyArray<string>
}

/** The list of all emails is always there. */
const pageOf = (store: StoreService, request: Parameters<StoreService["page"]>[1]) =>
  Effect.catchTag(store.page(Sent.emails, request), "not_found", Effect.die)

/** Looks at the emails that are new, and at those that were scheduled. */
const look = (store: StoreService, wanted: Wanted, known: Known) =>
  Effect.gen(function*() {
    yield* Time.settle(store, Sent.emails.name)
    const scheduled: Array<string> = []
    for (const id of known.scheduled) {
      const email = yield* store.get(Sent.emails, id)
      if (email !== undefined && hasLeft(email)) return { found: email, known }
      if (email?.["last_event"] === "scheduled") scheduled.push(id)
    }
    let newest: string | undefined
    let after: string | undefined
    for (let read = 0; read < maxRead; read += batchSize) {
      const page = yield* pageOf(store, { limit: batchSize, after })
      for (const item of page.items) {
        const email: Fields = JSON.parse(item)
        const id = String(email["id"])
        newest ??= id
        if (id === known.newest) return { found: undefined, known: { newest, scheduled } }
        after = id
        if (!isWanted(wanted, email)) continue
        if (hasLeft(email)) return { found: yield* store.get(Sent.emails, id), known: { newest, scheduled } }
        if (email["last_event"] === "scheduled" && scheduled.length < batchSize) scheduled.push(id)
      }
      if (!page.has_more) break
    }
    return { found: undefined, known: { newest, scheduled } }
  })

/** The newest email that is wanted, as soon as there is one. */
export const find = (
  store: StoreService,
  wanted: Wanted,
  timeout: Duration.Duration
): Effect.Effect<Fields, EmailNotArrived | StoreError> =>
  Effect.gen(function*() {
    let count = yield* store.changed(-1)
    let looked = yield* look(store, wanted, { newest: undefined, scheduled: [] })
    const wait = Effect.gen(function*() {
      while (looked.found === undefined) {
        // Other processes may use the same database, and the time of one that is scheduled may come.
        yield* Effect.timeoutOption(store.changed(count), Live.pollInterval)
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
