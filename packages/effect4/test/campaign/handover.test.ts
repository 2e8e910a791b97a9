/** A campaign that is begun by one line, interrupted, and continued by the other. */
import type { Behaviour } from "@mailstream/testing/SendingService"
import { Effect, Schedule } from "effect"
import { FastCheck as fc } from "effect3"
import { assert, describe } from "vitest"
import { fromEffect3, scoped } from "../support/service.ts"
import { databases, emailTo, line3, line4, type Outcome, people, type Place, service } from "./support.ts"

const isSlow = process.env["MAILSTREAM_SLOW_TESTS"] === "1"

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

/** One run: what the service does with its requests, after how many of them it is interrupted, and whether a day passes after it. */
const run = fc.record({
  behaviours: fc.array(behaviour, { minLength: 1, maxLength: 8 }),
  stoppedAfter: fc.integer({ min: 1, max: 8 }),
  isDayLater: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 3 })
})

const all = people(23)
const isRefused = (address: unknown) => address === "person-7@example.com"
const message = (person: (typeof all)[number]) => person.id === "person-5" ? { skip: "asked for it" } : emailTo(person)

const refusing = ({ emails }: { readonly emails: ReadonlyArray<{ readonly to: unknown }> }): Behaviour =>
  emails.some(({ to }) => isRefused(to)) ? { statusCode: 422, name: "validation_error" } : "accept"

const lines = [line3, line4]

describe.each(databases)(
  "a campaign on %s that either line continues, however often it is interrupted",
  (name, make) => {
    scoped("writes to nobody twice, and to everybody in the end", () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(run, { minLength: 1, maxLength: 5 }),
            fc.integer({ min: 0, max: 1 }),
            (runs, first) =>
              Effect.runPromise(Effect.scoped(Effect.gen(function*() {
                const server = yield* service
                const place: Place = { baseUrl: server.baseUrl, database: yield* make }
                let days = 0
                const ended: Array<Promise<unknown>> = []
                const options = () => ({ people: all, message, lease: 50, ahead: days * 25 * 3_600_000 })
                for (const [turn, { behaviours, concurrency, isDayLater, stoppedAfter }] of runs.entries()) {
                  const before = server.requests.length
                  server.behave = (request) => {
                    const behaviour = behaviours[request.index - before] ?? "accept"
                    return typeof behaviour === "string" && refusing(request) !== "accept"
                      ? refusing(request)
                      : behaviour
                  }
                  const line = lines[(first + turn) % 2]!
                  const killer = new AbortController()
                  const running = Promise.allSettled([
                    line.run(place, { ...options(), concurrency, retries: 2 }, killer.signal)
                  ])
                  ended.push(running)
                  yield* Effect.raceFirst(
                    Effect.promise(() => running),
                    Effect.repeat(Effect.sleep("2 millis"), {
                      until: () => Effect.succeed(server.requests.length - before >= stoppedAfter)
                    })
                  )
                  killer.abort()
                  // Until then, the next line begins while this one ends.
                  if (isDayLater) {
                    yield* Effect.promise(() => Promise.all(ended))
                    yield* fromEffect3(server.arrived)
                    days++
                    server.forgetKeys()
                  }
                }
                server.behave = refusing
                const last = lines[(first + runs.length) % 2]!
                const end = (outcome: Outcome) => "counts" in outcome
                // The one that was interrupted may hold the campaign for a moment.
                const outcome = yield* Effect.repeat(
                  Effect.promise(() => last.run(place, { ...options(), retries: 20 })),
                  {
                    until: (outcome) => Effect.succeed(end(outcome)),
                    schedule: Schedule.spaced("50 millis"),
                    times: 40
                  }
                )
                assert.deepInclude(outcome, { isEnded: true })
                const { counts } = outcome as { readonly counts: { readonly [state: string]: number } }
                assert.deepInclude(counts, { skipped: 1, planned: 0, undecided: 0 })
                assert.strictEqual(counts["accepted"]! + counts["rejected"]!, 22)
                const addresses = server.addresses()
                assert.strictEqual(new Set(addresses).size, addresses.length, "somebody was written to twice")
                // Both lines read the same of everybody.
                const [three, four] = yield* Effect.promise(() =>
                  Promise.all(lines.map((line) => line.recipients(place)))
                )
                assert.deepStrictEqual(JSON.stringify(four), JSON.stringify(three))
                for (const row of four as ReadonlyArray<{ [field: string]: unknown }>) {
                  const email = server.accepted.find(({ email }) => email.to === row["address"])
                  assert.strictEqual(row["state"] === "accepted" ? row["emailId"] : undefined, email?.id)
                }
              })))
          ),
          { numRuns: (name === "SQLite" ? 4 : 3) * (isSlow ? 15 : 1) }
        )
      ), isSlow ? 1_800_000 : 240_000)
  }
)
