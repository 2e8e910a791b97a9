import { assert, describe, it } from "@effect/vitest"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts } from "@mailstream/stream"
import { Effect, RuntimeFlags, RuntimeFlagsPatch, Stream, Supervisor } from "effect"
import { overHttp } from "./support/server.ts"

/** Counts fiber steps and started fibers. */
class Counter extends Supervisor.AbstractSupervisor<void> {
  steps = 0
  fibers = 0
  override readonly value = Effect.void
  override onStart(): void {
    this.fibers++
  }
  override onEffect(): void {
    this.steps++
  }
}

/** The cost of an effect, apart from time. */
const costOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const counter = new Counter()
    yield* effect.pipe(
      Effect.supervised(counter),
      Effect.withRuntimeFlagsPatch(RuntimeFlagsPatch.enable(RuntimeFlags.OpSupervision))
    )
    return { steps: counter.steps, fibers: counter.fibers }
  })

describe("the cost of a page", () => {
  it.scopedLive.each([
    { walk: "without prefetch", prefetch: 0, atMost: 55 },
    { walk: "with prefetch", prefetch: 1, atMost: 65 }
  ])(
    "is at most $atMost steps, and no fiber: $walk",
    ({ atMost, prefetch }) =>
      Effect.gen(function*() {
        yield* SampleData.insert({ contacts: 600 })
        const walk = (items: number) => Stream.runDrain(Stream.take(contacts.items({ pageSize: 10, prefetch }), items))
        yield* walk(100)
        const few = yield* costOf(walk(100))
        const many = yield* costOf(walk(600))
        const pages = 50
        assert.strictEqual(many.fibers, few.fibers)
        assert.isAtMost((many.steps - few.steps) / pages, atMost)
        assert.isAbove(few.steps, pages)
      }).pipe(Effect.provide(overHttp()))
  )
})
