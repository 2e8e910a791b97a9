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

  it("never waits longer than for the next slot and the maximum pause, however long a window is", () =>
    always((step, rule) => {
      if (step.waitUntil === undefined) return
      // The time until the next slot does not count as a pause.
      assert.isAtMost(step.waitUntil - Math.max(step.now, step.state.nextSlot), rule.maxPause)
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

  it("within a window, a lower count and an earlier end are right as well", () => {
    const { remaining, resetAt } = after([0, 200, counted(5, 10)], [1000, 200, counted(3, 4)])
    assert.deepStrictEqual([remaining, resetAt], [3, begin + 5000])
  })

  /** The state after one response to the only request in flight. */
  const learned = (fields: Partial<Limit.State>, status: number, headers: Record<string, string> = {}, at = 0) =>
    Limit.learn(rule, { ...Limit.initial, inFlight: 1, ...fields }, { status, headers }, begin + at, Date.UTC(2026, 0))

  it("counts only if it is complete and no longer than the longest pause", () => {
    const known = { remaining: 7, resetAt: begin + 500, confirmed: true }
    const ignored: ReadonlyArray<Record<string, string>> = [
      {},
      { "ratelimit-remaining": "1" },
      { "ratelimit-reset": "0" },
      counted(1, 60.001)
    ]
    for (const headers of ignored) assert.deepInclude(learned(known, 200, headers), known)
    assert.deepInclude(learned({}, 200, counted(1, 60)), { remaining: 1, resetAt: begin + 60_000, confirmed: true })
  })

  it("replaces an estimate, even by a later end and a higher count", () => {
    const estimate = { remaining: 1, resetAt: begin + 500, confirmed: false }
    assert.deepInclude(learned(estimate, 200, counted(4, 2)), { remaining: 4, resetAt: begin + 2000 })
  })

  const told: ReadonlyArray<readonly [headers: Record<string, string>, limit: number, period: number]> = [
    [{ "ratelimit-limit": "9" }, 9, 1000],
    [{ "ratelimit-limit": " 9.5 " }, 9.5, 1000],
    [{ "ratelimit-policy": "5;w=60" }, 3, 60_000],
    [{ "ratelimit-policy": "\"default\";q=5; w=2" }, 3, 2000],
    [{ "ratelimit-limit": "9", "ratelimit-policy": "9;w=10" }, 9, 10_000],
    [{ "ratelimit-limit": "9", "ratelimit-policy": "9" }, 9, 1000],
    [{}, 3, 1000],
    ...["", "soon", "-1", "1e3", "9 per second", "x9"].map((text) => [{ "ratelimit-limit": text }, 3, 1000] as const)
  ]

  it.each(told)("%j tells the limit and the length of a window", (headers, limit, period) => {
    assert.deepInclude(learned({ limit: 3 }, 200, headers), { limit, period })
  })

  it("a 429 pauses for as long as it says, and never shortens a pause", () => {
    const paused = (headers: Record<string, string>, until = 0) =>
      learned({ pausedUntil: begin + until }, 429, headers).pausedUntil - begin
    assert.strictEqual(paused({}), 1000)
    assert.strictEqual(paused({ "ratelimit-reset": "3" }), 3000)
    assert.strictEqual(paused({ "retry-after": "2" }), 2000)
    assert.strictEqual(paused({ "retry-after": "2" }, 5000), 5000)
    assert.strictEqual(paused({ "retry-after": "61" }), 60_000)
    assert.strictEqual(paused({ "retry-after": "Thu, 01 Jan 2026 00:00:04 GMT" }), 4000)
  })

  it("a 429 during a pause does not slow down further, one at its end does", () => {
    const paced = { pausedUntil: begin, pace: 7 }
    assert.strictEqual(learned(paced, 429, {}, -1).pace, 7)
    assert.strictEqual(learned(paced, 429).pace, 1)
  })

  it("the better of the last two seconds counts", () => {
    const since = { countedFrom: begin - 500 }
    assert.strictEqual(learned({ ...since, accepted: 3, acceptedBefore: 5 }, 429).pace, 5)
    assert.strictEqual(learned({ ...since, accepted: 5, acceptedBefore: 3 }, 429).pace, 5)
    const paced = { ...since, accepted: 5, pausedUntil: begin }
    assert.strictEqual(learned({ ...paced, pace: 1 }, 200, {}, -1).pace, 6)
    assert.strictEqual(learned({ ...paced, pace: 9 }, 200, {}, -1).pace, 9)
    assert.strictEqual(learned({ ...paced, pace: 1 }, 200).pace, 1)
  })
})

describe("when a request may be sent", () => {
  const rule: Limit.Rule = { interval: 0, maxPause: 10_000 }
  const begin = 1_000_000

  const take = (fields: Partial<Limit.State>, at = 0, heldBefore?: number, interval = 0) => {
    const [state, waitUntil] = Limit.take(
      { ...rule, interval },
      { ...Limit.initial, resetAt: Infinity, ...fields },
      begin + at,
      heldBefore
    )
    return { state, wait: waitUntil === undefined ? undefined : waitUntil - begin }
  }

  it("a window begins exactly at the end of the one before it", () => {
    const spent = { limit: 5, remaining: 0, resetAt: begin, confirmed: true }
    assert.strictEqual(take(spent, -1).wait, 0)
    const { state, wait } = take(spent)
    assert.isUndefined(wait)
    assert.deepInclude(state, { remaining: 4, resetAt: begin + 1000, confirmed: false })
    assert.isUndefined(take({ ...spent, limit: 0 }).wait)
    assert.deepInclude(take({ ...spent, period: 60_000 }).state, { resetAt: begin + 10_000 })
  })

  it("a request takes one of those that are left", () => {
    assert.strictEqual(take({ remaining: 2 }).state.remaining, 1)
    assert.strictEqual(take({ remaining: 1 }).state.remaining, 0)
    assert.strictEqual(take({ remaining: 0, resetAt: begin + 700 }).wait, 700)
    assert.strictEqual(take({ remaining: -1, resetAt: begin + 700 }).wait, 700)
  })

  it("all reasons to wait must be over", () => {
    assert.strictEqual(take({ nextSlot: begin + 3, pausedUntil: begin + 2, nextPaced: begin + 1 }).wait, 3)
    assert.strictEqual(take({ nextSlot: begin + 1, pausedUntil: begin + 3, nextPaced: begin + 2 }).wait, 3)
    assert.strictEqual(take({ nextSlot: begin + 2, pausedUntil: begin + 1, nextPaced: begin + 3 }).wait, 3)
    assert.isUndefined(take({ nextSlot: begin, pausedUntil: begin, nextPaced: begin }).wait)
  })

  it("only the time for which responses hold requests back counts towards the longest pause", () => {
    const paused = { pausedUntil: begin + 60_000 }
    const denied = take({ ...paused, nextSlot: begin + 500 })
    assert.strictEqual(denied.wait, 10_500)
    assert.deepInclude(denied.state, { held: 0, heldFrom: begin + 500, inFlight: 0 })
    // The time before the slot is not counted.
    const early = take(denied.state, 400, 0)
    assert.deepInclude(early.state, { held: 0, heldFrom: begin + 500 })
    const later = take(denied.state, 2500, 0)
    assert.strictEqual(later.wait, 10_500)
    assert.deepInclude(later.state, { held: 2000, heldFrom: begin + 2500 })
    // A request that comes now has waited for nothing yet.
    assert.strictEqual(take(later.state, 2500).wait, 12_500)
    const free = take(later.state, 10_500, 0)
    assert.isUndefined(free.wait)
    assert.deepInclude(free.state, { held: 10_000, heldFrom: Infinity, inFlight: 1 })
    assert.strictEqual(take(free.state, 11_000).state.held, 10_000)
  })

  it("the spacing is kept, even after the longest pause", () => {
    const { state } = take({}, 0, undefined, 250)
    assert.strictEqual(state.nextSlot, begin + 250)
    assert.strictEqual(take({ nextSlot: begin + 250, pausedUntil: Infinity, held: 20_000 }, 0, 0).wait, 250)
  })

  it("the pace doubles every two seconds after a pause", () => {
    const paceAt = (at: number) => take({ pace: 2, pausedUntil: begin }, at).state.nextPaced - begin - at
    assert.deepStrictEqual([0, 1999, 2000, 3999, 4000, 6000].map(paceAt), [500, 500, 250, 250, 125, 62.5])
    // A request that has waited for the longest pause is sent before its end.
    const forced = take({ pace: 2, pausedUntil: begin + 9000, held: 10_000 }, 0, 0)
    assert.isUndefined(forced.wait)
    assert.strictEqual(forced.state.nextPaced, begin + 500)
  })

  it("a turn that is returned without a response changes nothing else", () => {
    const { state } = take({ remaining: 3, held: 5 })
    assert.deepStrictEqual(Limit.release(state), { ...state, inFlight: 0 })
  })
})
