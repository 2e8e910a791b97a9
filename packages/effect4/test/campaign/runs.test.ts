/** Runs that meet each other, end early, or are read about. */
import * as Campaign from "@mailstream/effect4/Campaign"
import * as Sqlite from "@mailstream/effect4/Sqlite"
import { Effect, Exit, Fiber, Layer, Option, Stream, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe } from "vitest"
import { decodeWebhookEvent } from "../../src/core/index.ts"
import { eventually } from "../http/support.ts"
import { scoped } from "../support/service.ts"
import { client4, database4, databases, emailTo, line3, line4, people, type Place, rowsOf, service } from "./support.ts"

const placeOf = (make: (typeof databases)[number][1]) =>
  Effect.gen(function*() {
    const server = yield* service
    const place: Place = { baseUrl: server.baseUrl, database: yield* make }
    return { server, place }
  })

const newsTo = (count: number, name = "news") =>
  Campaign.make(name, { audience: Stream.fromIterable(people(count)), message: emailTo })

describe.each(databases)("a campaign on %s", (_, make) => {
  for (const [one, other] of [[line3, line4], [line4, line3], [line4, line4]] as const) {
    scoped(
      `that ${one.name} is running is busy for ${other.name}, which continues it when that is interrupted`,
      () =>
        Effect.gen(function*() {
          const { place, server } = yield* placeOf(make)
          server.behave = ({ index }) => index < 2 ? "accept" : "hang"
          const running = yield* Effect.forkChild(
            Effect.exit(Effect.tryPromise((signal) => one.run(place, { people: people(30) }, signal)))
          )
          yield* eventually(() => server.requests.length > 3)
          const busy = yield* Effect.promise(() => other.run(place, { people: people(30) }))
          assert.deepInclude(busy, {
            error: {
              _tag: "CampaignBusy",
              campaign: "news",
              message:
                "The campaign \"news\" is being run by another process. Wait for it, or stop it: then, this one can continue."
            }
          })
          yield* Fiber.interrupt(running)
          server.behave = () => "accept"
          const outcome = yield* Effect.promise(() => other.run(place, { people: people(30), retries: 3, lease: 200 }))
          assert.deepStrictEqual(outcome, {
            counts: { accepted: 30, planned: 0, rejected: 0, skipped: 0, undecided: 0 },
            isEnded: true
          })
          assert.strictEqual(new Set(server.addresses()).size, 30)
          assert.strictEqual(server.addresses().length, 30)
        }),
      60_000
    )
  }

  scoped("sends nothing more once it has been interrupted, and lets go of it at once", () =>
    Effect.gen(function*() {
      const { place, server } = yield* placeOf(make)
      server.behave = ({ index }) => index < 2 ? "accept" : "hang"
      const running = yield* Effect.forkChild(
        Effect.exit(
          Campaign.run(newsTo(40), { batchSize: 5, lease: "30 seconds" }).pipe(
            Effect.provide(Layer.merge(client4(place), database4(place)))
          )
        )
      )
      yield* eventually(() => server.requests.length > 3)
      yield* Fiber.interrupt(running)
      const { length } = server.requests
      yield* Effect.sleep("100 millis")
      assert.strictEqual(server.requests.length, length)
      const { campaigns, units } = yield* rowsOf(place)
      assert.deepInclude(campaigns?.[0], { owner: null, accepted: 10 })
      // Only what may have been accepted needs a deadline.
      const states = units!.map(({ first_attempt_at, state }) => [state, first_attempt_at])
      assert.strictEqual(states.filter(([state]) => state === "attempting").length, 2, JSON.stringify(states))
      for (const [state, at] of states) if (state === "planned") assert.strictEqual(at, "none")
    }), 60_000)

  scoped("is not run within a transaction, under another name, or in another way", () =>
    Effect.gen(function*() {
      const { place, server } = yield* placeOf(make)
      const live = yield* Layer.build(Layer.merge(client4(place), database4(place)))
      const failure = <A, E>(
        effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof client4>> | SqlClient.SqlClient>
      ) => Effect.flip(Effect.provide(effect, live))
      const sql = yield* Effect.provide(SqlClient.SqlClient, live)
      const inside = yield* failure(sql.withTransaction(Campaign.run(newsTo(1))))
      assert.deepInclude(inside, { _tag: "InvalidOption", option: "run" })
      assert.deepInclude(yield* failure(Campaign.run(newsTo(1, "two words"))), {
        _tag: "InvalidOption",
        option: "name"
      })
      for (const option of [{ concurrency: 0 }, { batchSize: 101 }, { lease: "1 milli" }, { settle: -1 }] as const) {
        assert.deepInclude(yield* failure(Campaign.run(newsTo(1), option)), {
          _tag: "InvalidOption",
          option: String(Object.keys(option)[0])
        })
      }
      assert.strictEqual(server.requests.length, 0)
      yield* Effect.provide(Campaign.run(newsTo(3)), live)
      const other = yield* failure(Campaign.run(Campaign.make("news", { ...audience, once: "address" })))
      assert.deepInclude(other, { _tag: "CampaignMismatch", reason: "Once", begunWith: "contact" })
      const unknown = yield* failure(Campaign.status("old"))
      assert.deepInclude(unknown, { _tag: "UnknownCampaign", known: ["news"] })
      assert.strictEqual(
        unknown._tag === "UnknownCampaign" && unknown.message,
        "There is no campaign \"old\" in this database. It has \"news\"."
      )
    }), 60_000)

  scoped(
    "is listed with its people, of whom webhooks and the service say what became of them",
    () =>
      Effect.gen(function*() {
        const { place } = yield* placeOf(make)
        yield* Effect.gen(function*() {
          const status = yield* Campaign.run(newsTo(1200), { concurrency: 4 })
          assert.deepInclude(status, { campaign: "news", accepted: 1200, isRunning: false, paused: undefined })
          assert.deepStrictEqual(yield* Campaign.list, [yield* Campaign.status("news")])
          assert.isFalse(yield* Campaign.isAlive("news"))
          const all = yield* Stream.runCollect(Campaign.recipients("news"))
          assert.strictEqual(new Set(all.map(({ id }) => id)).size, 1200)
          assert.instanceOf(all[0]?.changedAt, Date)
          const email_id = all[0]?.emailId
          const event = (type: string, data: unknown) =>
            Effect.flatMap(
              Effect.fromResult(decodeWebhookEvent({ type, created_at: "2026-11-18T12:00:00.000Z", data })),
              Campaign.record
            )
          yield* Effect.forEach(
            ["delivered", "bounced", "sent", "opened"],
            (type) => event(`email.${type}`, { email_id }),
            {
              concurrency: 4
            }
          )
          assert.isFalse(yield* event("email.opened", { email_id: "other" }))
          assert.isFalse(yield* event("contact.created", { email_id }))
          const first = yield* Stream.runHead(Campaign.recipients("news"))
          assert.strictEqual(Option.getOrThrow(first).lastEvent, "bounced")
          assert.deepStrictEqual(yield* Campaign.deliveries("news"), { bounced: 1, unknown: 1199 })
          assert.strictEqual(yield* Stream.runCount(Campaign.recipients("news", { state: "rejected" })), 0)
        }).pipe(Effect.provide(Layer.merge(client4(place), database4(place))))
      }),
    120_000
  )

  scoped(
    "is alive while a process runs it, and paused by a quota, which can be waited for",
    () =>
      Effect.gen(function*() {
        const { place, server } = yield* placeOf(make)
        yield* Effect.gen(function*() {
          server.behave = ({ index }) =>
            index === 0 ? { statusCode: 429, name: "daily_quota_exceeded", retryAfter: 1 } : "accept"
          const running = yield* Effect.forkChild(Campaign.run(newsTo(5), { onPause: "wait", lease: "1 second" }))
          yield* eventually(() => server.requests.length > 0)
          yield* Effect.repeat(Campaign.status("news"), {
            until: ({ paused }) => Effect.succeed(paused !== undefined)
          })
          assert.isTrue(yield* Campaign.isAlive("news"))
          assert.deepInclude(yield* Fiber.join(running), { accepted: 5, paused: undefined, pausedUntil: undefined })
        }).pipe(Effect.provide(Layer.merge(client4(place), database4(place))))
      }),
    60_000
  )
})

