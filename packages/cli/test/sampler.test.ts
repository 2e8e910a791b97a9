import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import * as Sampler from "../src/telemetry/Sampler.ts"
import type { Sampling } from "../src/telemetry/Settings.ts"

/** Runs an effect, and returns the names of its spans that were exported. */
const exported = (sampling: Sampling, effect: Effect.Effect<unknown>) =>
  Effect.gen(function*() {
    const names: Array<string> = []
    const native = yield* Effect.tracer
    const exporting = Tracer.make({
      context: (use, fiber) => native.context(use, fiber),
      span: (...args) => {
        const span = native.span(...args)
        const { end } = span
        return Object.assign(span, {
          end: (...ended: Parameters<Tracer.Span["end"]>) => {
            names.push(span.name)
            end.apply(span, ended)
          }
        })
      }
    })
    yield* Effect.withTracer(effect, Sampler.make(exporting, native, sampling))
    return names
  })

const work = Effect.void.pipe(
  Effect.withSpan("sql.execute"),
  Effect.withSpan("Mirror.pass"),
  Effect.withSpan("Worker.turn")
)
const complete = ["sql.execute", "Mirror.pass", "Worker.turn"]

/** Work that somebody else has asked for. */
const within = (sampled: boolean, traceId = "0".repeat(32)) =>
  Effect.withParentSpan(work, Tracer.externalSpan({ traceId, spanId: "1".repeat(16), sampled }))

const [all, none] = [1, 0].map((ratio) => ({ ratio, isParentBased: false }))
const [allRoots, noRoots] = [1, 0].map((ratio) => ({ ratio, isParentBased: true }))

describe("a sampler", () => {
  it.effect("takes all traces, or none, whatever their parents are", () =>
    Effect.gen(function*() {
      for (const effect of [work, within(true), within(false)]) {
        assert.deepStrictEqual(yield* exported(all!, effect), complete)
        assert.deepStrictEqual(yield* exported(none!, effect), [])
      }
    }))

  it.effect("does what the parent of a trace does, if it is based on that", () =>
    Effect.gen(function*() {
      for (const sampling of [allRoots!, noRoots!]) {
        assert.deepStrictEqual(yield* exported(sampling, within(true)), complete)
        assert.deepStrictEqual(yield* exported(sampling, within(false)), [])
      }
      assert.deepStrictEqual(yield* exported(allRoots!, work), complete)
      assert.deepStrictEqual(yield* exported(noRoots!, work), [])
    }))

  it.effect("takes a share of the traces, each of them complete", () =>
    Effect.gen(function*() {
      for (const isParentBased of [true, false]) {
        const names = yield* exported({ ratio: 0.25, isParentBased }, Effect.replicateEffect(work, 4000))
        const counts = complete.map((name) => names.filter((one) => one === name).length)
        assert.strictEqual(new Set(counts).size, 1)
        assert.isAbove(counts[0]!, 800)
        assert.isBelow(counts[0]!, 1200)
      }
    }))

  it.effect("decides by the id of a trace, as every other process does", () =>
    Effect.gen(function*() {
      const half = { ratio: 0.5, isParentBased: false }
      assert.deepStrictEqual(yield* exported(half, within(false, "0".repeat(18) + "80000000000000")), complete)
      assert.deepStrictEqual(yield* exported(half, within(true, "f".repeat(18) + "7fffffffffffff")), [])
    }))

  it.effect("takes no statements outside of work", () =>
    Effect.gen(function*() {
      const poll = Effect.void.pipe(Effect.withSpan("sql.execute"), Effect.withSpan("sql.transaction"))
      assert.deepStrictEqual(yield* exported(allRoots!, poll), [])
      assert.deepStrictEqual(yield* exported(all!, poll), [])
      assert.deepStrictEqual(yield* exported(allRoots!, Effect.withSpan(work, "sql.transaction")), complete)
    }))
})
