import { assert, describe, it } from "@effect/vitest"
import * as Format from "@mailstream/cli/output/Format"
import * as ItemWriter from "@mailstream/cli/output/ItemWriter"
import * as Table from "@mailstream/cli/output/Table"
import * as Live from "@mailstream/cli/terminal/Live"
import * as Text from "@mailstream/cli/terminal/Text"
import * as UsageError from "@mailstream/cli/usage/UsageError"
import * as Progress from "@mailstream/stream/Progress"
import { Duration, Effect, FastCheck, Option, Stream } from "effect"

const items = FastCheck.array(
  FastCheck.record({ id: FastCheck.uuid(), email: FastCheck.string(), name: FastCheck.fullUnicodeString() }),
  { maxLength: 12 }
)

const fields = ["id", "email", "name"]

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
    assert.deepStrictEqual(Table.layout(fields, items, { window, all: true }).hidden, [])
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
  it("is named as it is typed", () => {
    const messageOf = (option: string, names?: { readonly [option: string]: string }) =>
      UsageError.fromInvalidOption(names)({ option, description: "must be an integer from 1 to 100" }).message
    assert.strictEqual(messageOf("lanes"), "--lanes must be an integer from 1 to 100.")
    assert.strictEqual(messageOf("lockExpiration"), "--lock-expiration must be an integer from 1 to 100.")
    assert.strictEqual(messageOf("rateLimit.requests"), "--rate-limit must be an integer from 1 to 100.")
    assert.strictEqual(messageOf("url", { url: "--database" }), "--database must be an integer from 1 to 100.")
  })
})
