import { assert, describe, it } from "@effect/vitest"
import * as Results from "@mailstream/testing/Results"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Chart from "../chart.ts"
import * as Harness from "../harness.ts"
import { parts } from "../parts.ts"
import * as Record from "../record.ts"

const samples: Harness.Samples = new Map([
  ["a bare loop", [{ wall: 190, cpu: 160.5 }, { wall: 200, cpu: 170 }, { wall: 230, cpu: 171 }]],
  ["items() | pages()", [{ wall: 210, cpu: 7 }, { wall: 220, cpu: 8.25 }, { wall: 990, cpu: 9 }]]
])

const here: Record.Measured = {
  arch: "arm64",
  machine: "2 × Neoverse-N1; Node 20",
  rows: [
    { ...Harness.peer(samples, "a bare loop"), ratio: undefined, target: undefined, reached: undefined },
    Harness.compare(samples, "items() | pages()", "a bare loop", 1.3)
  ]
}

const there: Record.Measured = {
  ...here,
  arch: "x64",
  machine: "2 × Intel: fast",
  rows: [...here.rows.slice(1), {
    what: "else",
    measured: "1.00 MB",
    ratio: undefined,
    target: undefined,
    reached: undefined
  }]
}

describe("a record", () => {
  it("is read as it was written, for one kind of machine and for two", () => {
    for (const all of [[here], [there, here]]) {
      const read = Record.read(Record.write(all))
      for (const { arch, machine, rows } of all) {
        const found = read.find((measured) => measured.arch === arch)
        assert(found !== undefined)
        assert.strictEqual(found.machine, machine)
        assert.sameDeepMembers([...found.rows], [...rows])
      }
    }
    assert.deepStrictEqual(Record.read(""), [])
  })

  it("replaces what was measured on the same kind of machine, and keeps the other", () => {
    const faster = { ...here, rows: [{ what: "else", measured: "2.00 MB" }] }
    assert.deepStrictEqual(Record.replace([there, here], faster), [there, faster])
    assert.deepStrictEqual(Record.replace([here], there), [there, here])
  })

  it("keeps rows of the same name apart", () => {
    const rows = ["1.00 s", "2.00 s"].map((measured) => ({
      what: "the walk alone",
      measured,
      ratio: undefined,
      target: undefined,
      reached: undefined
    }))
    assert.deepStrictEqual(Record.read(Record.write([{ ...here, rows }, { ...there, rows }])).map(({ rows }) => rows), [
      rows,
      rows
    ])
  })

  it("drops a verdict about another target", () => {
    const strict = { ...here, rows: [Harness.compare(samples, "items() | pages()", "a bare loop", 0.5)] }
    const [other, own] = Record.read(Record.write(Record.replace([there, here], strict)))
    assert.strictEqual(own?.rows[0]?.reached, false)
    assert.strictEqual(other?.rows[0]?.target, "at most 0.5 ×")
    assert.strictEqual(other?.rows[0]?.reached, undefined)
  })

  it("has the spreads of its measurements", () => {
    assert.deepStrictEqual(here.rows.flatMap(Record.spreads), [
      { of: "wall", median: 200, least: 190, most: 230, unit: "ms" },
      { of: "CPU", median: 170, least: 161, most: 171, unit: "ms" },
      { of: "wall", median: 220, least: 210, most: 990, unit: "ms" },
      { of: "CPU", median: 8.25, least: 7, most: 9, unit: "ms" }
    ])
    const measured = "127.8 kB, 174 (147 to 205) ms to start"
    assert.deepStrictEqual(Record.spreads({ what: "", measured }), [
      { of: "", median: 174, least: 147, most: 205, unit: "ms to start" }
    ])
  })
})

