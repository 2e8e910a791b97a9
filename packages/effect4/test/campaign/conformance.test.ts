/** The same campaigns on both lines: the same requests, rows, counts and errors. */
import type { Behaviour } from "@mailstream/testing/SendingService"
import { Effect } from "effect"
import { FastCheck as fc } from "effect3"
import { isDeepStrictEqual } from "node:util"
import { assert, describe } from "vitest"
import { scoped } from "../support/service.ts"
import {
  databases,
  type Email,
  emailTo,
  type Line,
  line3,
  line4,
  type Options,
  type Person,
  type Place,
  rowsOf,
  service,
  withoutKeys
} from "./support.ts"

const isSlow = process.env["MAILSTREAM_SLOW_TESTS"] === "1"

const day = 24 * 3_600_000

/** What somebody is like: that decides what is done with them. */
const kinds = ["plain", "skip", "invalid", "file", "bad", "tagged", "two", "twin"] as const

const person = fc.record({ kind: fc.constantFrom(...kinds, "plain", "plain"), number: fc.integer({ min: 0, max: 30 }) })
  .map(({ kind, number }): Person => ({
    id: `${kind}-${number}`,
    email: kind === "invalid" ? "nobody" : kind === "twin" ? "Twin <TWIN@example.com>" : `${kind}-${number}@example.com`
  }))

const kindOf = ({ id }: Person): string => id.split("-")[0]!

const message = (person: Person): Email | { readonly skip: string } => {
  switch (kindOf(person)) {
    case "skip":
      return { skip: "asked for it" }
    case "file":
      return { ...emailTo(person), attachments: [{ filename: "x", content: "AAAA" }] }
    case "tagged":
      return { ...emailTo(person), tags: [{ name: "mailstream", value: "mine" }] }
    case "two":
      return { ...emailTo(person), to: [person.email, "Ada@example.com"], tags: [{ name: "a", value: "b" }] }
    default:
      return emailTo(person)
  }
}

const behaviour = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Behaviour>("accept") },
  { weight: 2, arbitrary: fc.constantFrom<Behaviour>("lose", "drop") },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Behaviour>(
      { statusCode: 500, name: "internal_server_error" },
      { statusCode: 502, name: undefined },
      { statusCode: 403, name: undefined },
      { statusCode: 409, name: "concurrent_idempotent_requests" },
      { statusCode: 409, name: "invalid_idempotent_request" },
      { statusCode: 429, name: "rate_limit_exceeded", retryAfter: 0 },
      { statusCode: 429, name: "daily_quota_exceeded", retryAfter: 3600 },
      { statusCode: 403, name: "invalid_permission" },
      { statusCode: 404, name: "not_found" },
      { statusCode: 422, name: "validation_error" }
    )
  }
)

type Step =
  | { readonly do: "run"; readonly behaviours: ReadonlyArray<Behaviour>; readonly options: Partial<Options> }
  | { readonly do: "resolve"; readonly decision: "assumeSent" | "resend" }
  | { readonly do: "forget"; readonly state: "rejected" | "skipped" | "planned" }
  | { readonly do: "deliveries" }
  /** A day passes, the emails cannot be listed, or only some of them. */
  | { readonly do: "day" | "hide" | "show" | "lag" }

const runs = fc.record({
  behaviours: fc.array(behaviour, { maxLength: 8 }),
  options: fc.record({
    retries: fc.integer({ min: 0, max: 2 }),
    onUndecided: fc.constantFrom("fail" as const, "report" as const),
    again: fc.boolean(),
    scope: fc.constantFrom("a", "a", "a", "b"),
    batchSize: fc.integer({ min: 1, max: 6 })
  })
}).map((run): Step => ({ do: "run", ...run }))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: runs },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ do: "day" }, { do: "hide" }, { do: "show" }, { do: "lag" }, { do: "deliveries" })
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      { do: "resolve", decision: "assumeSent" },
      { do: "resolve", decision: "resend" },
      { do: "forget", state: "planned" },
      { do: "forget", state: "rejected" },
      { do: "forget", state: "skipped" }
    )
  }
)

const scenario = fc.record({
  people: fc.array(person, { maxLength: 24 }),
  once: fc.constantFrom("contact" as const, "address" as const),
  steps: fc.array(step, { minLength: 1, maxLength: 5 })
})

type Scenario = typeof scenario extends fc.Arbitrary<infer A> ? A : never

/** What one line does with a scenario, on a database of its own and a service that responds after `delay` milliseconds. */
const played = (line: Line, make: (typeof databases)[number][1], { once, people, steps }: Scenario, delay: number) =>
  Effect.scoped(Effect.gen(function*() {
    const server = yield* service
    const place: Place = { baseUrl: server.baseUrl, database: yield* make }
    const results: Array<unknown> = []
    let days = 0
    // The next batch is stored meanwhile.
    server.delay = delay
    server.rejects = ({ to }) => String(to).startsWith("bad")
    // The last run is of a service that works.
    for (const step of [...steps, { do: "run", behaviours: [], options: { scope: "a", retries: 3 } } as Step]) {
      switch (step.do) {
        case "run": {
          const before = server.requests.length
          server.behave = ({ index }) => step.behaviours[index - before] ?? "accept"
          const options = { people, once, message, ...step.options, concurrency: 1, ahead: days * day }
          results.push(yield* Effect.promise(() => line.run(place, options)))
          break
        }
        case "resolve": {
          results.push(yield* Effect.promise(() => line.resolve(place, step.decision)))
          break
        }
        case "forget": {
          results.push(yield* Effect.promise(() => line.forget(place, step.state)))
          break
        }
        case "deliveries": {
          results.push(yield* Effect.promise(() => line.deliveries(place)))
          break
        }
        case "day": {
          days++
          server.forgetKeys()
          break
        }
        case "lag": {
          server.listed = ({ id }) => !id.endsWith("3")
          break
        }
        default: {
          server.mayList = step.do === "show"
          if (step.do === "show") server.listed = () => true
        }
      }
      // What has looked at the database has created the tables.
      if (results.length > 0) results.push(yield* rowsOf(place))
    }
    const recipients = yield* Effect.promise(() => line.recipients(place))
    return {
      requests: server.requests.map(({ body, key, path }) => ({ path, key, body })),
      results,
      recipients: recipients.map((recipient) => ({ ...recipient, changedAt: "time" })),
      accepted: server.accepted.map(({ email }) => email)
    }
  }))

/** Without what is random: keys, ports and times. */
const shown = (value: unknown) =>
  JSON.parse(
    JSON.stringify(withoutKeys(value))
      .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then")
  )

describe.each(databases)("campaigns on %s", (_, make) => {
  scoped("send, store, count and fail alike on both lines", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(scenario, async (scenario) => {
          // Batches are stored while others are sent: on a busy machine, one more or less when a run stops, unless there is time.
          for (const delay of [25, 100, 400, 1600]) {
            const three = shown(await Effect.runPromise(played(line3, make, scenario, delay)))
            const four = shown(await Effect.runPromise(played(line4, make, scenario, delay)))
            if (isDeepStrictEqual(four, three)) return
            if (delay === 1600) assert.deepStrictEqual(four, three)
          }
        }),
        { numRuns: 5 * (isSlow ? 20 : 1), endOnFailure: true }
      )
    ), isSlow ? 1_800_000 : 240_000)
})
