import { assert, describe, it } from "@effect/vitest"
import { Cause, Chunk, Effect, FastCheck as fc, Option, Scheduler, Stream } from "effect"
import { paginateWithPrefetch } from "../src/internal/prefetch.ts"

interface Plan {
  /** How many elements each step emits. */
  readonly sizes: ReadonlyArray<number>
  /** What happens instead of the last step. */
  readonly end: "end" | "failure" | "defect"
}

const stepOf = ({ end, sizes }: Plan) => (index: number) => {
  const isLast = index === sizes.length - 1
  if (isLast && end === "failure") return Effect.fail("failure")
  if (isLast && end === "defect") return Effect.die("defect")
  const chunk = Chunk.unsafeFromArray(Array.from({ length: sizes[index]! }, (_, n) => `${index}.${n}`))
  return Effect.as(
    Effect.repeatN(Effect.yieldNow(), index % 3),
    [chunk, isLast ? Option.none() : Option.some(index + 1)] as const
  )
}

/** The chunks of a stream, and how it ends. */
const observe = (stream: Stream.Stream<string, string>) =>
  Effect.gen(function*() {
    const chunks: Array<ReadonlyArray<string>> = []
    const exit = yield* stream.pipe(
      Stream.runForEachChunk((chunk) => Effect.sync(() => chunks.push(Chunk.toReadonlyArray(chunk)))),
      Effect.exit
    )
    return { chunks, end: exit._tag === "Success" ? "end" : Cause.squash(exit.cause) }
  })

describe("paginateWithPrefetch", () => {
  it.effect.prop("emits the chunks of `Stream.paginateChunkEffect`, and ends as it does", [
    fc.record({
      sizes: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
      end: fc.constantFrom<Plan["end"]>("end", "failure", "defect")
    }),
    fc.integer({ min: 1, max: 4 })
  ], ([plan, steps]) =>
    Effect.gen(function*() {
      const step = stepOf(plan)
      const expected = yield* observe(Stream.paginateChunkEffect(0, step))
      assert.deepStrictEqual(yield* observe(paginateWithPrefetch(0, step, steps)), expected)
    }), { fastCheck: { numRuns: 100 } })

  it.live("terminates, wherever a fiber is delayed", () =>
    Effect.gen(function*() {
      const step = stepOf({ sizes: [1, 1, 1, 1, 1], end: "end" })
      for (const steps of [1, 2]) {
        for (let heldUpAt = 0; heldUpAt < 400; heldUpAt++) {
          const stream = paginateWithPrefetch(0, step, steps)
          const { chunks } = yield* Effect.withScheduler(observe(stream), new HoldingUp(heldUpAt))
          assert.strictEqual(chunks.length, 5)
        }
      }
    }))
})

/** Delays one fiber before one of its steps, while other fibers continue. */
class HoldingUp extends Scheduler.MixedScheduler {
  readonly #priority = 1000
  #stepsLeft: number

  constructor(steps: number) {
    super(2048)
    this.#stepsLeft = steps
  }

  override shouldYield(): number | false {
    return this.#stepsLeft-- === 0 ? this.#priority : false
  }

  override scheduleTask(...[task, priority, fiber]: Parameters<Scheduler.Scheduler["scheduleTask"]>): void {
    if (priority === this.#priority) afterTurns(10, task)
    else super.scheduleTask(task, priority, fiber)
  }
}

const afterTurns = (turns: number, call: () => void): void =>
  turns === 0 ? call() : void setImmediate(() => afterTurns(turns - 1, call))
