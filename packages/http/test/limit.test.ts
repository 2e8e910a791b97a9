import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Limit from "../src/internal/limit.ts"

/** Events of a limiter, each some time after the previous one. */
type Event =
  & { readonly after: number }
  & (
    | { readonly _tag: "take" }
    | { readonly _tag: "release" }
    | { readonly _tag: "learn"; readonly status: number; readonly headers: Record<string, string | undefined> }
  )

const seconds = fc.oneof(fc.nat(90).map(String), fc.constantFrom("", "soon", "-1", "1e3", "0.5"))

const headers = fc.record({
  "ratelimit-limit": seconds,
  "ratelimit-remaining": seconds,
  "ratelimit-reset": seconds,
  "ratelimit-policy": fc.constantFrom("5;w=1", "100;w=60", "w", ""),
  "retry-after": seconds
}, { requiredKeys: [] })

const after = fc.nat(3000)

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("take" as const), after }) },
  fc.record({ _tag: fc.constant("release" as const), after }),
  fc.record({ _tag: fc.constant("learn" as const), after, status: fc.constantFrom(200, 404, 429, 503), headers })
)

const rule: fc.Arbitrary<Limit.Rule> = fc.record({ interval: fc.nat(2000), maxPause: fc.nat(60_000) })

interface Step {
  readonly before: Limit.State
  readonly state: Limit.State
  readonly now: number
  readonly event: Event
  /** Only if a turn was requested and not given. */
  readonly waitUntil: number | undefined
}

const frozen = (state: Limit.State): Limit.State => Object.freeze(state)

/** Plays events against the limiter. Turns are returned only as often as they were taken. */
const play = (rule: Limit.Rule, events: ReadonlyArray<Event>): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  let state = frozen(Limit.initial)
  let now = 1_700_000_000_000
  for (const event of events) {
    now += event.after
    if (event._tag !== "take" && state.inFlight === 0) continue
    const [next, waitUntil] = event._tag === "take"
      ? Limit.take(rule, state, now)
      : event._tag === "release"
      ? [Limit.release(state), undefined]
      : [Limit.learn(rule, state, event, now, now), undefined]
    steps.push({ before: state, state: frozen(next), now, event, waitUntil })
    state = frozen(next)
  }
  return steps
}

/** Checks every step of every run. */
const always = (check: (step: Step, rule: Limit.Rule) => void) =>
  fc.assert(
    fc.property(rule, fc.array(event, { maxLength: 60 }), (rule, events) => {
      for (const step of play(rule, events)) check(step, rule)
    }),
    { numRuns: 500 }
  )

const isTaken = ({ event, waitUntil }: Step) => event._tag === "take" && waitUntil === undefined

