/** What a pass decides, without a service or a database. */
import { assert, describe, it } from "@effect/vitest"
import { Position } from "@mailstream/core"
import { FastCheck } from "effect"
import { compare, type Found } from "../src/internal/compare.ts"
import * as Decide from "../src/internal/decide.ts"
import { withNew } from "../src/internal/follow.ts"
import * as Lanes from "../src/internal/lanes.ts"
import * as Log from "../src/internal/log.ts"
import type * as State from "../src/internal/state.ts"

const at = "2026-01-02T03:04:05.678Z"

const counts = FastCheck.record({
  created: FastCheck.nat(20),
  updated: FastCheck.nat(20),
  deleted: FastCheck.constant(0),
  unchanged: FastCheck.nat(20)
})

const result = FastCheck.record({ counts, items: FastCheck.nat(40), ordinals: FastCheck.nat(60) })

const progress: FastCheck.Arbitrary<State.Progress> = FastCheck.oneof(
  FastCheck.constant({ _tag: "Whole" as const }),
  FastCheck.array(FastCheck.string({ minLength: 1 }), { maxLength: 3 }).map(Lanes.after),
  FastCheck.nat(9).map((last) => ({ _tag: "Owners" as const, last }))
)

const running: FastCheck.Arbitrary<State.Running> = FastCheck.record({
  service: FastCheck.constantFrom(undefined, "https://a.example.com", "https://b.example.com"),
  version: FastCheck.nat(),
  ordinals: FastCheck.nat(60),
  changes: FastCheck.nat(60),
  newest: FastCheck.array(FastCheck.uuid(), { maxLength: 5 }),
  lastPass: FastCheck.option(result, { nil: undefined }),
  completedAt: FastCheck.constantFrom(undefined, at, "2026-02-02T03:04:05.678Z"),
  error: FastCheck.constant(undefined),
  storedAt: FastCheck.constant(at),
  readAt: FastCheck.constantFrom(at, "2026-03-03T00:00:00.000Z"),
  pass: FastCheck.record({
    beganAt: FastCheck.constant(at),
    activeAt: FastCheck.constant(at),
    attempts: FastCheck.integer({ min: 1, max: 9 }),
    restarts: FastCheck.nat(Decide.maxRestarts),
    counts,
    progress
  })
})

/** Rows that exist, and which of them are gone. */
const existing = FastCheck.uniqueArray(FastCheck.integer({ min: 1, max: 60 })).chain((rows) =>
  FastCheck.subarray(rows).map((gone) => ({ count: rows.length, gone }))
)

describe("the end of a pass", () => {
  const options = FastCheck.record({
    dryRun: FastCheck.boolean(),
    maxDeleted: FastCheck.double({ min: 0, max: 1, noNaN: true }),
    seen: FastCheck.nat(60)
  })

  it.prop("is refused if a greater share of what the last pass left is gone, and only then", [
    running,
    existing,
    options
  ], ([
    state,
    existing,
    options
  ]) => {
    const end = Decide.end(state, existing, options)
    const last = state.lastPass?.ordinals ?? Infinity
    const missing = existing.gone.filter((ordinal) => ordinal <= last).length
    const known = Math.max(state.lastPass?.items ?? existing.count, missing)
    assert.strictEqual(end._tag === "Refused", missing > options.maxDeleted * known)
    if (end._tag === "Refused") assert.deepInclude(end, { missing, known })
  })

  it.prop("marks what is gone, and never counts less than nothing", [running, existing, options], ([
    state,
    existing,
    options
  ]) => {
    const end = Decide.end(state, existing, { ...options, maxDeleted: 1 })
    assert(end._tag === "Done")
    assert.strictEqual(end.items, existing.count - existing.gone.length)
    assert.strictEqual(end.counts.deleted, existing.gone.length)
    for (const count of Object.values(end.counts)) assert.isAtLeast(count, 0)
  })

  it.prop("counts every item once, if what changed still exists", [running, existing], ([state, existing]) => {
    const items = existing.count - existing.gone.length
    const { created, updated } = state.pass.counts
    FastCheck.pre(created + updated <= items)
    const end = Decide.end(state, existing, { dryRun: false, maxDeleted: 1, seen: items })
    assert(end._tag === "Done")
    assert.strictEqual(end.counts.created + end.counts.updated + end.counts.unchanged, items)
  })
})

