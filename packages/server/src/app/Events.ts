/**
 * What happened: to emails, and to objects that webhooks can report. Events are recorded together with the change that caused
 * them, and so are their deliveries: one for each webhook that is enabled and wants events of that type.
 */
import { Resource } from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Lists from "../stores/Lists.ts"
import type { Fields, Line, List, Numbered, Objects, ReadJournal, StoreError } from "../stores/Store.ts"
import type { Settings } from "./Settings.ts"

/** Something that has just happened. */
export interface Happening {
  /** `email.sent` */
  readonly type: string
  readonly data: Fields
  /** The id of the email that it happened to. */
  readonly email?: string | undefined
}

/** An event as it is recorded. */
export interface Event {
  /** Also the id of the messages that report it. */
  readonly id: string
  /** Later events have higher numbers. */
  readonly seq: number
  readonly type: string
  readonly created_at: string
  readonly data: Fields
  readonly email: string | undefined
}

const webhooks: List = { name: Resource.webhooks.name }

/** Records what happened, in this order, and forgets what is too old. */
export const record = (
  objects: Objects,
  settings: Settings,
  now: number,
  happenings: ReadonlyArray<Happening>
): Effect.Effect<void, StoreError> =>
  Effect.gen(function*() {
    if (happenings.length === 0) return
    const { maxAge, maxCount } = settings.events
    const limits = { before: now - maxAge, keep: maxCount }
    const created_at = DateTime.formatIso(DateTime.unsafeMake(now))
    const lines = happenings.map(({ data, email = null, type }): Line => ({
      id: `msg_${crypto.randomUUID().replaceAll("-", "")}`,
      about: email,
      at: now,
      fields: { type, created_at, data }
    }))
    yield* objects.write("events", lines)
    yield* objects.prune("events", limits)
    if (settings.notify === undefined) return
    const enabled = (yield* objects.all(webhooks)).filter(({ status }) => status === "enabled")
    const deliveries = lines.flatMap((line) =>
      enabled.filter((webhook) => wants(webhook, line.fields["type"])).map(({ id }): Line => ({
        id: `${line.id}/${String(id)}`,
        about: String(id),
        at: now,
        fields: { message: line.id, payload: JSON.stringify(line.fields), attempts: 0 }
      }))
    )
    if (deliveries.length === 0) return
    yield* objects.write("deliveries", deliveries)
    yield* objects.prune("deliveries", limits)
  })

const wants = ({ events }: Fields, type: unknown): boolean => Array.isArray(events) && events.includes(type)

/** What events call the objects that they are about. */
const nouns: { readonly [list: string]: string } = {
  [Resource.contacts.name]: "contact",
  [Resource.domains.name]: "domain",
  [Resource.suppressions.name]: "suppression",
  [Resource.topics.name]: "topic"
}

const verbs: { readonly [type: string]: string } = {
  "suppression.created": "suppression.added",
  "suppression.deleted": "suppression.removed"
}

/** What happened to an object, if events report that: with what lists show of it. */
export const ofObject = (list: List, verb: string, object: Fields): ReadonlyArray<Happening> => {
  const noun = nouns[list.name]
  if (noun === undefined) return []
  const type = `${noun}.${verb}`
  const data = Object.fromEntries(Object.entries(object).filter(([field]) => Lists.shows(list, field)))
  return [{ type: verbs[type] ?? type, data }]
}

const fromLine = ({ about, fields, id, seq }: Numbered): Event => ({
  id,
  seq,
  type: String(fields["type"]),
  created_at: String(fields["created_at"]),
  // As `record` wrote it.
  data: fields["data"] as Fields,
  email: about ?? undefined
})

/** The newest events, or those of an email in the order in which they happened. */
export const list = (
  journal: ReadJournal,
  options: { readonly email?: string | undefined; readonly before?: number | undefined; readonly limit: number }
): Effect.Effect<ReadonlyArray<Event>, StoreError> =>
  Effect.map(
    journal.lines("events", {
      from: options.email === undefined ? "newest" : "oldest",
      about: options.email,
      before: options.before,
      limit: options.limit
    }),
    (lines) => lines.map(fromLine)
  )
