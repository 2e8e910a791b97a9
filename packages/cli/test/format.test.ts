import { assert, describe, it } from "@effect/vitest"
import * as AnyList from "@mailstream/cli/api/AnyList"
import * as Csv from "@mailstream/cli/output/Csv"
import * as Format from "@mailstream/cli/output/Format"
import * as Table from "@mailstream/cli/output/Table"
import * as Text from "@mailstream/cli/terminal/Text"
import { Contact, Resource } from "@mailstream/core"
import { FastCheck } from "effect"

/** A CSV reader as in RFC 4180, independent of the writer. */
const readCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  let at = 0
  while (at < text.length) {
    let cell = ""
    if (text[at] === "\"") {
      at++
      for (;;) {
        if (text[at] === "\"" && text[at + 1] === "\"") {
          cell += "\""
          at += 2
        } else if (text[at] === "\"") {
          at++
          break
        } else cell += text[at++]
      }
    } else {
      while (at < text.length && text[at] !== "," && !text.startsWith("\r\n", at)) cell += text[at++]
    }
    row.push(cell)
    if (text[at] === ",") at++
    else {
      assert.isTrue(text.startsWith("\r\n", at), "a line ends in CR LF")
      at += 2
      rows.push(row)
      row = []
    }
  }
  return rows
}

const fields = Format.fieldsOf(Contact)
const flags = Format.flagsOf(Contact)
const known = { known: fields, flags }

/** Any JSON value of a field. */
const value = FastCheck.oneof(
  FastCheck.string({ unit: "binary" }).filter((text) => !/\p{Cs}/u.test(text)),
  FastCheck.constantFrom("=1+1", "+49", "-1", "@x", "\tx", "\rx", "a,b", "say \"x\"", "a\r\nb", ""),
  FastCheck.integer(),
  FastCheck.boolean(),
  FastCheck.constant(null),
  FastCheck.array(FastCheck.string())
)
const item = FastCheck.record(
  { id: FastCheck.uuid(), email: value, first_name: value, new_field: value },
  { requiredKeys: ["id"] }
)

/** What spreadsheets may ignore at the beginning of a cell. */
const ignored = String.raw`[\s"\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*`

/** What the README says to undo. */
const added = new RegExp(`((?:^|[;|\\t\\n\\r\\u2028\\u2029])${ignored})'(?='*[=+\\-@＝＋－＠﹦﹢﹣﹫−])`, "gu")

const restored = (cell: string): string => cell.replace(added, "$1")