describe("a pass", () => {
  it.prop(
    "begins again a limited number of times, from the beginning, with what it has counted",
    [running],
    ([state]) => {
      let current: State.State = state
      for (let restarts = state.pass.restarts; restarts < Decide.maxRestarts; restarts++) {
        assert(current.pass !== undefined)
        current = Decide.restart({ ...current, pass: current.pass })
        assert.deepInclude(current.pass, { restarts: restarts + 1, counts: state.pass.counts })
        assert.strictEqual(current.pass?.progress._tag, state.pass.progress._tag)
        if (current.pass?.progress._tag === "Lanes") assert.deepStrictEqual(current.pass.progress, Decide.oneLane)
      }
      assert(current.pass !== undefined)
      assert.isUndefined(Decide.restart({ ...current, pass: current.pass }).pass)
    }
  )

  it.prop("is continued as it began, but in pages after some attempts at one response", [running], ([{ pass }]) => {
    assert.deepStrictEqual(Decide.walkOf("Paged", pass), pass.progress)
    assert.deepStrictEqual(Decide.walkOf("Owned", pass), pass.progress)
    const whole = Decide.walkOf("Whole", pass)
    if (pass.progress._tag === "Lanes") assert.deepStrictEqual(whole, pass.progress)
    else assert.strictEqual(whole._tag, pass.attempts >= Decide.patientAttempts ? "Lanes" : "Whole")
  })

  it.prop("keeps what an attempt before has counted", [running, progress], ([state, progress]) => {
    const next = Decide.begin(state, progress)
    assert.deepInclude(next.pass, {
      beganAt: at,
      attempts: state.pass.attempts + 1,
      counts: state.pass.counts,
      progress
    })
    assert.deepInclude(Decide.begin({ ...state, pass: undefined }, progress).pass, {
      beganAt: state.readAt,
      attempts: 1,
      restarts: 0
    })
  })

  it.prop("of another process is waited for while it is under way, and its result is taken", [running, running], ([
    before,
    now
  ]) => {
    const same = { ...now, service: before.service }
    assert.strictEqual(Decide.other(before, same), "Busy")
    assert.strictEqual(Decide.other(before, { ...same, pass: { ...same.pass, isPaused: true } }), "Stopped")
    assert.strictEqual(Decide.other(before, undefined), "Stopped")
    const ended = Decide.other(before, { ...same, pass: undefined })
    assert.deepStrictEqual(
      ended,
      same.completedAt === before.completedAt || same.lastPass === undefined ? "Stopped" : same.lastPass.counts
    )
  })
})

