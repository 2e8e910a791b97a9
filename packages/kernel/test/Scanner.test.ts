import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { FastScanner } from "../src/FastScanner.ts"
import { type Envelope, type Failure, type Scanned, Scanner } from "../src/Scanner.ts"

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Outcome {
  /** The result of each chunk, up to the first failure. */
  readonly chunks: ReadonlyArray<Scanned>
  readonly items: ReadonlyArray<unknown>
  readonly end: Envelope | Failure
}

const scan = (scanner: Scanner, chunks: ReadonlyArray<Uint8Array>): Outcome => {
  const scanned: Array<Scanned> = []
  for (const chunk of chunks) {
    const last = scanner.push(chunk)
    scanned.push(last)
    if (last.failure !== undefined) return outcome(scanned, last.failure)
  }
  return outcome(scanned, scanner.end())
}

const outcome = (chunks: ReadonlyArray<Scanned>, end: Outcome["end"]): Outcome => ({
  chunks,
  items: chunks.flatMap(({ items }) => items),
  end
})

/** Splits bytes at the given offsets. */
const cut = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
}

const everywhere = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => cut(bytes, [...bytes.keys()])

/** Text that looks like the structure around it. */
const lookalike = fc.constantFrom(
  "}",
  "]",
  "},{",
  "} , {",
  "\"",
  "\\",
  "\\\"},{",
  "{\"data\":[",
  "],\"data\":[",
  "🙈é\u2028",
  ""
)
/** V8's `JSON.parse` sometimes takes the keys `"` and `\` for each other, in objects whose other keys are the same. */
const key = lookalike.filter((text) => text !== "\\")
const value = fc.oneof(
  fc.jsonValue(),
  lookalike,
  fc.array(fc.dictionary(key, lookalike, { maxKeys: 2 }), { maxLength: 3 })
)
const item = fc.oneof(
  { weight: 9, arbitrary: fc.record({ id: fc.oneof(lookalike, fc.string()), value }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: value }
)
const space = fc.constantFrom("", "", " ", "\r\n\t")
const list = fc.record({ items: fc.array(item, { maxLength: 12 }), other: value, key: lookalike, space }).map((
  { items, key, other, space }
) =>
  `${space}{"object":"list",${space}"data":[${space}${
    items.map((item) => JSON.stringify(item)).join(`${space},${space}`)
  }${space}],${JSON.stringify(key)}:${JSON.stringify(other)},"has_more"${space}:false}${space}`
)

const structure = [..."{}[],:\"\\ x0-t"].map((character) => character.charCodeAt(0))
const byte = fc.constantFrom(...structure, 0xef, 0xbb, 0xbf, 0xff, 0x80)
const damaged = fc.tuple(list, fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1), fc.array(byte, { maxLength: 2 }))))
  .map(
    ([list, faults]) =>
      faults.reduce((bytes, [place, removed, added]) => {
        const index = place % (bytes.length + 1)
        return Uint8Array.of(...bytes.subarray(0, index), ...added, ...bytes.subarray(index + removed))
      }, encode(list))
  )

const tokens = [
  "{\"a\":1}",
  "},{",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\"",
  "\\",
  " ",
  "\"data\":[",
  "\"b\":",
  "01",
  "true",
  "7"
]
const soup = fc.array(fc.constantFrom(...tokens), { maxLength: 20 }).map((tokens) =>
  encode(`{"data":[${tokens.join("")}`)
)

const body = fc.oneof(list.map(encode), damaged, soup, fc.uint8Array())
const places = fc.oneof(
  fc.array(fc.nat(), { maxLength: 6 }),
  fc.array(fc.nat(), { maxLength: 60 })
)

/** Bodies in which the last `},{` of a chunk is not, or not always, the end of an item. */
const misleading = [
  "{\"data\":[{\"a\":1},{\"b\":\"},{\"},{\"c\":[{},{}]},{}],\"has_more\":false}",
  "{\"data\":[{},{\"a\":\"\\\"},{\\\\\"},{}],\"x\":[{},{}]}",
  "{\"data\":[{}],\"data\":[{},{}]}",
  "{\"data\":[{},{\"a\":01},{},{}]}",
  "{\"data\":[{},{\"a\":1]},{},{}]}",
  "{\"data\":[1,2 , {},{}\n,\t{},null]}",
  "{\"data\":[,{},{}]}",
  "{\"data\":[{},{},]}",
  "{\"data\":[{}{},{},{}]}",
  "{\"data\":[]},{},{}",
  "{\"data\":{\"a\":[{},{}]},\"has_more\":true}",
  "\ufeff{\"data\":[{},\ufeff{},{}]}",
  "[{},{}]",
  " "
]

const runs = { numRuns: 1000 }

