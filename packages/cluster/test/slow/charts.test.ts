import { HttpServer } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Health, type Status, Worker } from "@mailstream/cluster"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { browser, missing } from "@mailstream/testing/Browser"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, FastCheck, Layer } from "effect"

const slotsOf = (
  counts: ReadonlyArray<readonly [completed: number, failed: number, requests?: number]>,
  length = 900
): Status.Passes["slots"] =>
  counts.map(([completed, failed, requests = 0], at) => ({
    from: new Date(Date.UTC(2026, 10, 17, 22) + at * length * 1000).toISOString(),
    completed,
    failed,
    requests
  }))

const empty: Status.Status = {
  at: "2026-11-18T09:37:12.000Z",
  runners: [],
  accounts: {
    total: 0,
    neverCopied: 0,
    due: 0,
    working: 0,
    paused: 0,
    failing: 0,
    longestDue: 0,
    oldestCopy: undefined
  },
  copies: { every: undefined, ages: [] },
  passes: { slotLength: 900, slots: slotsOf(Array.from({ length: 48 }, () => [0, 0])) },
  hour: { slotLength: 60, slots: slotsOf(Array.from({ length: 60 }, () => [0, 0]), 60) },
  failures: []
}

const bounds = [900, 1800, 2700, 3600, 5400, 7200, 14_400, undefined]

const busy: Status.Status = {
  ...empty,
  accounts: { ...empty.accounts, total: 120, neverCopied: 4, failing: 2 },
  copies: { every: 3600, ages: bounds.map((below, at) => ({ below, count: at < 4 ? 28 : 1 })) },
  passes: { slotLength: 900, slots: slotsOf(Array.from({ length: 48 }, (_, at) => [at * 1000, at % 3])) },
  hour: { slotLength: 60, slots: slotsOf(Array.from({ length: 60 }, (_, at) => [at, at % 3, at * 100]), 60) },
  runners: [["worker-1", true], ["worker-2", false]].map(([name, isHealthy]) => ({
    id: String(name),
    name: String(name),
    version: "1.0.0",
    isHealthy: isHealthy === true,
    silentFor: 3,
    working: isHealthy === true ? 5 : 0,
    maxAccounts: 8,
    upFor: 264_100
  })),
  failures: [{
    account: "globex",
    attempts: 3,
    error: `GET https://api.example.com/${"contacts".repeat(20)}`,
    retryIn: 30
  }]
}

/** A page that shows what it is told. */
const opened = Effect.gen(function*() {
  const worker = Layer.mock(Worker.Worker, {
    name: "one",
    prefix: "",
    isReady: Effect.succeed(true),
    problem: Effect.succeedNone
  })
  const sql = Sqlite.layer({ filename: yield* Temporary.file("mail.db") })
  const server = yield* Effect.provide(
    HttpServer.HttpServer,
    yield* Layer.build(Layer.provide(Health.layer({ port: 0 }, worker), sql))
  )
  assert(server.address._tag === "TcpAddress")
  const url = `http://127.0.0.1:${server.address.port}/`
  const page = yield* Effect.flatMap(browser, (browser) => Effect.promise(() => browser.newPage()))
  const problems: Array<string> = []
  page.on("pageerror", (error) => problems.push(error.message))
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
  let status = empty
  yield* Effect.promise(() => page.route("**/status.json", (route) => route.fulfill({ json: status })))
  return {
    page,
    problems,
    show: (now: Status.Status) =>
      Effect.promise(async () => {
        status = now
        await page.goto(url)
        await page.locator("#note", { hasText: "2026" }).waitFor()
      }),
    text: (selector: string) => Effect.promise(() => page.locator(selector).innerText()),
    /** The heights of the bars of a chart, part by part. */
    heights: (chart: string) =>
      Effect.promise(() =>
        page.evaluate<ReadonlyArray<ReadonlyArray<number>>>(
          `Array.from(document.querySelectorAll("#${chart} g.column"), (column) =>
            Array.from(column.querySelectorAll("rect:not(.hover)"), (part) => Number(part.getAttribute("height"))))`
        )
      )
  }
})

/** What does not fit. */
interface Layout {
  readonly over: number
  readonly background: string
  readonly clipped: ReadonlyArray<string>
  /** Pairs of texts of a chart that overlap. */
  readonly overlapping: ReadonlyArray<string>
}

const layout = `({
  over: document.documentElement.scrollWidth - innerWidth,
  background: getComputedStyle(document.body).backgroundColor,
  clipped: Array.from(document.querySelectorAll("figure svg")).flatMap((svg) => {
    const box = svg.getBoundingClientRect()
    return Array.from(svg.querySelectorAll("text")).filter((text) => {
      const { left, right } = text.getBoundingClientRect()
      return left < box.left - 1 || right > box.right + 1
    }).map((text) => text.textContent)
  }),
  overlapping: Array.from(document.querySelectorAll("figure svg")).flatMap((svg) => {
    const boxes = Array.from(svg.querySelectorAll("text"), (text) => [text.textContent, text.getBoundingClientRect()])
    return boxes.flatMap(([one, a], at) =>
      boxes.slice(at + 1).filter(([, b]) =>
        a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom
      ).map(([other]) => one + " and " + other)
    )
  })
})`

