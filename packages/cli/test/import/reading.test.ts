import { assert, describe, it } from "@effect/vitest"
import * as Cells from "@mailstream/cli/import/Cells"
import * as Columns from "@mailstream/cli/import/Columns"
import * as Reading from "@mailstream/cli/import/Reading"
import * as Records from "@mailstream/cli/import/Records"
import * as Refusal from "@mailstream/cli/import/Refusal"
import type * as Row from "@mailstream/cli/import/Row"
import * as Csv from "@mailstream/cli/output/Csv"
import { idOf } from "@mailstream/testing/Sample"
import { Either, FastCheck as fc } from "effect"

/** Texts with everything that means something in CSV. */
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "ß", "😀", "\"", ",", ";", "\t", "\n", "\r", " ", "=", "'"), maxLength: 6 }),
  fc.string({ unit: "grapheme", maxLength: 6 })
)

/** Cuts bytes at any places. */
const cut = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...sorted].map((place, index) => bytes.subarray(place, sorted[index] ?? bytes.length))
}

const split = (splitter: Records.Splitter, chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<Records.Record> => [
  ...chunks.flatMap(splitter.push),
  ...splitter.end()
]

const places = fc.array(fc.nat(10_000), { maxLength: 12 })

/** A file with some quoting, and the cells that are in it. */
const file = fc.record({
  separator: fc.constantFrom(...Cells.separators),
  lineBreak: fc.constantFrom("\n", "\r\n", "\r"),
  hasMark: fc.boolean(),
  hasLastBreak: fc.boolean(),
  rows: fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
}).map(({ hasLastBreak, hasMark, lineBreak, rows, separator }) => {
  const written = (text: string, isQuoted: boolean) =>
    isQuoted || /[",;\t\r\n]|^ /.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
  const body = rows.map((row) => row.map(([text, isQuoted]) => written(text, isQuoted)).join(separator)).join(lineBreak)
  return {
    separator,
    rows: rows.map((row) => row.map(([text]) => text)),
    bytes: Buffer.from((hasMark ? "\ufeff" : "") + body + (hasLastBreak ? lineBreak : ""))
  }
})

const options: Reading.Options = {
  input: "csv",
  separator: undefined,
  segment: [],
  map: [],
  properties: undefined,
  ignoreOtherColumns: false
}

const readAll = (text: string | Uint8Array, given: Partial<Reading.Options> = {}) => {
  const reader = Reading.make({ ...options, ...given })
  return split(reader.splitter, [Buffer.from(text)]).map(reader.read).filter(({ _tag }) => _tag !== "Nothing")
}

describe("CSV", () => {
  it("written with any quoting is read back, wherever it is cut", () => {
    fc.assert(
      fc.property(file, places, ({ bytes, rows, separator }, places) => {
        const records = split(Records.csv(separator), cut(bytes, places))
        assert.deepStrictEqual(Buffer.concat(records.map(({ raw }) => raw)), bytes)
        const found = records.map((record) => Cells.parse(Records.textOf(record) ?? "", separator))
        assert.isTrue(found.every(({ problem }) => problem === undefined))
        assert.deepStrictEqual(found.map(({ cells }) => cells), rows)
      }),
      { numRuns: 1000 }
    )
  })

  it("of any bytes is split the same way, wherever it is cut, and no byte is lost", () => {
    const bytes = fc.array(fc.constantFrom(...Buffer.from("ab\",;\t\r\n \"\n\r"), 0xef, 0xbb, 0xbf), { maxLength: 60 })
    fc.assert(
      fc.property(bytes, places, (array, places) => {
        const bytes = Uint8Array.from(array)
        for (const make of [() => Records.csv(), () => Records.csv(";"), () => Records.lines()]) {
          const whole = split(make(), [bytes])
          const parts = split(make(), cut(bytes, places))
          const plain = (records: ReadonlyArray<Records.Record>) =>
            records.map((record) => ({ ...record, raw: Buffer.from(record.raw).toString("hex") }))
          assert.deepStrictEqual(plain(parts), plain(whole))
          assert.deepStrictEqual(Buffer.concat(whole.map(({ raw }) => raw)), Buffer.from(bytes))
        }
      }),
      { numRuns: 1000 }
    )
  })

  it("has line numbers that count the lines within cells", () => {
    const records = split(Records.csv(), [Buffer.from("a,b\r\n\"x\ny\",1\r\n\n\"z\",2")])
    assert.deepStrictEqual(records.map(({ line }) => line), [1, 2, 4, 5])
  })

  it("has the separator that its header has most of, outside of quotes", () => {
    assert.strictEqual(Cells.separatorOf("email"), ",")
    assert.strictEqual(Cells.separatorOf("email;first, name;last"), ";")
    assert.strictEqual(Cells.separatorOf("email\tname"), "\t")
    assert.strictEqual(Cells.separatorOf("\"a;b;c\",d"), ",")
  })

  it("keeps at most the limit of a record, and says where a quote is not closed", () => {
    const records = split(Records.csv(",", 10), [Buffer.from("a,b\n0123456789ABC,x\nc,d\ne,\"never closed\nf,g\n")])
    assert.deepStrictEqual(
      records.map(({ isUnclosed, line, raw, size }) => [line, Buffer.from(raw).toString(), size, isUnclosed]),
      [[1, "a,b\n", 4, false], [2, "0123456789", 16, false], [3, "c,d\n", 4, false], [4, "e,\"never c", 11, true]]
    )
  })

  it("refuses what cannot be understood, and nothing else", () => {
    const long = "x".repeat(Records.limit)
    const lines = [
      "email,first_name",
      "a@example.com,Ada",
      "b@example.com,\"B\"ob",
      "c@example.com",
      "d@example.com,D,more",
      "e@example.com,E,",
      ",",
      "f@example.com," + long,
      "not an address,F",
      "g@example.com,\"G"
    ].join("\n")
    assert.deepStrictEqual(
      readAll(lines).map((read) =>
        read._tag === "Refused"
          ? [read.refusal.line, read.refusal.reason]
          : read._tag === "Contact"
          ? read.contact.create.email
          : read
      ),
      [
        "a@example.com",
        [3, "there is text after the closing quote of a cell; inside quotes, write a quote as two"],
        [4, "the line has 1 cells, the header 2"],
        [5, "the line has 3 cells, the header 2"],
        "e@example.com",
        [8, "the line has 1048591 bytes; at most 1048576 are read"],
        [9, "The `email` field must be an email address."],
        [10, "a quoted cell is not closed"]
      ]
    )
    assert.deepInclude(readAll(Buffer.from("email\na@b.c\xff\n", "latin1"))[0], {
      refusal: { line: 2, reason: "not UTF-8; save the file as UTF-8", original: ["a@b.c\ufffd"] }
    })
    assert.deepStrictEqual(readAll(Buffer.from("\ufeffemail\n", "utf16le"))[0], {
      _tag: "Unreadable",
      problem: "line 1 is not UTF-8; save the file as UTF-8"
    })
  })
})

describe("columns", () => {
  const assign = (header: ReadonlyArray<string>, given: Partial<Columns.Options> = {}) =>
    Columns.assign(header, { ...options, ...given })

  const shown = (header: ReadonlyArray<string>, given: Partial<Columns.Options> = {}) =>
    Either.map(
      assign(header, given),
      (targets) =>
        targets.map((target) =>
          target._tag === "Field" ? target.field : target._tag === "Ignored" ? "-" : `${target.key}:${target.type}`
        )
    )

  const mapped = (text: string) => Either.getOrThrow(Columns.mapping.parse(text))

  it("are known by their usual names", () => {
    const names = [
      "E-Mail Address",
      "First name",
      "last_name",
      "Unsubscribed",
      "Segments",
      "id",
      "created_at",
      "object"
    ]
    assert.deepStrictEqual(
      shown(names),
      Either.right(["email", "first_name", "last_name", "unsubscribed", "segments", "-", "-", "-"])
    )
    for (const name of ["email", "E-mail", "EMAIL", "Email Address", "email_address"]) {
      assert.deepStrictEqual(shown([name]), Either.right(["email"]))
    }
  })

  it("that are unknown are listed, with what to type", () => {
    assert.deepStrictEqual(
      shown(["email", "Firma", "Größe"]),
      Either.left(
        "unknown columns 'Firma', 'Größe'. Say what they are, as in --map 'Firma=properties.firma' or " +
          "--map 'Firma=first_name'; or make them properties with --properties all, or leave them out with --ignore-other-columns"
      )
    )
    // It would be the opposite of a known one.
    assert.isTrue(Either.isLeft(shown(["email", "subscribed"])))
  })

  it("become what the options say", () => {
    const header = ["Adresse", "Vorname", "Firma", "Alter"]
    const map = mapped("Adresse=email,Vorname=first_name")
    assert.deepStrictEqual(
      shown(header, { map, properties: "all" }),
      Either.right(["email", "first_name", "Firma:string", "Alter:string"])
    )
    assert.deepStrictEqual(shown(header, { map, properties: "none" }), Either.right(["email", "first_name", "-", "-"]))
    assert.deepStrictEqual(
      shown(header, { map, properties: ["Firma"], ignoreOtherColumns: true }),
      Either.right(["email", "first_name", "Firma:string", "-"])
    )
    assert.deepStrictEqual(
      shown(header, { map: [...map, ...mapped("Firma=ignore,Alter=properties.age:number")] }),
      Either.right(["email", "first_name", "-", "age:number"])
    )
    assert.deepStrictEqual(shown(["a,b=c"], { map: mapped("a,b=c=email") }), Either.right(["email"]))
  })

  it("that contradict each other are an error", () => {
    const problems = [
      shown(["name"], { properties: "all" }),
      shown(["email", "E-Mail"]),
      shown(["email"], { map: mapped("Vorname=first_name") }),
      shown(["email", "Company name"], { properties: "all" })
    ]
    assert.deepStrictEqual(problems, [
      Either.left("has no column for the email address; say which it is, as in --map 'name=email'"),
      Either.left("'email', 'E-Mail' are all email; leave all but one out, as in --map 'E-Mail=ignore'"),
      Either.left("has no column 'Vorname'; its columns are 'email'"),
      Either.left(
        "'Company name' cannot be the name of a property, which has letters, digits and underscores: use --map " +
          "'Company name=properties.company_name'"
      )
    ])
  })

  it("of --map must be fields", () => {
    for (const text of ["", "x", "=email", "a=b", "a=email,b", "a=properties.", "a=properties.x y"]) {
      assert.isTrue(Either.isLeft(Columns.mapping.parse(text)), text)
    }
  })
})

describe("a line", () => {
  const contactOf = (fields: string, given: Partial<Reading.Options> = {}) => {
    const [read] = readAll(fields, { input: "ndjson", ...given })
    return read?._tag === "Contact" ? read.contact : read?._tag === "Refused" ? read.refusal.reason : read
  }

  it("is a contact, whose empty cells are absent", () => {
    const [one, two] = [idOf(1), idOf(2)]
    const [read] = readAll(
      "email,first_name,last_name,unsubscribed,segments,topics\n" +
        ` a@b.c , Ada,, YES ,s1;s2,${one} ${two}:opt_out\n`
    )
    assert(read?._tag === "Contact")
    assert.deepStrictEqual(read.contact, {
      create: {
        email: "a@b.c",
        first_name: "Ada",
        unsubscribed: true,
        segments: [{ id: "s1" }, { id: "s2" }],
        topics: [{ id: one, subscription: "opt_in" }, { id: two, subscription: "opt_out" }]
      },
      update: { first_name: "Ada", unsubscribed: true }
    } as unknown as Row.Contact)
  })

  it("of JSON is a contact", () => {
    assert.deepStrictEqual(
      contactOf(
        "{\"email\":\"a@b.c\",\"first_name\":null,\"unsubscribed\":0,\"properties\":{\"x\":1},\"segments\":[\"s\",{\"id\":\"t\"}]}"
      ),
      {
        create: {
          email: "a@b.c",
          first_name: null,
          unsubscribed: false,
          properties: { x: 1 },
          segments: [{ id: "s" }, { id: "t" }]
        },
        update: { first_name: null, unsubscribed: false, properties: { x: 1 } }
      } as unknown as Row.Contact
    )
    assert.deepStrictEqual(contactOf("{\"email\":\"a@b.c\"}"), { create: { email: "a@b.c" }, update: undefined })
  })

  it("is refused for what is wrong with it", () => {
    const unsubscribed = "The `unsubscribed` field must be true or false, yes or no, 1 or 0."
    const reasons: ReadonlyArray<readonly [string, string]> = [
      ["{\"first_name\":\"Ada\"}", "Missing `email` field."],
      ["{\"email\":\"a@b.c\",\"unsubscribed\":\"perhaps\"}", unsubscribed],
      ["{\"email\":\"a@b.c\",\"first_name\":5}", "The `first_name` field must be a string, or null."],
      ["{\"email\":\"a@b.c\",\"properties\":[]}", "The `properties` field must be an object."],
      ["[1]", "the line is not a JSON object"],
      ["{\"email\":", "the line is not a JSON object"]
    ]
    for (const [line, reason] of reasons) assert.strictEqual(contactOf(line), reason)
    const map = Either.getOrThrow(Columns.mapping.parse("age=properties.age:number"))
    assert.strictEqual(
      contactOf("{\"email\":\"a@b.c\",\"age\":\"old\"}", { map }),
      "The property `age` must be a number."
    )
    assert.deepInclude(contactOf("{\"email\":\"a@b.c\",\"age\":\"36\"}", { map }), {
      update: { properties: { age: 36 } }
    })
  })

  it("of JSON with an unknown field stops an import only as the first one", () => {
    const [first] = readAll("{\"email\":\"a@b.c\",\"x\":1}", { input: "ndjson" })
    assert.strictEqual(first?._tag, "Unreadable")
    const [, second] = readAll("{\"email\":\"a@b.c\"}\n{\"email\":\"a@b.c\",\"x\":1}", { input: "ndjson" })
    assert.strictEqual(second?._tag, "Refused")
  })
})

describe("refused lines", () => {
  /** What a spreadsheet shows, and what CSV of this program can hold. */
  const visible = cell.map((text) => text.replace(/\p{Cc}/gu, ""))

  it("are read back as they were", () => {
    fc.assert(
      fc.property(fc.array(visible, { minLength: 2, maxLength: 2 }), fc.string(), (cells, reason) => {
        const header = ["email", "first_name"]
        const written = Refusal.begin("csv", header) +
          Refusal.line("csv", header, { line: 7, reason, original: cells })
        const reader = Reading.make(options)
        const reads = split(reader.splitter, [Buffer.from(written)]).map(reader.read)
        assert.deepStrictEqual(reader.header(), ["refused_line", "refused_because", ...header])
        const read = reads[1]
        const original = read?._tag === "Contact"
          ? read.original
          : read?._tag === "Refused"
          ? read.refusal.original
          : []
        assert.deepStrictEqual((original as ReadonlyArray<string>).slice(2), cells)
        // Refused again, they have the same columns.
        const again = Refusal.line("csv", reader.header(), { line: 7, reason, original })
        assert.strictEqual(Refusal.begin("csv", reader.header()) + again, written)
      })
    )
  })

  it("hold no formula, whatever was in them", () => {
    const header = ["email", "=1+1"]
    const text = Refusal.begin("csv", header) +
      Refusal.line("csv", header, { line: 2, reason: "@x", original: ["=cmd|' /C calc'!A0", "a;=2"] })
    assert.strictEqual(
      text,
      "refused_line,refused_because,email,'=1+1\r\n2,'@x,\"'=cmd|' /C calc'!A0\",\"a;'=2\"\r\n"
    )
  })

  it("of JSON keep their fields", () => {
    const original = JSON.parse("{\"email\":1,\"refused_line\":3,\"__proto__\":2}")
    assert.strictEqual(
      Refusal.line("ndjson", [], { line: 9, reason: "no", original }),
      "{\"refused_line\":9,\"refused_because\":\"no\",\"email\":1,\"__proto__\":2}\n"
    )
    assert.strictEqual(
      Refusal.line("ndjson", [], { line: 9, reason: "no", original: "{" }),
      "{\"refused_line\":9,\"refused_because\":\"no\",\"original\":\"{\"}\n"
    )
  })

  it("replace other refused lines only", () => {
    assert.isTrue(Refusal.isReplaceable("csv", ""))
    assert.isTrue(Refusal.isReplaceable("csv", "refused_line,refused_because,email"))
    assert.isTrue(Refusal.isReplaceable("csv", "refus"))
    assert.isFalse(Refusal.isReplaceable("csv", "email,first_name"))
    assert.isFalse(Refusal.isReplaceable("ndjson", "{\"email\":1}"))
  })

  it("get back every text that the defusing of formulas has changed", () => {
    fc.assert(fc.property(visible, (text) => {
      const [written = ""] = Cells.parse(Csv.cell(text), ",").cells
      assert.strictEqual(Csv.restored(written), text)
    }))
  })
})
