/** A dry run counts what a pass would change, without changing anything. */
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { Effect, Either } from "effect"
import { setup } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, uuid } from "./support/service.ts"

const lists: ReadonlyArray<Mirror.Name> = [
  "segments",
  "contacts",
  "received-emails",
  "segment-contacts",
  "received-email-attachments"
]

const results = (options: Mirror.SyncOptions) =>
  Effect.map(
    Mirror.sync({ ...options, lists, maxDeleted: 1 }),
    (reports) => reports.map(({ list, result }) => [list, Either.getOrThrow(result)])
  )

describe.each(databases)("a dry run on a copy in %s", (_, open) => {
  it.scopedLive(
    "counts what a pass finds, also what belongs to owners that are not copied",
    () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        const segments = [1, 2, 3].map((number) => ({ id: uuid(900 + number), name: `Segment ${number}` }))
        const emails = ["c", "b", "a"].map((id) => ({ id, subject: id }))
        const set = (from: number, to: number) => {
          const all = [5, 4, 3, 2, 1].map((number) => contact(number))
          service.lists.set("/contacts", all)
          service.lists.set("/segments", segments.slice(from, to))
          for (const { id } of segments) service.lists.set(`/segments/${id}/contacts`, all.slice(from, to + 2))
          service.lists.set("/emails/receiving", emails.slice(from, to))
          for (const { id } of emails) service.lists.set(`/emails/receiving/${id}/attachments`, [{ id: `file ${id}` }])
        }
        yield* Effect.gen(function*() {
          for (const [from, to] of [[0, 2], [0, 2], [1, 3], [0, 1], [2, 3], [0, 0], [0, 3]] as const) {
            set(from, to)
            const expected = yield* results({ dryRun: true })
            assert.deepStrictEqual(yield* results({ dryRun: true }), expected)
            assert.deepStrictEqual(yield* results({}), expected)
          }
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )
})