describe("Scanner", () => {
  it("returns the same items and the same end, whatever the chunks", () => {
    const law = (bytes: Uint8Array, chunks: ReadonlyArray<Uint8Array>) => {
      const expected = scan(new Scanner(Infinity), everywhere(bytes))
      const actual = scan(new Scanner(Infinity), chunks)
      assert.deepStrictEqual([actual.items, actual.end], [expected.items, expected.end])
    }
    fc.assert(fc.property(body, places, (bytes, places) => law(bytes, cut(bytes, places))), runs)
    for (const text of misleading) {
      const bytes = encode(text)
      for (const first of bytes.keys()) for (const second of bytes.keys()) law(bytes, cut(bytes, [first, second]))
    }
  })

  it("returns the items that `JSON.parse` finds", () => {
    fc.assert(
      fc.property(list, places, (text, places) => {
        const { end, items } = scan(new Scanner(Infinity), cut(encode(text), places))
        const { data, has_more, object } = JSON.parse(text)
        assert.deepStrictEqual(items, data)
        assert.deepStrictEqual(end, { object, has_more, data: [] })
      }),
      runs
    )
  })
})

/** Bytes that are not UTF-8: a stray one, a truncated character, an overlong form, a surrogate, a number beyond Unicode. */
const notUtf8 = ["ff", "e282", "c0af", "eda080", "f4908080"].map((hex) => Buffer.from(hex, "hex"))

describe.each([["Scanner", Scanner], ["FastScanner", FastScanner]] as const)("%s", (_, Class) => {
  const around = (before: string, bytes: Uint8Array, after: string) =>
    Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])

  it("rejects what is not UTF-8, after the items before it, wherever the chunks end", () => {
    for (const bytes of notUtf8) {
      const body = around(`{"data":[{"a":"é🙈"},{"a":1},{"a":"`, bytes, `"},{"a":2},{"a":3}],"has_more":false}`)
      for (const place of body.keys()) {
        const { end, items } = scan(new Class(Infinity), cut(body, [place]))
        assert.deepStrictEqual(items, [{ a: "é🙈" }, { a: 1 }])
        assert.deepStrictEqual(end, "NotUtf8")
      }
      for (const [before, after] of [[`{"`, `":1}`], [`{"other":"`, `"}`], [`{"data":{"a":"`, `"}}`]] as const) {
        assert.isString(scan(new Class(Infinity), everywhere(around(before, bytes, after))).end)
      }
    }
  })

  it("accepts a byte order mark at the beginning, and no part of one", () => {
    const body = Buffer.from(`{"data":[]}`)
    const marked = (hex: string) =>
      scan(new Class(Infinity), everywhere(around("", Buffer.from(hex, "hex"), `${body}`)))
    assert.deepStrictEqual(marked("efbbbf").end, { data: [] })
    for (const hex of ["ef", "bb", "bf", "efbb", "bbbf", "ef20bbbf", "efbbbfefbbbf"]) {
      assert.deepStrictEqual(marked(hex).end, "NotJson", hex)
    }
  })
})

describe("FastScanner", () => {
  const law = (chunks: ReadonlyArray<Uint8Array>, maxBytes: number) =>
    assert.deepStrictEqual(scan(new FastScanner(maxBytes), chunks), scan(new Scanner(maxBytes), chunks))

  it("returns for every chunk what a Scanner returns", () => {
    fc.assert(
      fc.property(body, places, fc.constantFrom(8, 64, Infinity), (bytes, places, maxBytes) => {
        law(cut(bytes, places), maxBytes)
      }),
      runs
    )
  })

  it("is not misled by a `},{` that does not separate items, wherever the chunks end", () => {
    for (const text of misleading) {
      const bytes = encode(text)
      for (const first of bytes.keys()) for (const second of bytes.keys()) law(cut(bytes, [first, second]), Infinity)
    }
  })

  it("holds a value that comes byte by byte in a few parts", () => {
    const scanner = new FastScanner(Infinity)
    const item = { id: "a".repeat(100_000) }
    const items = [...encode(`{"data":[${JSON.stringify(item)}`)].flatMap((byte) => {
      const { items } = scanner.push(Uint8Array.of(byte))
      assert.isBelow(scanner.pending.length, 20)
      return items
    })
    assert.deepStrictEqual(items, [item])
  })

  it("parses all items of a chunk at once", () => {
    const scanner = new FastScanner(Infinity)
    scanner.push(encode("{\"data\":["))
    let seen = 0
    // Scanned bytes are read by index; parsed bytes are copied.
    const bytes = new Proxy(encode(`${"{\"id\":\"a\"},".repeat(100)}{`), {
      get: (target, key) => {
        if (typeof key === "string" && /^\d+$/.test(key)) seen++
        const member: unknown = Reflect.get(target, key, target)
        return typeof member === "function" ? member.bind(target) : member
      }
    })
    assert.strictEqual(scanner.push(bytes).items.length, 100)
    assert.isBelow(seen, 20)
  })
})
