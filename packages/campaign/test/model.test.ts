import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import { RetryPolicy } from "@mailstream/http"
import * as WallClock from "@mailstream/testing/WallClock"
import { Effect, FastCheck as fc, Fiber, Schedule, Stream } from "effect"
import { emailTo, people, type Setup, setups } from "./support/people.ts"
import type { Behaviour } from "./support/service.ts"

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Behaviour>("accept") },
  { weight: 2, arbitrary: fc.constant<Behaviour>("lose") },
  { weight: 2, arbitrary: fc.constant<Behaviour>("drop") },
  { weight: 1, arbitrary: fc.constant<Behaviour>("hang") },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Behaviour>(
      { statusCode: 500, name: "internal_server_error" },
      { statusCode: 503, name: "service_unavailable" },
      { statusCode: 409, name: "concurrent_idempotent_requests" },
      { statusCode: 429, name: "rate_limit_exceeded", retryAfter: 0 },
      { statusCode: 429, name: "daily_quota_exceeded" },
      { statusCode: 403, name: "invalid_permission" },
      { statusCode: 422, name: "validation_error" }
    )
  }
)

/** One run: what the service does with its requests, after how many of them it is killed, and whether a day passes after it. */
const run = fc.record({
  behaviours: fc.array(behaviour, { minLength: 1, maxLength: 8 }),
  killedAfter: fc.integer({ min: 1, max: 8 }),
  isDayLater: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 3 })
})

const all = people(23)
const isRefused = (address: unknown) => address === "person-7@example.com"

const campaign = Campaign.make("news", {
  audience: Stream.rechunk(Stream.fromIterable(all), 4),
  message: (person) => person.id === "person-5" ? Campaign.skip("asked for it") : emailTo(person)
})

/** The state of everybody, and the counts, are what the service says. */
const judge = ({ database, service, states }: Setup) =>
  Effect.gen(function*() {
    const addresses = service.addresses()
    assert.strictEqual(new Set(addresses).size, addresses.length, "somebody was written to twice")
    const rows = yield* states()
    for (const { address, emailId, state } of rows) {
      const email = service.accepted.find(({ email }) => email.to === address)
      if (state === "accepted") assert.strictEqual(emailId, email?.id)
      if (state === "rejected" || state === "skipped") assert.isUndefined(email)
    }
    const status = yield* Effect.provide(Campaign.status("news"), database)
    for (const state of ["planned", "accepted", "rejected", "skipped", "undecided"] as const) {
      assert.strictEqual(status[state], rows.filter((row) => row.state === state).length, state)
    }
    return status
  })

describe.each(setups)("a campaign that is killed again and again, on %s", (name, setup) => {
  it.scopedLive(
    "writes to nobody twice, and to everybody in the end",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), (runs) =>
            Effect.runPromise(Effect.scoped(Effect.gen(function*() {
              const made = yield* setup
              const { database, run, service } = made
              const { clock, shift } = yield* WallClock.make
              let days = 0
              for (const { behaviours, concurrency, isDayLater, killedAfter } of runs) {
                const before = service.requests.length
                service.behave = ({ emails, index }) => {
                  const behaviour = behaviours[index - before] ?? "accept"
                  return typeof behaviour === "string" && emails.some(({ to }) => isRefused(to))
                    ? { statusCode: 422, name: "validation_error" }
                    : behaviour
                }
                const fiber = yield* run(campaign, {
                  concurrency,
                  lease: "50 millis",
                  retry: Schedule.recurs(2).pipe(RetryPolicy.withRetryAfter("1 second"))
                }).pipe(Effect.withClock(clock), Effect.fork)
                yield* Effect.raceFirst(
                  Fiber.await(fiber),
                  Effect.repeat(Effect.sleep("2 millis"), {
                    until: () =>
                      service.requests.length - before >= killedAfter
                  })
                )
                yield* Fiber.interrupt(fiber)
                if (isDayLater) {
                  yield* service.arrived
                  shift(25 * 3_600_000 * ++days, "forward")
                  service.forgetKeys()
                }
                yield* Effect.when(judge(made), () => before > 0)
              }
              service.behave = ({ emails }) =>
                emails.some(({ to }) => isRefused(to)) ? { statusCode: 422, name: "validation_error" } : "accept"
              yield* Effect.withClock(run(campaign, { lease: "50 millis", retry: Schedule.recurs(20) }), clock)
              const status = yield* judge(made)
              assert.deepInclude(status, { skipped: 1, planned: 0, undecided: 0 })
              assert.strictEqual(status.accepted + status.rejected, 22)
              const bodies = yield* Effect.provide(
                Effect.flatMap(SqlClient.SqlClient, (sql) =>
                  sql`SELECT unit FROM mailstream_units WHERE body IS NOT NULL`),
                database
              )
              assert.strictEqual(bodies.length, 0)
            })))),
          { numRuns: name === "SQLite" ? 15 : 5 }
        )
      ),
    180_000
  )
})
