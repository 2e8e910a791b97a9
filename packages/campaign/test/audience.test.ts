import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import { Page, type PageRequest } from "@mailstream/core"
import { Walk } from "@mailstream/stream"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { emailTo, newsTo, people, type Person, setups } from "./support/people.ts"

/** A list whose requests are counted. */
const listOf = (all: Array<Person>) => {
  const requests: Array<PageRequest.PageRequest> = []
  const source: Walk.Source<Person> = {
    name: "people",
    page: (request) => {
      requests.push(request)
      return Page.fromItems(all, request)
    }
  }
  return { requests, source }
}

describe.each(setups)("the audience of a campaign, on %s", (_, setup) => {
  it.scopedLive("is not read from its start again by a run that continues", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const { requests, source } = listOf([...people(40)])
      const campaign = Campaign.make("news", {
        audience: (from) => Walk.pages(source, { from, pageSize: 5 }),
        message: emailTo
      })
      service.behave = ({ index }) => index === 4 ? { statusCode: 403, name: "invalid_permission" } : "accept"
      yield* Effect.flip(run(campaign, { concurrency: 1 }))
      requests.length = 0
      assert.deepInclude(yield* run(campaign), { accepted: 40 })
      assert.isBelow(requests.length, 6)
      assert.strictEqual(new Set(service.addresses()).size, service.addresses().length)
    }))

  it.scopedLive("is read again if all that its position knows was deleted", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const all = [...people(40)]
      const { source } = listOf(all)
      const campaign = Campaign.make("news", {
        audience: (from) => Walk.pages(source, { from, pageSize: 5 }),
        message: emailTo
      })
      service.behave = ({ index }) => index === 4 ? { statusCode: 403, name: "invalid_permission" } : "accept"
      yield* Effect.flip(run(campaign, { concurrency: 1 }))
      const left = all.splice(0, 30)
      assert.strictEqual(left.length, 30)
      yield* run(campaign)
      for (const { email } of all) assert.include(service.addresses(), email)
      assert.strictEqual(new Set(service.addresses()).size, service.addresses().length)
    }))

  it.scopedLive("may return somebody twice", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const all = people(9)
      assert.deepInclude(yield* run(newsTo([...all, ...all, ...all])), { accepted: 9 })
      assert.strictEqual(service.accepted.length, 9)
    }))

  it.scopedLive("may have somebody twice, and the first one counts, wherever the other one is", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const [ada = { id: "", email: "" }, bob] = people(2)
      yield* run(newsTo([ada, { ...ada, email: "other@example.com" }, bob ?? ada]))
      yield* run(newsTo([{ ...ada, email: "another@example.com" }]), { again: true })
      assert.deepStrictEqual([...service.addresses()].sort(), people(2).map(({ email }) => email).sort())
    }))

  it.scopedLive("may be another one until somebody in it has been dealt with", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const to = (scope: string, all: ReadonlyArray<Person>, message = emailTo) =>
        Campaign.make("news", { audience: Stream.fromIterable(all), message, scope, once: "address" })
      assert.deepInclude(yield* run(newsTo([])), { accepted: 0 })
      const broken = Effect.fail("broken" as const)
      const failing = Campaign.make("news", { audience: Stream.fromIterable(people(2)), message: () => broken })
      assert.strictEqual(yield* Effect.flip(run(failing, { again: true })), "broken")
      assert.deepInclude(yield* run(to("nobody", [])), { accepted: 0 })
      assert.deepInclude(yield* run(to("readers", people(3))), { accepted: 3 })
      const error = yield* Effect.flip(run(to("customers", people(4)), { again: true }))
      assert(error._tag === "CampaignMismatch" && error.reason === "Scope", String(error))
      assert.strictEqual(service.addresses().length, 3)
    }))

  it.scopedLive("is not walked through again when it has ended, unless that is asked for", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      yield* run(newsTo(people(5)))
      assert.deepInclude(yield* run(newsTo(people(8))), { accepted: 5 })
      assert.deepInclude(yield* run(newsTo(people(8)), { again: true }), { accepted: 8 })
      assert.strictEqual(service.accepted.length, 8)
    }))

  it.scopedLive("is walked through again to its end, even if that was interrupted", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      yield* run(newsTo(people(5)))
      service.behave = ({ index }) => index === 2 ? { statusCode: 403, name: "invalid_permission" } : "accept"
      yield* Effect.flip(run(newsTo(people(30)), { again: true, concurrency: 1 }))
      assert.deepInclude(yield* run(newsTo(people(30))), { accepted: 30 })
      assert.strictEqual(new Set(service.addresses()).size, 30)
    }))

  it.scopedLive("may be written to with an object that is used again", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const email = { from: "ada@example.com", to: "", subject: "News", text: "Hello!" }
      yield* run(newsTo(people(12), (person) => Object.assign(email, { to: person.email })))
      assert.deepStrictEqual([...service.addresses()].sort(), people(12).map(({ email }) => email).sort())
    }))

  it.scopedLive("has one email for each contact, or one for each address", () =>
    Effect.gen(function*() {
      const { run, service, states } = yield* setup
      const twins: ReadonlyArray<Person> = [
        { id: "a", email: "ada@example.com" },
        { id: "b", email: "Ada@Example.com" },
        { id: "c", email: "bob@example.com" }
      ]
      assert.deepInclude(
        yield* run(Campaign.make("each", { audience: Stream.fromIterable(twins), message: emailTo })),
        {
          accepted: 3
        }
      )
      const once = Campaign.make("news", { audience: Stream.fromIterable(twins), message: emailTo, once: "address" })
      assert.deepInclude(yield* run(once, { batchSize: 1 }), { accepted: 2, skipped: 1 })
      assert.strictEqual(service.accepted.length, 5)
      assert.deepStrictEqual((yield* states({ state: "skipped" })).map(({ id, reason }) => [id, reason]), [
        ["b", "same address as a"]
      ])
      const both = Campaign.make("both", {
        audience: Stream.fromIterable(twins),
        message: (person) => ({ ...emailTo(person), to: [person.email, "eve@example.com"] }),
        once: "address"
      })
      assert.deepInclude(yield* run(both), { accepted: 0, rejected: 3 })
      const error = yield* Effect.flip(run(newsTo(twins)))
      assert(error._tag === "CampaignMismatch", String(error))
      assert.deepInclude(error, { reason: "Once", begunWith: "address" })
      assert.include(error.message, "was begun with once: \"address\"")
    }))

  it.scopedLive("with one address is rejected together, and forgotten together", () =>
    Effect.gen(function*() {
      const { database, run, service, states } = yield* setup
      const twins = ["b", "a", "c"].map((id): Person => ({
        id,
        email: id === "c" ? "c@example.com" : "same@example.com"
      }))
      const news = (all: ReadonlyArray<Person>) =>
        Campaign.make("news", { audience: Stream.fromIterable(all), message: emailTo, once: "address" })
      const forget = (state: "rejected" | "planned") => Effect.provide(Campaign.forget("news", state), database)
      service.rejects = ({ to }) => to === "same@example.com"
      assert.deepInclude(yield* run(news(twins)), { accepted: 1, rejected: 2, skipped: 0 })
      assert.deepStrictEqual(
        (yield* states({ state: "rejected" })).map(({ id, reason }) => [id, reason?.slice(-30)]),
        [["a", "same address as b, who was rejected".slice(-30)], ["b", "The address is not allowed."]]
      )
      service.rejects = () => false
      assert.strictEqual(yield* forget("rejected"), 2)
      // One who is planned leaves the list before the quota lasts again.
      service.behave = () => ({ statusCode: 429, name: "daily_quota_exceeded" })
      assert.deepInclude(yield* Effect.flip(run(news(twins))), { _tag: "CampaignPaused", reason: "Quota" })
      assert.strictEqual(yield* forget("planned"), 2)
      service.behave = () => "accept"
      assert.deepInclude(yield* run(news(twins.slice(1))), { accepted: 2, rejected: 0, skipped: 0, planned: 0 })
      assert.deepStrictEqual([...service.addresses()].sort(), ["c@example.com", "same@example.com"])
      const copies = Campaign.make("copies", {
        audience: Stream.fromIterable(people(2)),
        message: (person) => ({ ...emailTo(person), cc: "boss@example.com" }),
        once: "address"
      })
      assert.deepInclude(yield* run(copies), { accepted: 0, rejected: 2 })
    }))

  it.scopedLive("gets emails with attachments one by one", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      const campaign = newsTo(people(7), (person) =>
        Number(person.id.at(-1)) % 3 === 0
          ? { ...emailTo(person), attachments: [{ filename: "a.txt", content: "aGVsbG8=" }] }
          : emailTo(person))
      assert.deepInclude(yield* run(campaign), { accepted: 7, planned: 0 })
      assert.strictEqual(service.requests.filter(({ path }) => path === "/emails").length, 3)
    }))

  it.scopedLive("keeps its own tags", () =>
    Effect.gen(function*() {
      const { run, service, states } = yield* setup
      const tagged = (name: string, count = 1) =>
        Array.from({ length: count }, (_, index) => ({ name: `${name}${index || ""}`, value: "x" }))
      const tags = [tagged("mine"), tagged("mailstream"), tagged("many", 74), tagged("more", 75)]
      const campaign = newsTo(people(4), (person) => ({ ...emailTo(person), tags: tags[Number(person.id.at(-1))] }))
      assert.deepInclude(yield* run(campaign), { accepted: 2, rejected: 2 })
      assert.deepStrictEqual(service.accepted.map(({ email }) => email.tags?.length), [2, 75])
      assert.match(service.accepted[0]!.email.tags![1]!.value, /^news_[0-9a-f]{24}_0$/)
      assert.deepStrictEqual((yield* states({ state: "rejected" })).map(({ reason }) => reason), [
        "The tag `mailstream` is that of the campaign itself: use another name.",
        "An email of a campaign has at most 74 tags: one more is that of the campaign itself."
      ])
    }))

  it.scopedLive("must have ids that can be stored", () =>
    Effect.gen(function*() {
      const { run, service } = yield* setup
      for (const id of ["", "a\0b", "\ud800", "x".repeat(501)]) {
        const error = yield* Effect.flip(run(newsTo([{ id, email: "a@example.com" }])))
        assert(error._tag === "InvalidOption", String(error))
        assert.strictEqual(error.option, "audience")
      }
      assert.strictEqual(service.requests.length, 0)
    }))
})