describe("the rate limit as a state machine", () => {
  it("counts the requests in flight: plus one per turn taken, minus one per turn returned", () =>
    always((step) => {
      const change = isTaken(step) ? 1 : step.event._tag === "take" ? 0 : -1
      assert.strictEqual(step.state.inFlight - step.before.inFlight, change)
    }))

  it("gives no turn during a pause, before the next slot, or in an exhausted window", () =>
    always((step) => {
      if (!isTaken(step)) return
      assert.isAtMost(step.before.pausedUntil, step.now)
      assert.isAtMost(step.before.nextSlot, step.now)
      assert.isAbove(step.state.remaining + 1, 0)
    }))

  it("spaces turns by the interval", () =>
    fc.assert(
      fc.property(rule, fc.array(event, { maxLength: 60 }), (rule, events) => {
        const taken = play(rule, events).filter(isTaken).map(({ now }) => now)
        for (const [index, now] of taken.entries()) {
          if (index > 0) assert.isAtLeast(now - taken[index - 1]!, rule.interval)
        }
      })
    ))

  it("denies a turn only until a future time, after which it is free unless a response changed the limit", () =>
    always((step, rule) => {
      if (step.waitUntil === undefined) return
      assert.isAbove(step.waitUntil, step.now)
      assert.isUndefined(Limit.take(rule, step.state, Math.max(step.waitUntil, step.state.resetAt), step.state.held)[1])
    }))

  it("never waits longer than the maximum pause or slot, however long a window is", () =>
    always((step, rule) => {
      if (step.waitUntil === undefined) return
      assert.isAtMost(step.waitUntil - step.now, Math.max(rule.maxPause, rule.interval))
    }))

  it("never lets responses hold a request back longer than the maximum pause, whatever happens meanwhile", () =>
    fc.assert(
      fc.property(fc.nat(60_000), fc.array(event, { maxLength: 60 }), (maxPause, events) => {
        const rule = { interval: 0, maxPause }
        for (const { state, now, waitUntil } of play(rule, events)) {
          if (waitUntil === undefined) continue
          // Later responses can only delay it up to the maximum, too.
          const blocked = { ...state, pausedUntil: Infinity, remaining: 0, resetAt: Infinity }
          assert.isAtMost(Limit.take(rule, blocked, now, state.held)[1] ?? now, now + maxPause)
          assert.isUndefined(Limit.take(rule, blocked, now + maxPause, state.held)[1])
        }
      })
    ))

  it("never raises the count or the end of a window within it", () =>
    always(({ before, event, now, state }) => {
      if (event._tag !== "learn" || !before.confirmed || now >= before.resetAt) return
      assert.isAtMost(state.remaining, before.remaining)
      assert.isAtMost(state.resetAt, before.resetAt)
    }))

  it("pauses only after a 429", () =>
    always(({ before, event, now, state }, { maxPause }) => {
      if (event._tag !== "learn" || event.status !== 429) {
        return assert.strictEqual(state.pausedUntil, before.pausedUntil)
      }
      assert.isAtLeast(state.pausedUntil, before.pausedUntil)
      assert.isAtMost(state.pausedUntil, Math.max(before.pausedUntil, now + maxPause))
    }))
})

describe("what responses say about the limit", () => {
  const rule: Limit.Rule = { interval: 0, maxPause: 60_000 }
  const begin = 1_000_000

  /** Sends as many requests as there are responses, which then arrive one by one. */
  const after = (
    ...responses: ReadonlyArray<readonly [at: number, status: number, headers?: Record<string, string>]>
  ) =>
    responses.reduce(
      (state, [at, status, headers = {}]) => Limit.learn(rule, state, { status, headers }, begin + at, begin + at),
      { ...Limit.initial, inFlight: responses.length }
    )

  const counted = (remaining: number, reset: number) => ({
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(reset)
  })

  it("within a window, the lowest count and the earliest end are right", () => {
    const { remaining, resetAt } = after([0, 200, counted(5, 10)], [9000, 200, counted(9, 20)])
    assert.deepStrictEqual([remaining, resetAt], [4, begin + 10_000])
  })

  it("after it, the next window counts", () => {
    const { remaining, resetAt } = after([0, 200, counted(5, 10)], [10_000, 200, counted(9, 20)])
    assert.deepStrictEqual([remaining, resetAt], [9, begin + 30_000])
  })

  it("a 429 slows down to the pace of the last two seconds", () => {
    const accepted = [[0, 200], [400, 200], [800, 200]] as const
    assert.strictEqual(after([0, 429]).pace, 1)
    assert.strictEqual(after(...accepted, [1999, 429]).pace, 3)
    assert.strictEqual(after(...accepted, [2000, 429]).pace, 1)
  })

  it("a second later, accepted requests are counted anew", () => {
    assert.deepInclude(after([0, 200], [999, 200]), { accepted: 2, acceptedBefore: 0 })
    assert.deepInclude(after([0, 200], [999, 200], [1000, 200]), { accepted: 1, acceptedBefore: 2 })
  })

  it("requests that are accepted during a pause raise the pace after it", () => {
    assert.strictEqual(after([0, 429], [100, 200], [200, 200]).pace, 2)
    assert.strictEqual(after([0, 429], [1000, 200], [1100, 200]).pace, 1)
  })
})
