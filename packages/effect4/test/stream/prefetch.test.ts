import { Cause, Effect, Option, Scheduler, Stream } from "effect"
import { FastCheck as fc } from "effect3"
import { assert, describe, it } from "vitest"
import { paginateWithPrefetch } from "../../src/stream/internal/prefetch.ts"

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
  const chunk = Array.from({ length: sizes[index]! }, (_, n) => `${index}.${n}`)
  const step = [chunk, isLast ? Option.none<number>() : Option.some(index + 1)] as const
  // Some steps are done at once, some later.
  return index % 3 === 0
    ? Effect.succeed(step)
    : index % 3 === 1
    ? Effect.as(Effect.yieldNow, step)
    : Effect.as(Effect.sleep(0), step)
}

/** The chunks of a stream, and how it ends. */
const observe = (stream: Stream.Stream<string, string>) =>
  Effect.gen(function*() {
    const chunks: Array<ReadonlyArray<string>> = []
    const exit = yield* stream.pipe(
      Stream.runForEachArray((chunk) => Effect.sync(() => chunks.push(chunk))),
      Effect.exit
    )
    return { chunks, end: exit._tag === "Success" ? "end" : Cause.squash(exit.cause) }
  })

describe("paginateWithPrefetch", () => {
  it("emits the chunks of `Stream.paginate`, and ends as it does", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          sizes: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
          end: fc.constantFrom<Plan["end"]>("end", "failure", "defect")
        }),
        fc.integer({ min: 1, max: 4 }),
        async (plan, steps) => {
          const step = stepOf(plan)
          const expected = await Effect.runPromise(observe(Stream.paginate(0, step)))
          assert.deepStrictEqual(await Effect.runPromise(observe(paginateWithPrefetch(0, step, steps))), expected)
        }
      )
    ))

  it("terminates, wherever a fiber is delayed", async () => {
    const step = stepOf({ sizes: [1, 1, 1, 1, 1], end: "end" })
    for (const steps of [1, 2]) {
      for (let heldUpAt = 0; heldUpAt < 300; heldUpAt++) {
        const stream = paginateWithPrefetch(0, step, steps)
        const { chunks } = await Effect.runPromise(
          Effect.provideService(observe(stream), Scheduler.Scheduler, new HoldingUp(heldUpAt))
        )
        assert.strictEqual(chunks.length, 5)
      }
    }
  })
})

/** Delays one fiber before one of its steps, while other fibers continue. */
class HoldingUp extends Scheduler.MixedScheduler {
  #stepsLeft: number
  #isHolding = false

  constructor(steps: number) {
    super("async")
    this.#stepsLeft = steps
  }

  override shouldYield(): boolean {
    this.#isHolding = this.#stepsLeft-- === 0
    return this.#isHolding
  }

  override makeDispatcher() {
    const dispatcher = super.makeDispatcher()
    const schedule = dispatcher.scheduleTask.bind(dispatcher)
    dispatcher.scheduleTask = (task, priority) => {
      if (!this.#isHolding) return schedule(task, priority)
      this.#isHolding = false
      afterTurns(10, () => schedule(task, priority))
    }
    return dispatcher
  }
}

const afterTurns = (turns: number, task: () => void): void => {
  if (turns === 0) task()
  else setImmediate(() => afterTurns(turns - 1, task))
}
