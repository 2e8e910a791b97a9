/** Random services, and random programs that walk through their contacts. */
import { FastCheck as fc } from "effect3"

/** What becomes of one request. */
export interface Turn {
  /** What happens to the contacts before it is answered. */
  readonly insert: number
  readonly deletes: ReadonlyArray<number>
  readonly reply: Reply
  /** How long the head of the response takes, in milliseconds. */
  readonly takes: number
  /** In how many pieces the body arrives, and how long each of them takes. */
  readonly pieces: number
  readonly gap: number
  /** After how many pieces the connection breaks, if it does. */
  readonly breaksAfter: number | undefined
}

export type Reply =
  | { readonly _tag: "Page" }
  | { readonly _tag: "Odd"; readonly ids: ReadonlyArray<number>; readonly more: unknown; readonly garbled: boolean }
  | {
    readonly _tag: "Error"
    readonly status: number
    readonly name: string
    readonly headers: Readonly<Record<string, string>>
  }
  | { readonly _tag: "Text"; readonly status: number; readonly text: string }
  | { readonly _tag: "Refused"; readonly code: string }
  | { readonly _tag: "Silent" }

/** One in so many is given. */
const oneIn = <A>(many: number, arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof({ weight: many - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const headers = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  {},
  { "retry-after": "2" },
  { "retry-after": "45" },
  { "retry-after": "Thu, 19 Nov 2026 00:00:20 GMT" },
  { "ratelimit-limit": "3", "ratelimit-remaining": "0", "ratelimit-reset": "4" },
  { "x-request-id": "7" }
)

const odd = fc.record({
  _tag: fc.constant("Odd" as const),
  ids: fc.array(fc.nat(40), { maxLength: 5 }),
  more: fc.constantFrom<unknown>(true, true, false, "no"),
  garbled: fc.constantFrom(false, false, false, true)
})

const error = fc.record({
  _tag: fc.constant("Error" as const),
  status: fc.constantFrom(400, 401, 403, 404, 409, 418, 422, 429, 429, 429, 500, 500, 502, 503),
  name: fc.constantFrom(
    "rate_limit_exceeded",
    "rate_limit_exceeded",
    "daily_quota_exceeded",
    "validation_error",
    "not_found",
    "invalid_api_key",
    "application_error",
    "internal_server_error",
    "service_unavailable",
    "teapot"
  ),
  headers
})

const text = fc.record({
  _tag: fc.constant("Text" as const),
  status: fc.constantFrom(200, 200, 204, 302, 404, 502),
  text: fc.constantFrom(
    "",
    "<html><h1>Bad Gateway</h1></html>",
    "{\"object\":\"li",
    "[]",
    "null",
    "{\"object\":\"list\"}",
    "\u0000"
  )
})

const page: fc.Arbitrary<Reply> = fc.constant({ _tag: "Page" })

const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 120, arbitrary: page },
  { weight: 4, arbitrary: odd },
  { weight: 12, arbitrary: error },
  { weight: 3, arbitrary: text },
  {
    weight: 5,
    arbitrary: fc.constantFrom("ECONNREFUSED", "ECONNRESET", "ECONNRESET", "CERT_HAS_EXPIRED", "ENOTFOUND").map((
      code
    ) => ({
      _tag: "Refused" as const,
      code
    }))
  },
  { weight: 1, arbitrary: fc.constant({ _tag: "Silent" as const }) }
)

const turn: fc.Arbitrary<Turn> = fc.record({
  insert: fc.constantFrom(0, 0, 0, 0, 1, 3),
  deletes: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(fc.nat(40), { maxLength: 3 })),
  reply,
  takes: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 400 }) }, fc.constantFrom(4000, 19_000, 21_000)),
  pieces: fc.constantFrom(1, 1, 1, 2, 5),
  gap: fc.constantFrom(0, 3, 50, 9000),
  breaksAfter: oneIn(40, fc.nat(3))
})

export type Position = {
  readonly _tag: "After" | "Before"
  readonly id: number
  readonly fallbacks: ReadonlyArray<number>
}

/** The lines, and the client for plain TypeScript, which is for Effect 3 inside. */
export type Door = "three" | "four" | "plain"

