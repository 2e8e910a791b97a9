import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Retry from "@mailstream/cli/api/Retry"
import * as Format from "@mailstream/cli/output/Format"
import * as ItemWriter from "@mailstream/cli/output/ItemWriter"
import * as Table from "@mailstream/cli/output/Table"
import * as Live from "@mailstream/cli/terminal/Live"
import { Stdio } from "@mailstream/cli/terminal/Stdio"
import * as Text from "@mailstream/cli/terminal/Text"
import * as Command from "@mailstream/cli/usage/Command"
import * as Flag from "@mailstream/cli/usage/Flag"
import * as Value from "@mailstream/cli/usage/Value"
import { RateLimitExceeded, type RequestError, ServiceUnavailable } from "@mailstream/core"
import { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Progress from "@mailstream/stream/Progress"
import { Duration, Effect, Either, FastCheck, Layer, Option, Schedule, Stream } from "effect"

const items = FastCheck.array(
  FastCheck.record({ id: FastCheck.uuid(), email: FastCheck.string(), name: FastCheck.fullUnicodeString() }),
  { maxLength: 12 }
)

const fields = ["id", "email", "name"]

describe("--retry TIME", () => {
  const delays = (time: string, error: RequestError) => {
    const policy = Either.getOrThrow(Retry.flag("").read(time, "--retry"))
    return Effect.map(
      Schedule.run(Schedule.delays(policy!), 0, Array.from({ length: 200 }, () => error)),
      (delays) => Array.from(delays, Duration.toMillis)
    )
  }

  it.effect.prop(
    "waits for that time in all, and no longer",
    [FastCheck.integer({ min: 1, max: 3600 })],
    ([seconds]) =>
      Effect.gen(function*() {
        const waits = yield* delays(`${seconds}s`, new ServiceUnavailable({ statusCode: 503, message: "Later." }))
        // The last one is that of the decision to stop.
        assert.strictEqual(waits.reduce((sum, wait) => sum + wait, 0), seconds * 1000)
      })
  )

  it.effect("does not wait for a response that it has no time for", () =>
    Effect.gen(function*() {
      const error = new RateLimitExceeded({ statusCode: 429, message: "Later.", retryAfter: Duration.seconds(4) })
      const waits = yield* delays("10s", error)
      assert.deepStrictEqual(waits.filter((wait) => wait > 0), [4000, 4000])
    }))
})

it("a rate has the names of times, too", () => {
  const perSecond = (text: string) =>
    Either.match(Value.rate.parse(text), {
      onLeft: () => undefined,
      onRight: ({ per, requests }) => requests / Duration.toSeconds(per)
    })
  for (const text of ["5/s", "5/1s", "5/sec", "5/second", "10/2s", "300/min", "300/m", "300/minute", "18000/hour"]) {
    assert.strictEqual(perSecond(text), 5, text)
  }
  for (const text of ["5", "5/", "5/x", "5/mss", "5/sin", "5/0s"]) assert.isUndefined(perSecond(text), text)
})

describe("a table", () => {
  it.prop("is as narrow as its window, unless an id is wider", [items, FastCheck.nat(200)], ([items, window]) => {
    const layout = Table.layout(fields, items, { window })
    const ids = layout.columns.filter(({ isCut }) => !isCut).reduce((sum, { width }) => sum + width, 0)
    const least = ids + 3 * layout.columns.length
    for (const item of items) {
      assert.isAtMost(Text.width(Table.row(layout)(item).trimEnd()), Math.max(window, least))
      assert.include(Table.row(layout)(item), item.id)
    }
    assert.deepStrictEqual([...layout.columns.map(({ field }) => field), ...layout.hidden].sort(), [...fields].sort())
  })

  it.prop("hides nothing that was chosen, or that has room", [items, FastCheck.nat(200)], ([items, window]) => {
    assert.deepStrictEqual(Table.layout(fields, items, { window, only: fields }).hidden, [])
    assert.deepStrictEqual(Table.layout(fields, items).hidden, [])
  })
})

describe("the progress line", () => {
  it.prop(
    "fits into every window",
    [FastCheck.nat(), FastCheck.nat(), FastCheck.nat(), FastCheck.option(FastCheck.nat()), FastCheck.nat(120)],
    ([count, retries, millis, total, columns]) => {
      const progress = { ...Progress.initial, items: count, pages: Math.ceil(count / 100), retries }
      const line = Live.line(
        { name: "contacts", total: total ?? undefined },
        progress,
        Duration.millis(millis),
        columns
      )
      assert.isAtMost(Text.width(line), columns)
    }
  )
})

describe("an output", () => {
  it.effect.prop(
    "is the same however its items are divided into pages, and over how many runs",
    [
      items,
      FastCheck.array(FastCheck.nat(12)),
      FastCheck.constantFrom(...Format.all.filter((format) => format !== "table")),
      FastCheck.nat(12)
    ],
    ([items, cuts, format, stop]) =>
      Effect.gen(function*() {
        const formatter = Format.make(format, { known: fields }, Format.noTerminal)
        const places = [0, ...cuts.filter((cut) => cut <= items.length).sort((a, b) => a - b), items.length]
        const pages = places.slice(1).map((to, index) => ({
          items: items.slice(places[index], to),
          commit: Effect.void,
          isLast: index === places.length - 2
        }))
        let text = ""
        const write = (more: string) =>
          Effect.sync(() => {
            text += more
          })
        for (const part of [pages.slice(0, stop), pages.slice(stop)]) {
          const written = yield* ItemWriter.pages(Stream.fromIterable(part), formatter, write, {
            hasBegun: text !== "",
            hasItems: text.length > formatter.begin.length
          })
          assert.strictEqual(Option.isNone(written), part.length === 0)
        }
        assert.strictEqual(text, formatter.begin + formatter.items(items, true) + formatter.end)
      })
  )
})

describe("an option that the library refuses", () => {
  /** The command refuses this option after it has parsed its own. */
  const messageOf = (option: string, flags: Flag.Flags) =>
    Command.action(flags, () => new InvalidOption({ option, description: "must be an integer from 1 to 100" }))
      .run([], 0).pipe(Effect.flip, Effect.map(({ message }) => message))

  const flag = Flag.optional(Value.integer(0), "A number.")

  const unused = Layer.merge(Stdio.layer, NodeContext.layer)

  it.effect("is named as it is typed", () =>
    Effect.gen(function*() {
      for (
        const [option, key, name] of [
          ["lanes", "lanes", "--lanes"],
          ["lockExpiration", "lockExpiration", "--lock-expiration"],
          ["rateLimit.requests", "rateLimit", "--rate-limit"],
          ["faults.latency.delay", "latency", "--latency"],
          ["accounts[2].apiKey", "apiKey", "--api-key"]
        ] as const
      ) {
        const message = yield* messageOf(option, { faults: flag, accounts: flag, [key]: flag })
        assert.strictEqual(message, `${name} must be an integer from 1 to 100.`)
      }
    }).pipe(Effect.provide(unused)))

  it.effect("keeps its name if it cannot be typed", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* messageOf("slice", { lanes: flag }), "slice must be an integer from 1 to 100.")
      assert.strictEqual(yield* messageOf("apiKey", {}), "The API key must be an integer from 1 to 100.")
      assert.strictEqual(
        yield* messageOf("whole", { whole: Flag.constant(false) }),
        "whole must be an integer from 1 to 100."
      )
    }).pipe(Effect.provide(unused)))
})
