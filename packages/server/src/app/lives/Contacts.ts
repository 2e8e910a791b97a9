/**
 * Contacts: their segments, topics and properties. Values of properties are stored under the ids of the properties, and
 * subscriptions under those of the topics: what was removed is not found any more, and a new one of the same name has none.
 */
import { NotFound, Resource, ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields, Objects } from "../../stores/Store.ts"
import * as Events from "../Events.ts"
import type { Call, Life, Result } from "./Life.ts"

const contacts = { name: Resource.contacts.name }
const segments = { name: Resource.segments.name }
const topics = { name: Resource.topics.name }
const properties = { name: Resource.contactProperties.name }

const record = (value: unknown): Fields => typeof value === "object" && value !== null ? { ...value } : {}

const records = (value: unknown): ReadonlyArray<Fields> => Array.isArray(value) ? value.map(record) : []

/** Whether a contact gets what is sent on a topic. */
export const subscription = (contact: Fields, topic: Fields): unknown =>
  record(contact["subscriptions"])[String(topic["id"])] ?? topic["default_subscription"]

const missing = (title: string) => new NotFound({ statusCode: 404, message: `${title} not found` })

const segmentOf = (objects: Objects, id: unknown): Result<string> =>
  Effect.flatMap(
    objects.get(segments, String(id)),
    (found) => found === undefined ? missing("Audience") : Effect.succeed(String(id))
  )

/** The subscriptions of a contact after some of them were changed. */
const subscribe = (objects: Objects, before: unknown, changes: unknown): Result<Fields> =>
  Effect.gen(function*() {
    const after: Record<string, unknown> = record(before)
    for (const { id, subscription } of records(changes)) {
      if ((yield* objects.get(topics, String(id))) === undefined) return yield* missing("Topic")
      after[String(id)] = subscription
    }
    return after
  })

/** The values of a contact after some of them were changed; null removes one. */
const assign = (objects: Objects, before: unknown, changes: unknown): Result<Fields> =>
  Effect.gen(function*() {
    const after: Record<string, unknown> = record(before)
    for (const [key, value] of Object.entries(record(changes))) {
      const property = yield* objects.find(properties, key)
      if (property === undefined) {
        return yield* ValidationError.because(`The property \`${key}\` does not exist.`)
      }
      const id = String(property["id"])
      if (value === null) delete after[id]
      else if (typeof value === property["type"]) after[id] = value
      else {
        return yield* ValidationError.because(`The property \`${key}\` must be a ${String(property["type"])}.`)
      }
    }
    return after
  })

/** The contact that a call is about. */
const contactOf = ({ objects, ref = "" }: Call): Result<Fields> =>
  Effect.gen(function*() {
    const contact = (yield* objects.get(contacts, ref)) ?? (yield* objects.find(contacts, ref))
    return contact ?? (yield* missing("Contact"))
  })

const report = ({ now, objects, settings }: Call, verb: string, contact: Fields) =>
  Events.record(objects, settings, now, Events.ofObject(contacts, verb, contact))

const membership = (call: Call, change: "join" | "leave"): Result<Fields> =>
  Effect.gen(function*() {
    const contact = yield* contactOf(call)
    const contact_id = String(contact["id"])
    const segment_id = yield* segmentOf(call.objects, call.params[1])
    yield* call.objects[change](segment_id, [contact_id])
    yield* report(call, "updated", contact)
    return { id: segment_id, contact_id, segment_id, ...change === "leave" ? { deleted: true } : {} }
  })

export const life: Partial<Life> = {
  forgives: true,
  born: () => ({ first_name: null, last_name: null, unsubscribed: false }),
  admit: ({ objects }, { properties, segments, topics, ...contact }) =>
    Effect.gen(function*() {
      for (const { id } of records(segments)) yield* segmentOf(objects, id)
      return {
        ...contact,
        values: yield* assign(objects, contact["values"], properties),
        subscriptions: yield* subscribe(objects, contact["subscriptions"], topics)
      }
    }),
  created: ({ fields, objects }, { id }) =>
    Effect.forEach(records(fields["segments"]), (segment) => objects.join(String(segment["id"]), [String(id)]), {
      discard: true
    }),
  show: ({ get }, contact) =>
    Effect.gen(function*() {
      const shown: Array<[string, Fields]> = []
      for (const [id, value] of Object.entries(record(contact["values"]))) {
        const property = yield* get(properties, id)
        if (property !== undefined) shown.push([String(property["key"]), { type: property["type"], value }])
      }
      // Not assigned: a key can be `__proto__`.
      return { ...contact, properties: Object.fromEntries(shown) }
    }),
  actions: {
    join: (call) => membership(call, "join"),
    leave: (call) => membership(call, "leave"),
    updateTopics: (call) =>
      Effect.gen(function*() {
        const contact = yield* contactOf(call)
        const subscriptions = yield* subscribe(call.objects, contact["subscriptions"], call.input)
        yield* call.objects.put(contacts, { ...contact, subscriptions })
        yield* report(call, "topics.updated", contact)
        return { id: contact["id"] }
      })
  }
}
