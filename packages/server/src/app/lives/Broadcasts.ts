/** Broadcasts: drafts, then queued or scheduled, then sent to those of the segment who want them. */
import { NotFound, Resource, ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields, List, Objects, StoreError } from "../../stores/Store.ts"
import * as Contacts from "./Contacts.ts"
import { type Call, type Life, type Result, texts } from "./Life.ts"
import * as Moment from "./Moment.ts"

const suppressions = { name: Resource.suppressions.name }

const refuse = (message: string) => Effect.fail(ValidationError.because(message))

/** Whether what a broadcast refers to exists. */
const check = (objects: Objects, list: { readonly name: string }, id: unknown, title: string): Result<void> =>
  id === null || id === undefined ? Effect.void : Effect.flatMap(
    objects.get(list, String(id)),
    (found) => found === undefined ? new NotFound({ statusCode: 404, message: `${title} not found` }) : Effect.void
  )

/** A draft on its way: it waits for its time, or for a moment. */
const launch = (draft: Fields, at: unknown, now: number): Result<Fields> =>
  at === undefined
    ? Effect.succeed({ ...draft, status: "queued", scheduled_at: null, due: Moment.soon(now) })
    : Effect.map(Moment.parse(at, now), (due) => ({
      ...draft,
      status: "scheduled",
      scheduled_at: Moment.format(due),
      due
    }))

const broadcastOf = ({ list, objects, ref = "" }: Call): Result<Fields> =>
  Effect.flatMap(
    objects.get(list, ref),
    (found) =>
      found === undefined ? new NotFound({ statusCode: 404, message: "Broadcast not found" }) : Effect.succeed(found)
  )

/** Whom a broadcast reaches: members of its segment that are neither unsubscribed nor suppressed. */
const recipientsOf = (objects: Objects, broadcast: Fields): Effect.Effect<ReadonlyArray<Fields>, StoreError> =>
  Effect.gen(function*() {
    const segment: List = { name: Resource.contacts.name, within: String(broadcast["segment_id"]) }
    const topic = typeof broadcast["topic_id"] === "string"
      ? yield* objects.get({ name: Resource.topics.name }, broadcast["topic_id"])
      : undefined
    const suppressed = new Set((yield* objects.all(suppressions)).map(({ email }) => String(email).toLowerCase()))
    return (yield* objects.all(segment))
      .filter((contact) => contact["unsubscribed"] !== true)
      .filter((contact) => topic === undefined || Contacts.subscription(contact, topic) === "opt_in")
      .map(({ email, id }) => ({
        id: crypto.randomUUID(),
        contact_id: id,
        email,
        count: 1,
        type: suppressed.has(String(email).toLowerCase()) ? "suppressed" : "delivered"
      }))
  })

const draft: Fields = { status: "draft", scheduled_at: null, sent_at: null, due: undefined }

export const life: Partial<Life> = {
  born: () => ({
    name: "Untitled",
    ...draft,
    audience_id: null,
    html: null,
    text: null,
    reply_to: null,
    preview_text: null,
    topic_id: null
  }),
  admit: ({ now, objects }, { reply_to, send, ...changed }, before) =>
    Effect.gen(function*() {
      const after = { ...changed, reply_to: texts(reply_to) }
      if (before !== undefined && before["status"] !== "draft") {
        return yield* refuse("Only a broadcast that is a draft can be changed.")
      }
      yield* check(objects, { name: Resource.segments.name }, changed["segment_id"], "Audience")
      yield* check(objects, { name: Resource.topics.name }, changed["topic_id"], "Topic")
      return send === true ? yield* launch(after, changed["scheduled_at"] ?? undefined, now) : after
    }),
  mayRemove: ({ status }) =>
    status === "queued" || status === "sent"
      ? refuse(`A broadcast that is ${status} cannot be removed.`)
      : Effect.void,
  copied: () => draft,
  actions: {
    send: (call) =>
      Effect.gen(function*() {
        const { fields, list, now, objects } = call
        const broadcast = yield* broadcastOf(call)
        if (broadcast["status"] !== "draft") return yield* refuse("Only a broadcast that is a draft can be sent.")
        if (typeof broadcast["segment_id"] !== "string") return yield* refuse("The broadcast has no segment.")
        yield* check(objects, { name: Resource.segments.name }, broadcast["segment_id"], "Audience")
        yield* objects.put(list, yield* launch(broadcast, fields["scheduled_at"], now))
        return { id: broadcast["id"] }
      }),
    cancel: (call) =>
      Effect.gen(function*() {
        const broadcast = yield* broadcastOf(call)
        const { status } = broadcast
        if (status !== "queued" && status !== "scheduled") {
          return yield* refuse("Only a broadcast that is queued or scheduled can be canceled.")
        }
        yield* call.objects.put(call.list, {
          ...broadcast,
          ...draft,
          ...status === "queued" ? { status: "canceled" } : {}
        })
        return { id: broadcast["id"] }
      })
  },
  mature: (objects, broadcast, now) =>
    Effect.gen(function*() {
      const { due, id } = broadcast
      yield* objects.add(
        { name: Resource.broadcastRecipients.name, within: String(id) },
        yield* recipientsOf(objects, broadcast)
      )
      return { changes: { status: "sent", sent_at: Moment.format(typeof due === "number" && due > 0 ? due : now) } }
    })
}