describe("a chart", () => {
  it("has a bar for each median, in the color of its contender, with its spread", () => {
    const svg = Chart.draw("walk", [here])
    assert.deepStrictEqual(svg.match(/class="(peer|own)( cpu)?"/g), [
      "class=\"peer\"",
      "class=\"peer cpu\"",
      "class=\"own\"",
      "class=\"own cpu\""
    ])
    assert.strictEqual(svg.match(/class="whisker"/g)?.length, 4)
    assert.include(svg, "prefers-color-scheme: dark")
    assert.include(svg, "wall 220 ms")
    assert.notMatch(svg, /NaN|undefined/)
  })

  it("has an axis for each unit, which says what is better", () => {
    const axes = (measured: string): ReadonlyArray<string> => {
      const svg = Chart.draw("walk", [{ ...here, rows: [{ what: "a", measured }] }])
      return [...svg.matchAll(/>([^<]* is better\))</g)].map(([, axis = ""]) => axis)
    }
    assert.deepStrictEqual(
      axes("wall 5.00 (4.00 to 6.00) µs, CPU 3.00 (2.00 to 4.00) µs per item; 1.00 (1.00 to 1.00) MB"),
      [
        "microseconds per item (less is better)",
        "MB (less is better)"
      ]
    )
    assert.deepStrictEqual(axes("900 (800 to 950) pages per second"), ["pages per second (more is better)"])
    assert.deepStrictEqual(Chart.ticks(990), [0, 250, 500, 750, 1000])
    assert.deepStrictEqual(Chart.ticks(1.41), [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5])
    for (const most of [0.03, 1, 4.1, 77, 6000, 34_844]) {
      assert.isAtLeast(Chart.ticks(most).at(-1)!, most)
      assert.isAtMost(Chart.ticks(most).length, 9)
    }
  })

  it("has a key for the colors and shapes that occur", () => {
    const key = (rows: Record.Measured["rows"]): ReadonlyArray<string> => {
      const svg = Chart.draw("walk", [{ ...here, rows }])
      return [...svg.matchAll(/class="key [^\n]*\n<text[^>]*>([^<]*)</g)].map(([, words = ""]) => words)
    }
    const spread = "fastest to slowest round; the bar is the median"
    assert.deepStrictEqual(key(here.rows), ["Mailstream", "peer", "wall time", "CPU time", spread])
    assert.deepStrictEqual(key([{ what: "a", measured: "900 (800 to 950) pages per second" }]), ["peer", spread])
  })

  it("is only drawn of spreads", () => {
    assert.isTrue(Chart.isDrawn([here]))
    assert.isFalse(Chart.isDrawn([{ ...here, rows: [{ what: "a page", measured: "8.20 ms CPU, 6.58 statements" }] }]))
  })

  it("draws each contender once, and escapes its name", () => {
    const rows = [
      { ...Harness.compare(samples, "a bare loop", "items() | pages()", 1), what: "<a> & b, over c" },
      { ...Harness.beside(samples, "a bare loop", "items() | pages()"), what: "<a> & b, over d" }
    ]
    assert.deepStrictEqual(Chart.contenders(rows).map(({ isOwn, name }) => [name, isOwn]), [["<a> & b", true]])
    assert.include(Chart.draw("walk", [{ ...here, rows }]), "&lt;a&gt; &amp; b")
  })
})

describe("RESULTS.md", () => {
  const file = fileURLToPath(new URL("../RESULTS.md", import.meta.url))
  const text = readFileSync(file, "utf8")

  it.effect("has a place for each part", () => Results.expectPlaces(file, Object.keys(parts)))

  it.each(Object.keys(parts).filter((part) => text.includes(`(${part}.svg)`)))("is drawn as it stands: %s", (part) => {
    const recorded = text.split(`<!-- ${part} -->`)[1]?.split(`<!-- end of ${part} -->`)[0]
    assert.isDefined(recorded)
    const svg = readFileSync(new URL(`../${part}.svg`, import.meta.url), "utf8")
    assert.strictEqual(svg, Chart.draw(part, Record.read(recorded)))
  })
})