/** What a text becomes that has other control characters than line breaks and tabs. */
const visible = (text: string): string =>
  text.replace(/[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * The cells that a spreadsheet sees that splits lines at these separators. As in LibreOffice, a quote means something only
 * where a cell begins, and what follows the closing one is a part of the cell.
 */
const cellsOf = (text: string, separators: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let [cell, isQuoted, isNew] = ["", false, true]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (isQuoted) {
      if (character !== "\"") cell += character
      else if (text[at + 1] === "\"") cell += text[++at]
      else isQuoted = false
    } else if (isNew && character === "\"") {
      isQuoted = true
      isNew = false
    } else if (separators.includes(character) || /[\r\n]/.test(character)) {
      cells.push(cell)
      cell = ""
      isNew = true
    } else {
      cell += character
      isNew = false
    }
  }
  return [...cells, cell]
}

/** Text made of what can go wrong. */
const hostile = FastCheck.array(
  FastCheck.constantFrom(
    ..."=+-@＝－;|\t,\"' \r\n\ufeff\u00a0\u200b\u0000\u001b\u034f\ufe0f\u3164\u115f\u2800\u0301",
    "1",
    "a",
    "=1+41",
    "\r\n",
    "{",
    "}"
  ),
  { maxLength: 12 }
).map((parts) => parts.join(""))

describe("csv", () => {
  const textOf = (items: ReadonlyArray<object>, chosen?: ReadonlyArray<string>) => {
    const formatter = Format.make("csv", { ...known, chosen }, Format.noTerminal)
    return formatter.begin + formatter.items(items, true) + formatter.end
  }

  it("reads back as it was, whatever the values", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(item, { maxLength: 5 }), (items) => {
      const rows = readCsv(textOf(items))
      assert.deepStrictEqual(rows[0], [...fields, "other_fields"])
      assert.strictEqual(rows.length, items.length + 1)
      for (const [index, item] of items.entries()) {
        const cells = rows[index + 1]!
        assert.strictEqual(cells.length, fields.length + 1)
        for (const [column, field] of fields.entries()) {
          const given: unknown = Reflect.get(item, field)
          const cell = cells[column]!
          if (typeof given === "string") {
            assert.strictEqual(restored(cell), visible(given))
            assert.notMatch(cell, /^[=+\-@]/)
          } else {
            const parsed: unknown = cell === "" ? null : JSON.parse(cell)
            assert.deepStrictEqual(parsed, given === undefined ? null : JSON.parse(JSON.stringify(given)))
          }
        }
        const others = cells.at(-1)!
        assert.deepStrictEqual(
          others === "" ? {} : JSON.parse(others),
          item.new_field === undefined ? {} : { new_field: JSON.parse(JSON.stringify(item.new_field)) }
        )
      }
    }))
  })

  it.each([",", ";", "\t", "|", ",;", ",;\t", ";\t", ",;\t|"])("has no cell that is a formula, if %j separates cells", (
    separators
  ) => {
    const any = FastCheck.oneof(
      hostile,
      FastCheck.integer(),
      FastCheck.double({ noNaN: true, noDefaultInfinity: true }),
      FastCheck.array(hostile, { maxLength: 3 })
    )
    const rows = FastCheck.array(FastCheck.record({ id: any, email: any, first_name: any, more: hostile }), {
      maxLength: 4
    })
    FastCheck.assert(
      FastCheck.property(rows, FastCheck.boolean(), (rows, isReversed) => {
        const chosen = ["id", "email", "first_name", "other_fields"]
        for (const cell of cellsOf(textOf(rows, isReversed ? chosen.reverse() : chosen), separators)) {
          if (/^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(cell)) continue
          assert.notMatch(cell, new RegExp(`^${ignored}[=+\\-@＝＋－＠]`, "u"))
        }
      }),
      { numRuns: 1000 }
    )
  })

  it("defuses formulas, also after another separator, and leaves numbers and ordinary text alone", () => {
    const cells: ReadonlyArray<readonly [value: unknown, cell: string]> = [
      ["=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""],
      ["+1", "'+1"],
      ["-1", "'-1"],
      ["@SUM(1)", "'@SUM(1)"],
      ["＝1", "'＝1"],
      ["'=1", "''=1"],
      ["\t=1", "\"\t'=1\""],
      ["\r=1", "\"\r'=1\""],
      ["Bob;=1+41;", "\"Bob;'=1+41;\""],
      ["Bob\t=1+41\t", "\"Bob\t'=1+41\t\""],
      ["a|\"\"-1", "\"a|\"\"\"\"'-1\""],
      ["a\n=1;", "\"a\n'=1;\""],
      ["a; b", "\"a; b\""],
      [-1, "-1"],
      ["a-b", "a-b"],
      ["O'Brien", "O'Brien"],
      ["a,b", "\"a,b\""],
      ["a\u001b[2Jb\u009b", "a\\u001b[2Jb\\u009b"],
      [{ a: 1 }, "\"{\"\"a\"\":1}\""],
      [["x;=1"], "\"[\"\"x;\\u003d1\"\"]\""]
    ]
    for (const [value, cell] of cells) assert.strictEqual(Csv.cell(value), cell)
    // Where the comma does not separate cells, it would be `-1,5+A1`.
    assert.strictEqual(Csv.line([-1, "5+A1", -1]), "'-1,5+A1,-1\r\n")
  })

  it("has the fields of every list in its header", () => {
    for (const resource of Resource.all) {
      assert.include(Format.fieldsOf(resource.item), "id", resource.name)
    }
    assert.deepStrictEqual(fields, ["id", "email", "first_name", "last_name", "created_at", "unsubscribed"])
  })
})

describe("json and ndjson", () => {
  it("keep every field in order, and hold no control characters", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(item, { maxLength: 5 }), FastCheck.nat(5), (items, cut) => {
      const [first, second] = [items.slice(0, cut), items.slice(cut)]
      for (const format of ["ndjson", "json"] as const) {
        const formatter = Format.make(format, known, Format.noTerminal)
        const text = formatter.begin + formatter.items(first, true) +
          formatter.items(second, first.length === 0) + formatter.end
        assert.notMatch(text, /[\0-\x09\x0b-\x1f\x7f-\x9f]/)
        const read = format === "json"
          ? JSON.parse(text)
          : text.split("\n").slice(0, -1).map((line) => JSON.parse(line))
        assert.strictEqual(JSON.stringify(read), JSON.stringify(items))
      }
    }))
  })
})