export type Job =
  & {
    /** How long the program takes for each item or page, in milliseconds. */
    readonly handling: number
    readonly pageSize: number | undefined
    /** When the program is interrupted, in milliseconds. */
    readonly until: number | undefined
  }
  & (
    | {
      readonly _tag: "items" | "pages"
      readonly take: number | undefined
      readonly prefetch: number | undefined
      readonly from: Position | undefined
      /** After how many items or pages the program has enough. */
      readonly enough: number | undefined
    }
    | { readonly _tag: "whole"; readonly enough: number | undefined }
    | {
      readonly _tag: "follow"
      readonly since: number | undefined
      readonly poll: number
      readonly enough: number | undefined
    }
    | {
      readonly _tag: "process"
      readonly prefetch: number | undefined
      readonly from: Position | undefined
      readonly concurrency: number
      /** Runs with the same key: when each fails, by the number of its item, and at which door it is if doors are mixed. */
      readonly runs: ReadonlyArray<{ readonly failsAt: number; readonly door: Door }>
    }
  )

export interface Scenario {
  /** How many contacts there are at the beginning. */
  readonly size: number
  readonly turns: ReadonlyArray<Turn>
  readonly job: Job
  readonly segment: boolean
  readonly retry: "default" | "patient" | "none" | {
    readonly times: number
    readonly base: number
    readonly cap: number
  }
  readonly timeout: number
  readonly maxBodySize: number | undefined
  readonly rateLimit:
    | false
    | undefined
    | { readonly requests?: number; readonly per?: number; readonly maxPause?: number }
}

const pageSize = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(undefined, 1, 2, 3, 5, 10) },
  fc.constantFrom(0, 101, 2.5)
)

const prefetch = fc.constantFrom(undefined, 0, 1, 1, 2, 3)

const position: fc.Arbitrary<Position> = fc.record({
  _tag: fc.constantFrom("After" as const, "Before" as const),
  id: fc.nat(40),
  fallbacks: fc.array(fc.nat(40), { maxLength: 3 })
})

const common = {
  handling: fc.constantFrom(0, 0, 0, 23, 701),
  pageSize,
  until: oneIn(6, fc.nat(3000).map((millis) => 7 * millis + 1))
}

const enough = oneIn(3, fc.integer({ min: 1, max: 30 }))

const job: fc.Arbitrary<Job> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constantFrom("items" as const, "pages" as const),
      ...common,
      take: oneIn(3, fc.nat(35)),
      prefetch,
      from: oneIn(3, position),
      enough
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("whole" as const), ...common, enough }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("follow" as const),
      ...common,
      // It has no end of its own.
      until: fc.nat(9000).map((millis) => 7 * millis + 1),
      since: oneIn(2, fc.nat(30)),
      poll: fc.constantFrom(100, 1000, 5000, 30_000),
      enough
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("process" as const),
      ...common,
      prefetch,
      from: oneIn(3, position),
      concurrency: fc.constantFrom(1, 1, 2, 8),
      runs: fc.array(
        fc.record({ failsAt: fc.integer({ min: 1, max: 40 }), door: fc.constantFrom<Door>("three", "four", "plain") }),
        { minLength: 1, maxLength: 4 }
      )
    })
  }
)

/** With `concurrency`, what begins while something ends at the same time is not promised. */
const inTime = (job: Job): Job =>
  job._tag === "process" && job.concurrency > 1 && job.handling === 0 ? { ...job, handling: 23 } : job

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  size: fc.oneof(fc.nat(30), fc.integer({ min: 12, max: 40 })),
  turns: fc.array(turn, { minLength: 4, maxLength: 25 }),
  job: job.map(inTime),
  segment: fc.constantFrom(false, false, true),
  retry: fc.constantFrom<Scenario["retry"]>(
    "default",
    "default",
    "patient",
    "none",
    { times: 1, base: 100, cap: 1000 },
    { times: 3, base: 400, cap: 3000 }
  ),
  timeout: fc.constantFrom(20_000, 20_000, 5001),
  maxBodySize: fc.constantFrom(undefined, undefined, undefined, 2500),
  rateLimit: fc.constantFrom<Scenario["rateLimit"]>(
    undefined,
    undefined,
    false,
    { requests: 2 },
    { requests: 3, per: 10_000 },
    { maxPause: 3000 }
  )
})

/** The scenario of a seed. */
export const ofSeed = (seed: number): Scenario => fc.sample(scenario, { seed, numRuns: 1 })[0]!