const options = { timeout: 120_000 }

describe("the charts of the status page", () => {
  const test = it.scopedLive.skipIf(missing !== undefined)

  test(`draw what the status says, to scale, and as a table${missing ?? ""}`, () =>
    Effect.gen(function*() {
      const { heights, page, problems, show, text } = yield* opened
      const samples = FastCheck.sample(
        FastCheck.record({
          ages: FastCheck.array(FastCheck.nat({ max: 20_000 }), { minLength: 8, maxLength: 8 }),
          passes: FastCheck.array(FastCheck.tuple(FastCheck.nat({ max: 5000 }), FastCheck.nat({ max: 50 })), {
            minLength: 48,
            maxLength: 48
          })
        }),
        5
      )
      for (const { ages, passes } of samples) {
        yield* show({
          ...busy,
          copies: { every: 3600, ages: bounds.map((below, at) => ({ below, count: ages[at]! })) },
          passes: { slotLength: 900, slots: slotsOf(passes) }
        })
        const copies = yield* heights("copies")
        const values = [...ages, busy.accounts.neverCopied]
        const largest = Math.max(...values)
        const tallest = Math.max(...copies.flat())
        values.forEach((value, at) => {
          const height = copies[at]?.[0] ?? 0
          // However few: they are seen.
          assert.approximately(height, value === 0 ? 0 : Math.max(2, tallest * value / largest), 0.01)
        })
        const rows = yield* Effect.promise(() => page.locator("#copies tbody td").allTextContents())
        assert.deepStrictEqual(rows.map((row) => Number(row.replaceAll(",", ""))), values)
        const drawn = yield* heights("passes")
        assert.deepStrictEqual(
          drawn.map((parts) => parts.length),
          passes.map((parts) => parts.filter((value) => value > 0).length)
        )
        const counted = yield* Effect.promise(() => page.locator("#passes tbody td").allTextContents())
        assert.deepStrictEqual(counted.map((text) => Number(text.replaceAll(",", ""))), [...passes].reverse().flat())
        assert.match(yield* text("#passes-summary"), /completed and .* failed in the last 12 hours/)
      }
      assert.deepStrictEqual(problems, [])
    }), options)

  test(
    `have names for those who do not see them, and say what is missing${missing ?? ""}`,
    () =>
      Effect.gen(function*() {
        const { page, problems, show, text } = yield* opened
        yield* show(empty)
        assert.strictEqual(yield* text("#copies-empty"), "There are no accounts yet.")
        assert.strictEqual(yield* text("#passes-empty"), "No pass has ended in the last 12 hours.")
        assert.strictEqual(yield* text("#hour-empty"), "No pass has ended in the last hour.")
        assert.strictEqual(yield* text("#requests-empty"), "No request was sent in the last hour.")
        assert.match(yield* text("#runners-empty"), /^No worker takes part/)
        assert.strictEqual(yield* text("#failures-empty"), "No account is failing.")
        assert.strictEqual(yield* text("#state"), "no worker")
        assert.strictEqual(yield* Effect.promise(() => page.locator("figure:visible, table:visible").count()), 0)
        yield* show(busy)
        const names = yield* Effect.promise(() =>
          Promise.all(
            [
              "Copies by age Younger than 1 h",
              "Passes in the last twelve hours 1,128,000 completed and 48 failed",
              "Passes in the last hour 1,770 completed and 60 failed in the last hour, by minutes.",
              "Requests in the last hour 177,000 requests in the last hour, by minutes."
            ].map((name) => page.getByRole("img", { name }).count())
          )
        )
        assert.deepStrictEqual(names, [1, 1, 1, 1])
        assert.strictEqual(
          yield* Effect.promise(() => page.locator("#copies g.column title").first().textContent()),
          "less than 15 min: 28"
        )
        assert.strictEqual(yield* text("#state"), "a worker is lost")
        assert.match(
          yield* text("#runners tr:first-child"),
          /worker-1\s+healthy\s+1\.0\.0\s+5 of 8\s+3 d\s+3 s ago/
        )
        assert.deepStrictEqual(problems, [])
      }),
    options
  )

  test(`fit phones and desktops, light and dark${missing ?? ""}`, () =>
    Effect.gen(function*() {
      const { page, problems, show } = yield* opened
      const backgrounds = new Set<string>()
      for (const width of [320, 390, 768, 1280]) {
        for (const colorScheme of ["light", "dark"] as const) {
          yield* Effect.promise(() => page.setViewportSize({ width, height: 800 }))
          yield* Effect.promise(() => page.emulateMedia({ colorScheme }))
          yield* show(busy)
          const { background, clipped, over, overlapping } = yield* Effect.promise(() => page.evaluate<Layout>(layout))
          assert.isAtMost(over, 0, `at ${width}`)
          assert.deepStrictEqual(clipped, [], `at ${width}`)
          assert.deepStrictEqual(overlapping, [], `at ${width}`)
          backgrounds.add(background)
        }
      }
      assert.strictEqual(backgrounds.size, 2)
      assert.deepStrictEqual(problems, [])
    }), options)
})