describe.each(setups)("a campaign on %s", (_, setup) => {
  it.scopedLive("is run by one at a time", () =>
    Effect.gen(function*() {
      const { database, run, service } = yield* setup
      const isThere = yield* Deferred.make<void>()
      service.behave = ({ index }) => {
        if (index > 0) return "accept"
        Effect.runSync(Deferred.succeed(isThere, undefined))
        return "hang"
      }
      const news = newsTo(people(10))
      const first = yield* Effect.fork(run(news, { concurrency: 1, retry: undefined, lease: "2 seconds" }))
      yield* Deferred.await(isThere)
      assert.isTrue(yield* Effect.provide(Campaign.isAlive("news"), database))
      // The one that waits is in more of a hurry than the one that runs.
      const error = yield* Effect.flip(run(news, { lease: "50 millis" }))
      assert(error._tag === "CampaignBusy", String(error))
      assert.deepInclude(yield* Fiber.join(first), { accepted: 10 })
      assert.isFalse(yield* Effect.provide(Campaign.isAlive("news"), database))
      // As if it had been killed before it ended: its owner does not release it.
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql`UPDATE mailstream_campaigns SET owner = 'killed', lease = 200, ended_at = NULL`).pipe(
          Effect.provide(database)
        )
      assert.isTrue((yield* Effect.provide(Campaign.status("news"), database)).isRunning)
      assert.isFalse(yield* Effect.provide(Campaign.isAlive("news"), database))
      assert.strictEqual(service.accepted.length, 10)
    }))

  it.scopedLive("is not run within a transaction", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      const error = yield* Effect.flip(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.withTransaction(Effect.provide(Campaign.run(newsTo(people(3))), service.client))).pipe(
            Effect.provide(database)
          )
      )
      assert(error._tag === "InvalidOption", String(error))
      assert.strictEqual(service.requests.length, 0)
    }))

  it.scopedLive("leaves nothing behind that needs a deadline if it certainly was not sent", () =>
    Effect.gen(function*() {
      const { database, run, service } = yield* setup
      service.behave = () => ({ statusCode: 429, name: "rate_limit_exceeded", retryAfter: 60 })
      const fiber = yield* Effect.fork(run(newsTo(people(10)), { retry: undefined }))
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => service.requests.length >= 2 })
      yield* Effect.sleep("50 millis")
      yield* Fiber.interrupt(fiber)
      const open = yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT state, first_attempt_at AS at FROM mailstream_units`),
        database
      )
      assert.deepStrictEqual(open, [{ state: "planned", at: null }, { state: "planned", at: null }])
    }))

  it.scopedLive("has a name that tags can have, and belongs to a service", () =>
    Effect.gen(function*() {
      const { database, run } = yield* setup
      for (const name of ["", "a b", "ä", "a.b", "x".repeat(101)]) {
        const error = yield* Effect.flip(run(Campaign.make(name, { audience: Stream.empty, message: emailTo })))
        assert(error._tag === "InvalidOption" && error.option === "name", String(error))
      }
      yield* run(newsTo(people(1)))
      const other = yield* (yield* setup).service.client.pipe((client) =>
        Effect.succeed(Campaign.run(newsTo(people(1))).pipe(Effect.provide(Layer.merge(client, database))))
      )
      const error = yield* Effect.flip(other)
      assert(error._tag === "CampaignMismatch" && error.reason === "Service", String(error))
      assert.match(error.message, /was begun at http.*, not at http/)
      const unknown = yield* Effect.flip(Effect.provide(Campaign.status("old"), database))
      assert.strictEqual(unknown.message, "There is no campaign \"old\" in this database. It has \"news\".")
      assert.deepStrictEqual((yield* Effect.provide(Campaign.list, database)).map(({ campaign }) => campaign), ["news"])
    }))
})
