import { assert, describe, it } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Effect, Layer, Redacted, Stream } from "effect"
import { type PaginationOptions, Resend } from "resend"

/** A client that knows nothing of this repository. */
const client = Effect.map(
  Server.TestServer,
  ({ apiKey, baseUrl }) => new Resend(Redacted.value(apiKey), { baseUrl })
)

const email =
  SampleData.receivedEmail(Array.from({ length: 30 }, (_, n) => n).find((n) => SampleData.attachments(n).length === 3)!)
    .id
const segmentId = SampleData.segment(0).id

const samples = Layer.orDie(Layer.provideMerge(
  SampleData.layer({
    domains: 12,
    apiKeys: 12,
    broadcasts: 12,
    segments: 3,
    contacts: 120,
    receivedEmails: 30,
    emails: 45,
    templates: 12,
    topics: 12
  }),
  Store.layerMemory
))

interface Response {
  readonly data: { readonly has_more?: boolean; readonly data: ReadonlyArray<{ readonly id: string }> } | null
  readonly error: unknown
}

const lists: ReadonlyArray<
  readonly [
    name: string,
    within: string | undefined,
    list: (resend: Resend, page: PaginationOptions) => Promise<Response>
  ]
> = [
  ["domains", undefined, (resend, page) => resend.domains.list(page)],
  ["api-keys", undefined, (resend, page) => resend.apiKeys.list(page)],
  ["broadcasts", undefined, (resend, page) => resend.broadcasts.list(page)],
  ["segments", undefined, (resend, page) => resend.segments.list(page)],
  ["contacts", undefined, (resend, page) => resend.contacts.list(page)],
  ["contacts", segmentId, (resend, page) => resend.contacts.list({ ...page, segmentId })],
  ["received-emails", undefined, (resend, page) => resend.emails.receiving.list(page)],
  [
    "received-email-attachments",
    email,
    (resend, page) => resend.emails.receiving.attachments.list({ ...page, emailId: email })
  ],
  ["emails", undefined, (resend, page) => resend.emails.list(page)],
  ["templates", undefined, (resend, page) => resend.templates.list(page)],
  ["topics", undefined, (resend, page) => resend.topics.list(page as never)]
]

describe("the `resend` SDK", () => {
  it.scopedLive.each(lists)(
    "walks through %s %s, forward and backward",
    ([name, within, list]) =>
      Effect.gen(function*() {
        const resend = yield* client
        const store = yield* Store
        const ask = (request: PaginationOptions) =>
          Effect.map(Effect.promise(() => list(resend, request)), ({ data, error }) => {
            assert.isNull(error)
            assert(data !== null)
            return { ids: data.data.map(({ id }) => id), has_more: data.has_more }
          })
        const all = yield* Effect.flatMap(store.all({ name, within }, {}), Stream.runCollect)
        const expected = Array.from(all, (json): string => JSON.parse(json).id)
        assert.isAbove(expected.length, 2)

        const there: Array<string> = []
        let page = yield* ask({ limit: 5 })
        there.push(...page.ids)
        while (page.has_more === true) {
          page = yield* ask({ limit: 5, after: there.at(-1)! })
          there.push(...page.ids)
        }
        // This call of the SDK has no pagination parameters.
        if (name === "topics") return assert.deepStrictEqual(there, expected.slice(0, 20))
        assert.deepStrictEqual(there, expected)

        const back: Array<string> = []
        page = yield* ask({ limit: 5, before: expected.at(-1)! })
        back.unshift(...page.ids)
        while (page.has_more === true) {
          page = yield* ask({ limit: 5, before: back[0]! })
          back.unshift(...page.ids)
        }
        assert.deepStrictEqual(back, expected.slice(0, -1))
      }).pipe(Effect.provide(Server.layerTest({ store: samples })))
  )

  it.scopedLive("creates a topic and lists it", () =>
    Effect.gen(function*() {
      const resend = yield* client
      const { data, error } = yield* Effect.promise(() =>
        resend.topics.create({ name: "News", description: "All of it", defaultSubscription: "opt_in" })
      )
      assert.isNull(error)
      const listed = yield* Effect.promise(() => resend.topics.list())
      assert.strictEqual(listed.data?.data[0]?.id, data?.id)
      const store = yield* Store
      const { items } = yield* store.page({ name: Resource.topics.name }, { limit: 1 })
      assert.include(JSON.parse(items[0]!), { name: "News", description: "All of it", default_subscription: "opt_in" })
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("understands the errors", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Server.TestServer
      const resend = yield* client
      const tooMany = yield* Effect.promise(() => resend.contacts.list({ limit: 101 }))
      assert.include(tooMany.error, { name: "validation_error", statusCode: 422 })
      const stranger = new Resend("re_stranger", { baseUrl })
      const rejected = yield* Effect.promise(() => stranger.contacts.list())
      assert.include(rejected.error, { name: "invalid_api_key", statusCode: 403 })
    }).pipe(Effect.provide(Server.layerTest())))
})