const audience = { audience: Stream.fromIterable(people(3)), message: emailTo }

describe("the spans of a campaign", () => {
  scoped("have names and ids, and nothing of the people", () =>
    Effect.gen(function*() {
      const [[, make]] = databases as readonly [(typeof databases)[number]]
      const { place } = yield* placeOf(make)
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      yield* Campaign.run(newsTo(3)).pipe(
        Effect.withTracer(tracer),
        Effect.provide(Layer.merge(client4(place), database4(place)))
      )
      const run = spans.find(({ name }) => name === "Campaign.run")!
      assert.deepStrictEqual([...run.attributes], [["mailstream.campaign", "news"]])
      assert.isTrue(run.status._tag === "Ended" && Exit.isSuccess(run.status.exit))
      assert.include(spans.map(({ name }) => name), "Emails.sendBatch")
      for (const { attributes, name, status } of spans) {
        const { exit } = status as { readonly exit?: Exit.Exit<unknown, unknown> }
        const kept = JSON.stringify([
          [...attributes],
          name.startsWith("sql.") || name === "sqlite" ? null : exit ?? null
        ])
        assert.notInclude(kept, "person-1", name)
      }
    }), 30_000)
})

describe("a SQLite file", () => {
  scoped("whose tables a newer version has changed is refused", () =>
    Effect.gen(function*() {
      const [[, make]] = databases as readonly [(typeof databases)[number]]
      const { place } = yield* placeOf(make)
      yield* Effect.gen(function*() {
        assert.deepStrictEqual(yield* Campaign.list, [])
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO mailstream_campaign_migrations (migration_id, name) VALUES (2, 'later')`
        const error = yield* Effect.flip(Campaign.list)
        assert.deepInclude(error, { _tag: "MigrationError", kind: "BadState" })
        assert.include(error.message, "A newer version of Mailstream has changed the tables of this database")
      }).pipe(Effect.provide(Sqlite.layer({ filename: place.database })))
    }))
})
