import { assert, describe, it } from "@effect/vitest"
import * as Cells from "@mailstream/cli/import/Cells"
import * as ImportState from "@mailstream/cli/import/ImportState"
import * as Pipeline from "@mailstream/cli/import/Pipeline"
import * as Reading from "@mailstream/cli/import/Reading"
import { Deferred, Effect, Exit, FastCheck as fc, Stream } from "effect"

const options: Reading.Options = {
  input: "csv",
  separator: Cells.separators[0],
  segment: [],
  map: [],
  properties: undefined,
  ignoreOtherColumns: false
}

const text = (count: number) =>
  ["email", ...Array.from({ length: count }, (_, index) => `${index}@example.com`)].join("\n")

const bytesOf = (text: string, size: number): Stream.Stream<Uint8Array> => {
  const bytes = Buffer.from(text)
  return Stream.range(0, Math.ceil(bytes.length / size) - 1).pipe(
    Stream.map((index) => bytes.subarray(index * size, (index + 1) * size))
  )
}

const runs = { numRuns: 100 }

/** Takes a number of turns of the scheduler. */
const turns = (count: number) => Effect.repeatN(Effect.yieldNow(), count)

const lineOf = ({ record }: Pick<Pipeline.Item, "record">) => record.line

describe("what is committed", () => {
  const delays = fc.array(fc.nat(40), { minLength: 1, maxLength: 50 })

  it("is everything before what stops the import, in the order of the file, however long each line takes", () =>
    fc.assert(
      fc.asyncProperty(
        delays,
        fc.array(fc.nat(50)),
        fc.integer({ min: 1, max: 20 }),
        (delays, stops, concurrency) =>
          Effect.gen(function*() {
            const committed: Array<number> = []
            let running = 0
            const items = Pipeline.items(
              bytesOf(text(delays.length), 7),
              Reading.make(options),
              ImportState.none,
              Pipeline.makePrefix(),
              "other"
            )
            const exit = yield* Effect.exit(Pipeline.run(items, {
              start: (item) =>
                Effect.gen(function*() {
                  assert.isAtMost(++running, concurrency)
                  yield* turns(delays[lineOf(item) - 2] ?? 0)
                  running--
                  const stopped = stops.includes(lineOf(item)) ? "stopped" : undefined
                  return { record: item.record, change: "created" as const, stopped }
                }),
              concurrency,
              commit: (outcomes) => Effect.sync(() => committed.push(...outcomes.map(lineOf))),
              halt: yield* Deferred.make<void>()
            }))
            const lines = Array.from({ length: delays.length + 1 }, (_, index) => index + 1)
            const first = lines.find((line) => stops.includes(line))
            assert.deepStrictEqual(committed, first === undefined ? lines : lines.slice(0, first - 1))
            assert.deepStrictEqual(exit, first === undefined ? Exit.void : Exit.fail("stopped"))
          }).pipe(Effect.runPromise)
      ),
      runs
    ))

  it("is everything that was begun when it is told to stop, and no more", () =>
    fc.assert(
      fc.asyncProperty(delays, fc.nat(60), fc.integer({ min: 1, max: 20 }), (delays, after, concurrency) =>
        Effect.gen(function*() {
          const committed: Array<number> = []
          const begun: Array<number> = []
          const halt = yield* Deferred.make<void>()
          const items = Pipeline.items(
            bytesOf(text(delays.length), 30),
            Reading.make(options),
            ImportState.none,
            Pipeline.makePrefix(),
            "other"
          )
          yield* Pipeline.run(items, {
            start: (item) =>
              Effect.gen(function*() {
                if (begun.push(lineOf(item)) > after) {
                  yield* Deferred.succeed(halt, undefined)
                }
                yield* turns(delays[lineOf(item) - 2] ?? 0)
                return { record: item.record, change: "created" as const }
              }),
            concurrency,
            commit: (outcomes) =>
              Effect.sync(() =>
                committed.push(...outcomes.map(lineOf))
              ),
            halt
          })
          assert.deepStrictEqual(committed, [...begun].sort((a, b) => a - b))
          assert.deepStrictEqual(committed, committed.map((_, index) => index + 1))
        }).pipe(Effect.runPromise)),
      runs
    ))
})

describe("a resumed import", () => {
  const collect = (input: string, size: number, done: ImportState.Done) =>
    Effect.gen(function*() {
      const prefix = Pipeline.makePrefix()
      const items = Pipeline.items(bytesOf(input, size), Reading.make(options), done, prefix, "other")
      const read = yield* Stream.runCollect(items)
      return [...read]
    })

  it("continues after any part of the same file, and refuses another one", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(20), fc.integer({ min: 1, max: 50 }), fc.nat(), (count, size, at) =>
        Effect.gen(function*() {
          const input = text(count)
          const whole = yield* collect(input, size, ImportState.none)
          const records = at % (whole.length + 1)
          const prefix = Pipeline.makePrefix()
          for (const { record } of whole.slice(0, records)) {
            prefix.add(record)
          }
          const done = { ...ImportState.none, records, bytes: prefix.bytes(), hash: prefix.digest() }
          const rest = yield* collect(input, size, done)
          assert.deepStrictEqual(rest.map(lineOf), whole.slice(records).map(lineOf))
          assert.deepStrictEqual(
            rest.map(({ read }) =>
              read
            ),
            whole.slice(records).map(({ read }) =>
              read
            )
          )
          if (records === 0) return
          const place = at % prefix.bytes()
          const letter = input[place] === "x" ? "y" : "x"
          const other = input.slice(0, place) + letter + input.slice(place + 1)
          assert.deepStrictEqual(yield* Effect.exit(collect(other, size, done)), Exit.fail("other"))
          const shorter = input.slice(0, place)
          assert.deepStrictEqual(yield* Effect.exit(collect(shorter, size, done)), Exit.fail("other"))
        }).pipe(Effect.runPromise)),
      runs
    ))
})