describe("a difference", () => {
  const row = (ordinal: number, isGone: boolean, json: string | undefined): Found => ({
    ordinal,
    isGone,
    json,
    isDamaged: false
  })

  it.prop(
    "has every item in one place, and a new ordinal for each new item",
    [FastCheck.array(FastCheck.constantFrom("new", "same", "other", "gone"))],
    ([kinds]) => {
      const items = kinds.map((_, index) => ({ id: `id ${index}` }))
      const rows = new Map(
        kinds.flatMap((kind, index) =>
          kind === "new" ? [] : [[`id ${index}`, row(index + 1, kind === "gone", kind === "other" ? "{}" : undefined)]]
        )
      )
      const { changing, created, ordinals, present, revived, updated } = compare(items, rows, kinds.length)
      const of = (kind: string) => items.filter((_, index) => kinds[index] === kind)
      assert.deepStrictEqual([created, updated, revived], [of("new"), of("other"), of("gone")])
      assert.strictEqual(new Set(ordinals).size, items.length)
      assert.strictEqual(changing.length, updated.length + revived.length)
      assert.strictEqual(present.length, of("same").length + of("other").length)
    }
  )

  it.prop(
    "adds to what the last pass left, unless a refused pass came in between",
    [running, FastCheck.nat(5), FastCheck.nat(5)],
    ([state, created, revived]) => {
      const some = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}` }))
      const next = withNew(state, ["1", "2"], { created: some(created), revived: some(revived) })
      assert.deepStrictEqual(next.newest.slice(0, 2), ["2", "1"])
      const { lastPass } = state
      assert.deepStrictEqual(
        next.lastPass,
        lastPass?.ordinals === state.ordinals
          ? { ...lastPass, items: lastPass.items + created + revived, ordinals: state.ordinals + created }
          : lastPass
      )
    }
  )
})

describe("lanes", () => {
  const scenario = FastCheck.integer({ min: 1, max: 40 }).chain((size) =>
    FastCheck.record({
      size: FastCheck.constant(size),
      pageSize: FastCheck.integer({ min: 1, max: 7 }),
      starts: FastCheck.uniqueArray(FastCheck.integer({ min: 0, max: size - 1 }), { maxLength: 5 }),
      /** Which lanes have a page at each moment. */
      order: FastCheck.infiniteStream(FastCheck.uniqueArray(FastCheck.nat(5), { minLength: 1, maxLength: 6 }))
    })
  )

  /** Walks a list in lanes, and returns whether they are connected, and what they have missed. */
  const walk = (
    size: number,
    pageSize: number,
    starts: ReadonlyArray<number>,
    order: Iterable<ReadonlyArray<number>>
  ) => {
    const ids = Array.from({ length: size }, (_, index) => `item ${index}`)
    const begun = Lanes.after(starts.map((start) => ids[start]!))
    assert(begun._tag === "Lanes")
    let { lanes } = begun
    const taken = new Set<string>()
    const pageOf = (index: number): ReadonlyArray<Lanes.Arrival> => {
      const lane = lanes[index]
      if (lane === undefined || lane.isDone) return []
      const last = "id" in lane.position ? lane.position.id : ""
      const from = ids.indexOf(last) + 1
      const data = ids.slice(from, from + pageSize).map((id) => ({ id }))
      const end = data[data.length - 1]?.id
      const next = end === undefined ? Position.end : Position.after(end)
      return [{ index, last, page: { object: "list", data, has_more: from + pageSize < size, next } }]
    }
    for (const moment of order) {
      if (lanes.every(({ isDone }) => isDone)) break
      const arrived = Lanes.arrive(lanes, moment.flatMap(pageOf))
      lanes = arrived.lanes
      for (const { id } of arrived.items) taken.add(id)
    }
    return { isConnected: Lanes.areConnected(lanes), missed: ids.filter((id) => !taken.has(id)) }
  }

  it.prop("that are connected have covered the list, in whatever order their pages arrive", [scenario], ([
    { order, pageSize, size, starts }
  ]) => {
    const { isConnected, missed } = walk(size, pageSize, starts, order)
    if (isConnected) assert.deepStrictEqual(missed, [])
  })

  it.prop("are connected if each has begun before another one arrives there", [scenario], ([
    { order, pageSize, size, starts }
  ]) => {
    // Nothing comes after the last item, so that nobody can meet a lane that begins there.
    FastCheck.pre(!starts.includes(size - 1))
    const sorted = [...starts].sort((a, b) => a - b)
    const lastFirst = [...sorted.keys(), sorted.length].reverse()
    const { isConnected, missed } = walk(
      size,
      pageSize,
      sorted,
      (function*() {
        yield lastFirst
        yield* order
      })()
    )
    assert.isTrue(isConnected)
    assert.deepStrictEqual(missed, [])
  })
})

describe("what a consumer has committed", () => {
  it.prop(
    "does not depend on the order of its commits",
    [
      FastCheck.uniqueArray(FastCheck.integer({ min: 1, max: 50 }), { minLength: 1 }),
      FastCheck.infiniteStream(FastCheck.nat())
    ],
    ([ends, random]) => {
      const sorted = [...ends].sort((a, b) => a - b)
      const ranges = sorted.map((end, index) => [sorted[index - 1] ?? 0, end] as const)
      const shuffled = ranges.map((range) => [Number(random.next().value), range] as const).sort(([a], [b]) => a - b)
      let committed: Log.Committed = { seq: 0, done: [] }
      for (const [, [from, to]] of shuffled) {
        assert.isFalse(Log.isCommitted(committed, to))
        committed = Log.add(committed, [from, to])
        assert.isTrue(Log.isCommitted(committed, to))
      }
      assert.deepStrictEqual(committed, { seq: sorted[sorted.length - 1]!, done: [] })
    }
  )
})