describe("table", () => {
  const shown = (items: ReadonlyArray<object>, columns: number, chosen?: ReadonlyArray<string>) =>
    Format.make("table", { known: fields, flags, chosen }, { isTerminal: true, columns, hasColors: false })
      .items(items, true).split("\n")

  const contact = { id: "0".repeat(36), email: "somebody@example.com", first_name: null, last_name: null }
  const full = {
    ...contact,
    first_name: "Ada",
    last_name: "Lovelace",
    created_at: "2025-11-30 20:41:40.84216+00",
    unsubscribed: true
  }

  /** The least width of a window that has room for an id, and for what names an item. */
  const narrow = 58

  /** Control characters, and marks that change the direction of text. */
  const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u

  it("has complete ids, is otherwise never wider than the window, and holds no control characters", () => {
    const items = FastCheck.array(item, { minLength: 1, maxLength: 5 })
    FastCheck.assert(FastCheck.property(items, FastCheck.integer({ min: narrow, max: 200 }), (items, columns) => {
      const lines = shown(items, columns)
      assert.strictEqual(lines.length, items.length + 2)
      for (const line of lines) {
        assert.isAtMost(Text.width(line), Math.max(36, columns))
        assert.notMatch(line, unsafe)
      }
      for (const [index, { id }] of items.entries()) assert.isTrue(lines[index + 1]!.startsWith(id))
    }))
  })

  it("is aligned by the width of characters, not their number", () => {
    const [head, ...rows] = shown([
      { id: "1", email: "a@b.c", first_name: "欧阳", last_name: "x" },
      { id: "2", email: "a@b.c", first_name: "e\u0301🙂👨‍👩‍👧", last_name: "x" },
      { id: "3", email: "a@b.c", first_name: "Ada", last_name: "x" },
      { id: "4", email: "a@b.c", first_name: "ㅎ한", last_name: "x" }
    ], 200)
    const at = Text.width(head!.slice(0, head!.indexOf("last_name")))
    for (const row of rows.slice(0, 4)) assert.strictEqual(Text.width(row.slice(0, row.lastIndexOf("x"))), at)
  })

  it("has the columns that fit into the window, whatever the items hold: an id, a name, flags, the rest, times", () => {
    for (const item of [contact, full, { id: "1" }]) {
      const header = (columns: number) => shown([item], columns)[0]!.split(/ +/)
      assert.deepStrictEqual(header(200), fields)
      assert.deepStrictEqual(header(121), fields)
      assert.deepStrictEqual(header(100), ["id", "email", "first_name", "last_name", "unsubscribed"])
      assert.deepStrictEqual(header(80), ["id", "email", "unsubscribed"])
      assert.deepStrictEqual(header(narrow), ["id", "email"])
    }
  })

  it("has what names an item of every list, down to the narrowest table", () => {
    const label = (resource: typeof Resource.all[number], columns: number) =>
      Table.fitting(Format.fieldsOf(resource.item), Format.flagsOf(resource.item), columns)
    for (const resource of Resource.all) {
      for (const columns of [narrow, 80, 100, 200]) {
        const kept = label(resource, columns)
        assert.strictEqual(kept?.[0], "id", resource.name)
        const fields = Format.fieldsOf(resource.item)
        // What has none of these names is named by its second field: the key of a property, the endpoint of a webhook.
        const name = ["subject", "email", "name", "filename"].find((field) => fields.includes(field)) ?? fields[1]
        assert.include(kept, name, resource.name)
      }
      assert.isUndefined(label(resource, narrow - 1))
    }
  })

  it("has the columns that users look for, and a wider window has all that a narrower one has", () => {
    const kept = (name: string, columns: number) => {
      const { fields, flags, order } = AnyList.named(name)
      return Table.fitting(fields, flags, columns, order) ?? []
    }
    assert.deepStrictEqual(kept("emails", 80), ["id", "to", "subject"])
    assert.deepStrictEqual(kept("emails", 100), ["id", "to", "subject", "last_event"])
    assert.deepStrictEqual(kept("emails", 121), ["id", "to", "from", "created_at", "subject", "last_event"])
    assert.deepStrictEqual(kept("received-emails", 80), ["id", "from", "subject"])
    assert.deepStrictEqual(kept("broadcasts", 100), ["id", "name", "status", "created_at"])
    assert.deepStrictEqual(kept("contacts", 90), ["id", "email", "first_name", "last_name"])
    const names = FastCheck.constantFrom(...Resource.all.map(({ name }) => name))
    const width = FastCheck.integer({ min: narrow, max: 300 })
    FastCheck.assert(FastCheck.property(names, width, FastCheck.nat(60), (name, columns, more) => {
      const [fewer, wider] = [kept(name, columns), kept(name, columns + more)]
      assert.deepStrictEqual(fewer.filter((field) => !wider.includes(field)), [])
    }))
  })

  it("of anything else is a line for each field in a narrow window, its id first", () => {
    const terminal = (columns: number) => ({ isTerminal: true, columns, hasColors: false })
    const created = { object: "topic", id: contact.id }
    const topic = (columns: number) => Format.make("table", { known: ["object", "id"] }, terminal(columns))
    assert.strictEqual(topic(40).items([created], true), `${contact.id}\n  object  topic\n\n`)
    assert.strictEqual(topic(80).items([created], true), `${"id".padEnd(36)}  object\n${contact.id}  topic\n`)
    const change = { seq: 1, at: "2025-11-30T20:41:40.842Z", kind: "Created", item: contact }
    const changes = (columns: number) => {
      const formatter = Format.make("table", {
        known: ["seq", "at", "kind", "fields", "item", "before"],
        order: ["seq", "kind", "item", "at"]
      }, terminal(columns))
      return formatter.items([change], true) + formatter.items([{ ...change, seq: 123_456_789 }], false)
    }
    for (const columns of [30, 40, 57, 58, 80, 100, 200]) {
      assert.match(changes(columns), /^123456789( |$)/m, String(columns))
      assert.match(changes(columns), /\bitem\b/, String(columns))
    }
    assert.strictEqual(changes(40).split("\n")[3], `  item    ${JSON.stringify(contact).slice(0, 29)}…`)
  })

  it("is a line for each field in a narrower window, with complete ids", () => {
    assert.deepStrictEqual(shown([full, contact], 45), [
      full.id,
      "  email         somebody@example.com",
      "  first_name    Ada",
      "  last_name     Lovelace",
      "  created_at    2025-11-30 20:41:40.84216+00",
      "  unsubscribed  true",
      "",
      contact.id,
      "  email         somebody@example.com",
      "",
      ""
    ])
    const items = FastCheck.array(item, { minLength: 1, maxLength: 5 })
    FastCheck.assert(FastCheck.property(items, FastCheck.integer({ min: 20, max: narrow - 1 }), (items, columns) => {
      const lines = shown(items, columns)
      for (const line of lines) {
        assert.isAtMost(Text.width(line), Math.max(36, columns))
        assert.notMatch(line, unsafe)
      }
      for (const { id } of items) assert.include(lines, id)
    }))
  })

  it("says which columns it has no room for", () => {
    const hidden = (columns: number) => {
      const formatter = Format.make("table", known, { isTerminal: true, columns, hasColors: false })
      formatter.items([full], true)
      return formatter.hidden?.()
    }
    assert.deepStrictEqual(hidden(80), ["first_name", "last_name", "created_at"])
    assert.deepStrictEqual(hidden(200), [])
  })

  it("has the chosen columns in their order, whatever the window", () => {
    const chosen = ["unsubscribed", "id", "other_fields", "created_at"]
    for (const columns of [200, 80, 20]) {
      const [header = "", row = ""] = shown([{ ...full, score: 3 }], columns, chosen)
      if (columns > 20) assert.deepStrictEqual(header.split(/ +/), chosen)
      assert.include(row, full.id)
    }
    assert.match(shown([{ ...full, score: 3 }], 200, chosen)[1]!, /^true +0{36} {2}\{"score":3\} +2025-/)
  })

  it("is not cut without a window, and keeps the layout of the first items", () => {
    const formatter = Format.make("table", { known: ["id", "name"] }, Format.noTerminal)
    assert.strictEqual(formatter.items([{ id: "1", name: "a" }], true), "id  name\n1   a\n")
    assert.strictEqual(formatter.items([{ id: "22222", name: "b" }], false), "22222  b\n")
  })

  it("cuts later items to the window, but not their ids", () => {
    const formatter = Format.make("table", { known: ["id", "name", "x"] }, {
      isTerminal: true,
      columns: 20,
      hasColors: false
    })
    assert.strictEqual(formatter.items([{ id: "1", name: "abc", x: "y" }], true), "id  name  x\n1   abc   y\n")
    assert.strictEqual(formatter.items([{ id: "22222", name: "b".repeat(30), x: "y" }], false), "22222  bbb…  y\n")
  })
})

