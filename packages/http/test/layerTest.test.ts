import { assert, describe, it } from "@effect/vitest"
import {
  BroadcastId,
  ContactId,
  NotFound,
  Operations,
  ReceivedEmailId,
  Resource,
  SegmentId,
  TopicId
} from "@mailstream/core"
import {
  ApiKeys,
  Broadcasts,
  Contacts,
  Emails,
  Mailstream,
  ReceivedEmailAttachments,
  Segments,
  Templates,
  Topics
} from "@mailstream/http"
import { Arbitrary, Cause, Effect, Exit, FastCheck, Layer } from "effect"
import { samples } from "./support/samples.ts"

const contacts = samples(Resource.contacts)
const vips = SegmentId.make("vips")

describe("test layers", () => {
  it.effect("follow the API's paging rules", () =>
    Effect.gen(function*() {
      const { list } = yield* Contacts
      assert.deepStrictEqual(yield* list(), { object: "list", has_more: false, data: contacts })
      const first = yield* list({ limit: 2 })
      assert.deepStrictEqual(first, { object: "list", has_more: true, data: contacts.slice(0, 2) })
      const second = yield* list({ limit: 2, after: first.data[1]!.id })
      assert.deepStrictEqual(second.data, contacts.slice(2, 4))
      assert.strictEqual((yield* Effect.flip(list({ limit: 0 })))._tag, "validation_error")
      const gone = ContactId.make("00000000-0000-0000-0000-000000000000")
      assert.instanceOf(yield* Effect.flip(list({ after: gone })), NotFound)
    }).pipe(Effect.provide(Contacts.layerTest(contacts))))

  it.effect("can be replaced by single operations, with `Layer.mock`", () =>
    Effect.gen(function*() {
      const { get, update } = yield* Contacts
      const { id } = contacts[0]!
      assert.deepStrictEqual(yield* update({ email: "ada@example.com" }, { last_name: "Lovelace" }), { id })
      const exit = yield* Effect.exit(Effect.suspend(() => get(id)))
      assert(Exit.isFailure(exit))
      assert.isTrue(Cause.isDie(exit.cause))
    }).pipe(Effect.provide(Layer.mock(Contacts, {
      update: (contact, { last_name }) =>
        Effect.sync(() => {
          assert.deepStrictEqual([contact, last_name], [{ email: "ada@example.com" }, "Lovelace"])
          return { id: contacts[0]!.id }
        })
    }))))

  it.effect("return 20 items if a list is always paginated", () =>
    Effect.gen(function*() {
      const emails = yield* Emails
      const page = yield* emails.list()
      assert.deepStrictEqual([page.data.length, page.has_more], [20, true])
    }).pipe(Effect.provide(Emails.layerTest(samples(Resource.emails, 25)))))

  it.effect("apply the filter", () =>
    Effect.gen(function*() {
      const { list } = yield* Contacts
      assert.deepStrictEqual((yield* list({ filter: { segment_id: vips } })).data, contacts.slice(0, 1))
      assert.deepStrictEqual((yield* list()).data, contacts)
      const attachments = yield* ReceivedEmailAttachments
      assert.deepStrictEqual((yield* attachments.list({ filter: { email_id: ReceivedEmailId.make("e") } })).data, [])
    }).pipe(
      Effect.provide(
        Mailstream.layerTest({ contacts: (filter) => filter?.segment_id === vips ? contacts.slice(0, 1) : contacts })
      )
    ))

  const createTwo = Effect.gen(function*() {
    const topics = yield* Topics
    const one = yield* topics.create({ name: "One", default_subscription: "opt_in" })
    const two = yield* topics.create({ name: "Two" })
    const { data } = yield* topics.list()
    return { one, two, data }
  })

  it.effect("list created topics, newest first, and start over each time they are built", () =>
    Effect.gen(function*() {
      const layer = Topics.layerTest([])
      const { data, one, two } = yield* Effect.provide(createTwo, Layer.fresh(layer))
      assert.deepStrictEqual(data.map(({ id, name }) => [id, name]), [[two.id, "Two"], [one.id, "One"]])
      assert.notStrictEqual(one.id, two.id)
      assert.strictEqual((yield* Effect.provide(createTwo, Layer.fresh(layer))).data.length, 2)
      const error = yield* Effect.flatMap(Topics, (topics) => topics.create({ name: "x".repeat(51) })).pipe(
        Effect.flip,
        Effect.provide(layer)
      )
      assert.strictEqual(error._tag, "validation_error")
    }))

  it.effect("are empty by default", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      assert.deepStrictEqual((yield* keys.list()).data, [])
    }).pipe(Effect.provide(Mailstream.layerTest())))

  it.effect("keep all fields of what is created or changed, and list those that lists have", () =>
    Effect.gen(function*() {
      const contacts = yield* Contacts
      const { id } = yield* contacts.create({ email: "ada@example.com", first_name: undefined, segments: [] })
      yield* contacts.update(id, { last_name: "Lovelace" })
      assert.deepInclude(yield* contacts.get({ email: "ada@example.com" }), { first_name: null, last_name: "Lovelace" })

      const templates = yield* Templates
      const welcome = { name: "Welcome", html: "<p>Hi</p>", subject: "Hi", reply_to: ["a@b.c"] }
      const template = yield* templates.create({ ...welcome, alias: "welcome" })
      assert.deepInclude(yield* templates.get({ alias: "welcome" }), welcome)
      assert.strictEqual((yield* templates.get({ alias: "welcome" })).id, template.id)
      assert.notProperty((yield* templates.list()).data[0], "html")
    }).pipe(Effect.provide(Mailstream.layerTest())))

  it.effect("remove contacts and segments that do not exist, as the API does, and nothing else", () =>
    Effect.gen(function*() {
      const [contacts, segments, topics] = yield* Effect.all([Contacts, Segments, Topics])
      const gone = "00000000-0000-4000-8000-000000000000"
      assert.deepInclude(yield* contacts.remove({ email: "a@b.c" }), { contact: "a@b.c", deleted: true })
      assert.deepInclude(yield* segments.remove(SegmentId.make(gone)), { id: gone, deleted: true })
      assert.strictEqual((yield* Effect.flip(topics.remove(TopicId.make(gone))))._tag, "not_found")
    }).pipe(Effect.provide(Mailstream.layerTest())))

  /** The message of the defect that an effect dies with. */
  const defect = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.exit(effect), (exit) => Exit.isFailure(exit) ? Cause.pretty(exit.cause).split("\n")[0] ?? "" : "")

  it.effect("do not simulate operations with consequences, and name them", () =>
    Effect.gen(function*() {
      const services = yield* Effect.context<Mailstream.Mailstream>()
      const named: Array<string> = []
      for (const { identifier, name } of Resource.all) {
        for (const operation of Object.values(Operations.all[name] ?? {})) {
          if (/^(get|create|update|remove)$/.test(operation.name)) continue
          const one = <A>(arbitrary: FastCheck.Arbitrary<A>) => FastCheck.sample(arbitrary, { numRuns: 1, seed: 1 })[0]!
          const methods = services.unsafeMap.get(`@mailstream/http/${identifier}`) as {
            readonly [name: string]: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>
          }
          const input = operation.payload === undefined ? [] : [one(Arbitrary.make(operation.payload))]
          const args = operation.params.map(() => "00000000-0000-4000-8000-000000000001")
          const message = yield* defect(methods[operation.name]!(...args, ...input))
          assert.include(
            message,
            `Not simulated by layerTest: ${identifier}.${operation.name}. Use Server.layerTest`
          )
          named.push(`${identifier}.${operation.name}`)
        }
      }
      assert.includeMembers(named, ["Contacts.join", "Broadcasts.send", "Suppressions.createMany", "Emails.cancel"])
    }).pipe(Effect.provide(Mailstream.layerTest())))

  it.effect("do not simulate the consequences of a creation", () =>
    Effect.gen(function*() {
      const [contacts, broadcasts] = yield* Effect.all([Contacts, Broadcasts])
      assert.include(
        yield* defect(contacts.create({ email: "a@b.c", segments: [{ id: vips }] })),
        "Not simulated by layerTest: Contacts.create with `segments`."
      )
      assert.include(
        yield* defect(contacts.create({ email: "a@b.c", properties: { plan: "pro" } })),
        "Not simulated by layerTest: Contacts.create with `properties`."
      )
      const draft = { segment_id: vips, from: "a@b.c", subject: "News", html: "<p>News</p>" }
      assert.include(
        yield* defect(broadcasts.create({ ...draft, send: true })),
        "Not simulated by layerTest: Broadcasts.create with `send`."
      )
      const { id } = yield* broadcasts.create({ ...draft, send: false })
      assert.deepInclude(yield* broadcasts.get(BroadcastId.make(id)), draft)
      assert.deepStrictEqual((yield* contacts.list()).data, [])
    }).pipe(Effect.provide(Mailstream.layerTest())))
})
