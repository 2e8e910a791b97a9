import * as Follow3 from "@mailstream/stream/Follow"
import * as Walk3 from "@mailstream/stream/Walk"
import * as Whole3 from "@mailstream/stream/Whole"
import { Effect, Schedule, Stream } from "effect"
import { Effect as Effect3, Schedule as Schedule3, Stream as Stream3 } from "effect3"
import { assert, describe, it } from "vitest"
import * as Follow4 from "../../src/stream/Follow.ts"
import * as Walk4 from "../../src/stream/Walk.ts"
import * as Whole4 from "../../src/stream/Whole.ts"
import { process3, process4 } from "./processing.ts"
import { body, complete3, complete4, fc, type Item, run3, run4, Service, source3, source4, turn } from "./support.ts"

/** The slow tests try more. */
const numRuns = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? 3000 : 100

const options = fc.record({
  pageSize: fc.integer({ min: -1, max: 7 }),
  prefetch: fc.integer({ min: 0, max: 3 }),
  take: fc.option(fc.nat(30), { nil: undefined }),
  from: fc.option(
    fc.record({
      _tag: fc.constantFrom("After" as const, "Before" as const),
      id: fc.nat(40).map((n) => `item-${n}`),
      fallbacks: fc.array(fc.nat(40).map((n) => `item-${n}`), { maxLength: 4 })
    }),
    { nil: undefined }
  )
})

const scenario = fc.record({
  size: fc.nat(30),
  turns: fc.array(turn, { maxLength: 30 }),
  options,
  retries: fc.nat(3)
})

describe("the lines for Effect 3 and Effect 4 agree about", () => {
  it("walks in items, of random services", () =>
    fc.assert(
      fc.asyncProperty(scenario, async ({ options, retries, size, turns }) => {
        const [service3, service4] = [new Service(size, turns), new Service(size, turns)]
        const [items3, items4]: [Array<Item>, Array<Item>] = [[], []]
        const end3 = await run3(
          Walk3.items(source3(service3), { ...options, retry: Schedule3.recurs(retries) }).pipe(
            Stream3.runForEach((item) => Effect3.sync(() => items3.push(item)))
          )
        )
        const end4 = await run4(
          Walk4.items(source4(service4), { ...options, retry: Schedule.recurs(retries) }).pipe(
            Stream.runForEach((item) => Effect.sync(() => items4.push(item)))
          )
        )
        assert.deepStrictEqual(items4, items3)
        assert.deepStrictEqual(end4, end3)
        assert.deepStrictEqual(service4.requests, service3.requests)
      }),
      { numRuns }
    ), 600_000)

  it("walks in pages, of random services", () =>
    fc.assert(
      fc.asyncProperty(scenario, async ({ options, retries, size, turns }) => {
        const [service3, service4] = [new Service(size, turns), new Service(size, turns)]
        const [pages3, pages4]: [Array<unknown>, Array<unknown>] = [[], []]
        const end3 = await run3(
          Walk3.pages(source3(service3), { ...options, retry: Schedule3.recurs(retries) }).pipe(
            Stream3.runForEach((page) => Effect3.sync(() => pages3.push(page)))
          )
        )
        const end4 = await run4(
          Walk4.pages(source4(service4), { ...options, retry: Schedule.recurs(retries) }).pipe(
            Stream.runForEach((page) => Effect.sync(() => pages4.push(page)))
          )
        )
        assert.deepStrictEqual(pages4, pages3)
        assert.deepStrictEqual(end4, end3)
        assert.deepStrictEqual(service4.requests, service3.requests)
      }),
      { numRuns }
    ), 600_000)

  it("complete lists in one response, of random bodies", () =>
    fc.assert(
      fc.asyncProperty(scenario, fc.array(body, { maxLength: 4 }), async ({ retries, size, turns }, bodies) => {
        const [service3, service4] = [new Service(size, turns), new Service(size, turns)]
        const [items3, items4]: [Array<Item>, Array<Item>] = [[], []]
        const end3 = await run3(
          Whole3.items(complete3(service3, bodies), { retry: Schedule3.recurs(retries) }).pipe(
            Stream3.runForEach((item) => Effect3.sync(() => items3.push(item)))
          )
        )
        const end4 = await run4(
          Whole4.items(complete4(service4, bodies), { retry: Schedule.recurs(retries) }).pipe(
            Stream.runForEach((item) => Effect.sync(() => items4.push(item)))
          )
        )
        assert.deepStrictEqual(items4, items3)
        assert.deepStrictEqual(end4, end3)
        assert.deepStrictEqual(service4.requests, service3.requests)
      }),
      { numRuns }
    ), 600_000)

  it("followers of random services", () =>
    fc.assert(
      fc.asyncProperty(
        scenario,
        fc.nat(8),
        fc.option(fc.nat(30).map((n) => `item-${n}`), { nil: undefined }),
        async ({ options: { pageSize }, retries, size, turns }, polls, since) => {
          const [service3, service4] = [new Service(size, turns), new Service(size, turns)]
          const [items3, items4]: [Array<Item>, Array<Item>] = [[], []]
          const end3 = await run3(
            Follow3.items(source3(service3), {
              pageSize,
              since,
              poll: Schedule3.recurs(polls),
              retry: Schedule3.recurs(retries)
            }).pipe(Stream3.runForEach((item) => Effect3.sync(() => items3.push(item))))
          )
          const end4 = await run4(
            Follow4.items(source4(service4), {
              pageSize,
              since,
              poll: Schedule.recurs(polls),
              retry: Schedule.recurs(retries)
            }).pipe(Stream.runForEach((item) => Effect.sync(() => items4.push(item))))
          )
          assert.deepStrictEqual(items4, items3)
          assert.deepStrictEqual(end4, end3)
          assert.deepStrictEqual(service4.requests, service3.requests)
        }
      ),
      { numRuns }
    ), 600_000)

  it("what is processed, committed and resumed, also by each other", () =>
    fc.assert(
      fc.asyncProperty(
        scenario,
        fc.array(
          fc.record({ line: fc.constantFrom(3, 4), failAt: fc.nat(20) }),
          {
            minLength: 1,
            maxLength: 4
          }
        ),
        async ({ options: { pageSize, prefetch }, retries, size, turns }, runs) => {
          /** What each run handled, how it ended, and what was stored, with each run on the line that is given. */
          const outcome = async (lineOf: (line: number) => number) => {
            let service = new Service(size, turns)
            const stored = new Map<string, string>()
            const seen: Array<unknown> = []
            for (const { failAt, line } of runs) {
              // How far ahead a walk was when it ended depends on time, and with that what would be left for the next one.
              if (prefetch > 0) service = new Service(size, turns)
              const handled: Array<string> = []
              const handle = ({ id }: Item): "no" | undefined => handled.push(id) === failAt ? "no" : undefined
              const end = lineOf(line) === 3
                ? await process3(service, stored, handle, { pageSize, prefetch, retries })
                : await process4(service, stored, handle, { pageSize, prefetch, retries })
              seen.push(handled, end, [...stored])
            }
            return { seen, requests: prefetch === 0 ? service.requests : [] }
          }
          const expected = await outcome(() => 3)
          assert.deepStrictEqual(await outcome(() => 4), expected)
          assert.deepStrictEqual(await outcome((line) => line), expected)
        }
      ),
      { numRuns: numRuns / 2 }
    ), 600_000)
})