describe("chosen columns", () => {
  const item = { id: "1", email: "a@b.c", first_name: "=1", score: 3 }
  const text = (format: Format.Format, chosen: ReadonlyArray<string>) => {
    const formatter = Format.make(format, { known: fields, chosen }, Format.noTerminal)
    return formatter.begin + formatter.items([item], true) + formatter.end
  }

  it("are all that is written, in their order, in every format", () => {
    assert.strictEqual(text("csv", ["email", "id"]), "email,id\r\na@b.c,1\r\n")
    assert.strictEqual(text("csv", ["id", "other_fields"]), "id,other_fields\r\n1,\"{\"\"score\"\":3}\"\r\n")
    assert.strictEqual(text("ndjson", ["email", "id"]), "{\"email\":\"a@b.c\",\"id\":\"1\"}\n")
    assert.strictEqual(text("json", ["other_fields", "last_name"]), "[\n{\"other_fields\":{\"score\":3}}\n]\n")
  })
})

describe("text", () => {
  it("has the width that terminals give it", () => {
    const widths = {
      abc: 3,
      "e\u0301": 1,
      欧阳: 4,
      "अनीता": 5,
      "🙂": 2,
      "👨‍👩‍👧": 2,
      "❤️": 2,
      "한": 2,
      "ｶ": 1,
      "Ａ": 2,
      "\u200b": 0
    }
    for (const [text, width] of Object.entries(widths)) assert.strictEqual(Text.width(text), width, text)
  })

  it("makes control characters visible", () => {
    assert.strictEqual(
      Text.printable("a\u001b[31mb\nc\u009b\u202e\u{1f600}"),
      "a\\u001b[31mb\\nc\\u009b\\u202e\u{1f600}"
    )
    // Marks of direction, spaces without width, a soft hyphen, tags, fillers, and annotations.
    const invisible =
      "\u200e\u200f\u061c\u202a\u2069\u200b\u2060\ufeff\u00ad\u034f\u2028\u2029\u3164\ufff9\u{e0041}\u{e0001}\u007f\ud800"
    for (const character of invisible) {
      for (const text of [character, `a${character}b`]) {
        assert.match(Text.printable(text), /^a?(\\u[\da-f]{4})+b?$/)
        assert.strictEqual(JSON.parse(Text.json(text)), text)
        assert.match(Text.json(text), /^[\x20-\x7e]+$/)
      }
    }
  })

  it("keeps what decides how emoji and words are written, and shows it elsewhere", () => {
    for (const text of ["👨‍👩‍👧", "👩🏽‍💻", "❤️", "می\u200cخواهم", "क्\u200dष"]) {
      assert.strictEqual(Text.printable(text), text)
    }
    assert.strictEqual(Text.printable("pay\u200dpal \u200d👧"), "pay\\u200dpal \\u200d👧")
  })

  it("keeps the styles of messages, and no other control sequence", () => {
    const target = { hasColors: true }
    const styled = `${Text.styled(target, "red", "Error")}: ${Text.styled(target, "dim", "a")}\nb`
    assert.strictEqual(Text.displayable(`${styled}\u001b[2J\u200f\r`), `${styled}\\u001b[2J\\u200f\\r`)
  })

  it("is cut between graphemes", () => {
    assert.strictEqual(Text.truncate("欧阳王", 4), "欧…")
    assert.strictEqual(Text.truncate("欧阳王", 6), "欧阳王")
    assert.strictEqual(Text.truncate("abc", 2), "a…")
    assert.strictEqual(Text.truncate("👨‍👩‍👧👨‍👩‍👧", 3), "👨‍👩‍👧…")
    FastCheck.assert(FastCheck.property(FastCheck.string({ unit: "grapheme" }), FastCheck.nat(20), (text, columns) => {
      assert.isAtMost(Text.width(Text.truncate(Text.printable(text), columns)), columns)
    }))
  })
})

describe("the default format", () => {
  it("is a table on a terminal, and otherwise ndjson", () => {
    const terminal = { isTerminal: true, columns: 80, hasColors: true }
    assert.strictEqual(Format.fallback(terminal), "table")
    assert.strictEqual(Format.fallback(Format.noTerminal), "ndjson")
  })

  it("is that of the file extension, ndjson without one, and none for the extension of something else", () => {
    const formats: ReadonlyArray<readonly [file: string, format: Format.Format | undefined]> = [
      ["a.csv", "csv"],
      ["A.CSV", "csv"],
      ["a.json", "json"],
      ["a.ndjson", "ndjson"],
      ["a.jsonl", "ndjson"],
      ["a.txt", "ndjson"],
      ["contacts", "ndjson"],
      [".hidden", "ndjson"],
      ["export.d/contacts", "ndjson"],
      ["contacts.2026-11", "ndjson"],
      ["a.xlsx", undefined],
      ["a.csv.gz", undefined],
      ["a.xml", undefined]
    ]
    for (const [file, format] of formats) assert.strictEqual(Format.ofFile(file), format, file)
  })
})
