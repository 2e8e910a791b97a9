import { assert, describe, it } from "@effect/vitest"
import * as Body from "@mailstream/cli/operations/Body"
import type * as Fields from "@mailstream/cli/operations/Fields"
import * as CommandLine from "@mailstream/cli/usage/CommandLine"
import * as Flag from "@mailstream/cli/usage/Flag"
import * as UsageError from "@mailstream/cli/usage/UsageError"
import * as Value from "@mailstream/cli/usage/Value"
import { Either, FastCheck } from "effect"

const flags = {
  id: Flag.required(Value.text("ID"), "Any text."),
  note: Flag.optional(Value.text("TEXT", { canBeEmpty: true }), "Any text, or none."),
  take: Flag.withDefault(Value.integer(0), 7, "A number."),
  format: Flag.optional(Value.choice(["csv", "json"]), "A choice."),
  key: Flag.optional({ name: "KEY", isSecret: true, parse: () => Either.left("must be valid") }, "A secret."),
  whole: Flag.boolean("A switch.", ["--whole", "-w"]),
  fixed: Flag.constant("fixed")
}

const parse = (...args: ReadonlyArray<string>) => CommandLine.parse(flags, args)

const messageOf = (...args: ReadonlyArray<string>) =>
  Either.match(parse(...args), { onLeft: ({ message }) => message, onRight: () => undefined })

const defaults = { note: undefined, take: 7, format: undefined, key: undefined, whole: false, fixed: "fixed" }

/** Quotes, line breaks, equals signs and dashes in all places. */
const text = FastCheck.oneof(
  FastCheck.string(),
  FastCheck.stringMatching(/^[-=a"' \n\\$]*$/)
)

const looksLikeOption = (value: string) => /^--\w/.test(value)

describe("arguments", () => {
  it.prop(
    "are parsed in any order, after = or as an argument of their own",
    [
      FastCheck.record({ id: text.filter((id) => id !== ""), note: text, take: FastCheck.nat() }),
      FastCheck.shuffledSubarray(["--id", "--note", "--take", "--whole"], { minLength: 4 }),
      FastCheck.func(FastCheck.boolean())
    ],
    ([{ id, note, take }, order, isInline]) => {
      const values = new Map([["--id", id], ["--note", note], ["--take", String(take)]])
      const args = order.flatMap((name) => {
        const value = values.get(name)
        if (value === undefined) return [name]
        return isInline(name) || looksLikeOption(value) ? [`${name}=${value}`] : [name, value]
      })
      assert.deepStrictEqual(parse(...args), Either.right({ ...defaults, id, note, take, whole: true }))
    }
  )

  it.prop("that look like options are no values", [text], ([value]) => {
    assert.strictEqual(
      messageOf("--id", `--a${value}`),
      "--id needs a value. If it begins with dashes, type --id=ID."
    )
  })

  it.prop("are given once", [FastCheck.constantFrom("--id=a", "--note=", "--whole"), FastCheck.nat(2)], ([arg, at]) => {
    const args = ["--id=a", "--note=", "--whole"]
    args.splice(at, 0, arg)
    assert.strictEqual(messageOf(...args), `${arg.split("=")[0]} can be given only once.`)
  })

  it.prop(
    "that are unknown are named without their value, wherever they are",
    [text.filter((value) => value.length > 3), FastCheck.nat(2), FastCheck.boolean()],
    ([secret, at, isInline]) => {
      const args: Array<ReadonlyArray<string>> = [["--id", "a"], ["--take", "1"]]
      args.splice(at, 0, isInline ? [`--unknown=${secret}`] : ["--unknown", secret])
      assert.strictEqual(messageOf(...args.flat()), "Unknown option '--unknown'.")
    }
  )

  it("that are wrong say what to type instead", () => {
    const lines: ReadonlyArray<readonly [args: ReadonlyArray<string>, message: string]> = [
      [[], "--id ID is required."],
      [["--id"], "--id needs a value."],
      [["--id="], "--id needs a value."],
      [["--id", ""], "--id needs a value."],
      [["--id", "--take", "2"], "--id needs a value. If it begins with dashes, type --id=ID."],
      [["--id", "a", "--take", "-1"], "--take must be a whole number, 0 or more, not '-1'."],
      [["--id", "a", "--format=xml"], "--format must be one of csv, json, not 'xml'."],
      [["--id", "a", "--whole=true"], "--whole takes no value."],
      [["--id", "a", "--whole", "true"], "Unknown argument 'true'."],
      [["--id", "a", "-"], "Unknown argument '-'."],
      [["--id", "a", "-x"], "Unknown option '-x'."],
      [["--id", "a", "--"], "Unknown option '--'."],
      [["--id", "a", "--Take", "1"], "Unknown option '--Take'. Did you mean '--take'?"],
      [["--id", "a", "--key", "secret"], "--key must be valid."]
    ]
    for (const [args, message] of lines) assert.strictEqual(messageOf(...args), message)
  })

  it("may have a short name, and values that begin with a dash", () => {
    assert.deepStrictEqual(parse("-w", "--id", "-w"), Either.right({ ...defaults, id: "-w", whole: true }))
  })

  it("come after the words that name the command, among options that come first", () => {
    const args = ["--take", "1", "contacts", "--id=a", "list"]
    assert.deepStrictEqual(CommandLine.parse(flags, args, 2), Either.right({ ...defaults, id: "a", take: 1 }))
    assert.isTrue(Either.isLeft(CommandLine.parse(flags, args, 1)))
  })
})

describe("positional arguments, toggles and lists", () => {
  const flags = {
    contact: Flag.positional(Value.text("CONTACT"), "A word."),
    segment: Flag.positional(Value.integer(1), "Another."),
    on: Flag.toggle("on", "A toggle."),
    names: Flag.repeated(Value.text("NAME"), (all) => all, "A list."),
    take: Flag.optional(Value.integer(0), "A number.")
  }
  const word = text.filter((word) => word !== "" && !/^-[^@]*$|^--\w/.test(word))

  it.prop(
    "are parsed among options, in any order",
    [
      word,
      FastCheck.array(text.filter((name) => name !== ""), { maxLength: 3 }),
      FastCheck.constantFrom([], ["--on"], ["--no-on"], ["--on", "true"], ["--on", "false"], ["--on=false"]),
      FastCheck.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
    ],
    ([contact, names, toggle, order]) => {
      FastCheck.pre(!["true", "false"].includes(contact))
      const parts = [[contact, "7"], names.map((name) => `--names=${name}`), toggle, ["--take", "1"]]
      const parsed = CommandLine.parse(flags, ["contacts", "join", ...order.flatMap((part) => parts[part]!)], 2)
      const on = toggle.length === 0 ? undefined : !/no-|false/.test(toggle.join(" "))
      assert.deepStrictEqual(
        parsed,
        Either.right({ contact, segment: 7, on, names: names.length === 0 ? undefined : names, take: 1 })
      )
    }
  )

  it("that are wrong say what to type instead", () => {
    const lines: ReadonlyArray<readonly [args: ReadonlyArray<string>, message: string]> = [
      [[], "CONTACT is required."],
      [[""], "CONTACT is required."],
      [["a"], "N is required."],
      [["a", "b"], "N must be a whole number, 1 or more, not 'b'."],
      [["a", "1", "c"], "Unknown argument 'c'."],
      [["a", "-x"], "Unknown option '-x'."],
      [["a", "1", "--on=x"], "--on must be true or false, not 'x'."],
      [["a", "1", "--on", "x"], "--on must be true or false, not 'x'."],
      [["--on", "x", "a", "1"], "--on must be true or false, not 'x'."],
      [["--on", "a", "1", "--nonsense"], "Unknown option '--nonsense'."],
      [["--on", "a", "x"], "N must be a whole number, 1 or more, not 'x'."],
      [["a", "1", "--no-on=true"], "--no-on takes no value."],
      [["a", "1", "--on", "--no-on"], "--no-on can be given only once."],
      [["a", "1", "--names"], "--names needs a value."],
      [["a", "1", "--names", "x", "--names", ""], "--names needs a value."]
    ]
    for (const [args, message] of lines) {
      const parsed = CommandLine.parse(flags, args)
      assert.deepStrictEqual(Either.flip(parsed).pipe(Either.map((error) => error.message)), Either.right(message))
    }
  })
})

describe("an option that must be given, once or several times", () => {
  const several = { id: Flag.several(Value.integer(1), "Numbers.") }
  const parse = (...args: ReadonlyArray<string>) =>
    Either.mapLeft(CommandLine.parse(several, args), ({ message }) => message)

  it("has all values, in order", () => {
    assert.deepStrictEqual(parse("--id", "2"), Either.right({ id: [2] }))
    assert.deepStrictEqual(parse("--id", "2", "--id=1", "--id", "2"), Either.right({ id: [2, 1, 2] }))
  })

  it("says what is wrong with any of them", () => {
    assert.deepStrictEqual(parse(), Either.left("--id N is required."))
    assert.deepStrictEqual(parse("--id", "2", "--id="), Either.left("--id needs a value."))
    assert.deepStrictEqual(
      parse("--id", "2", "--id", "x"),
      Either.left("--id must be a whole number, 1 or more, not 'x'.")
    )
    assert.isTrue(Flag.isRequired(several.id))
  })
})

describe("the body of a request", () => {
  const field = (name: string, isRequired: boolean): Fields.Field => ({
    name,
    isRequired,
    kind: { _tag: "Text", words: [] },
    isNullable: true,
    maxLength: undefined,
    description: ""
  })
  const body: Fields.Body = {
    isArray: false,
    isOptional: false,
    fields: ["a", "b", "c"].map((name) => field(name, name === "a"))
  }
  const fields = FastCheck.dictionary(FastCheck.constantFrom("a", "b", "c"), text)

  it.prop(
    "has the fields that are removed, then those that are typed, then those of the file",
    [fields, FastCheck.subarray(["a", "b", "c"]), FastCheck.option(fields, { nil: undefined })],
    ([typed, cleared, file]) => {
      const merged = Body.merge(body, { typed, cleared, file })
      const both = cleared.find((name) => name in typed)
      if (both !== undefined) {
        assert.strictEqual(
          Either.getOrThrow(Either.flip(merged)).message,
          `--clear ${both} cannot be combined with --${both}.`
        )
      } else if (file === undefined && !("a" in typed) && !cleared.includes("a")) {
        assert.strictEqual(Either.getOrThrow(Either.flip(merged)).message, "--a TEXT is required.")
      } else {
        const removed = Object.fromEntries(cleared.map((name) => [name, null]))
        assert.deepStrictEqual(merged, Either.right({ ...file, ...typed, ...removed }))
      }
    }
  )

  it("may be absent, or a list of one", () => {
    const given = { typed: {}, cleared: [], file: undefined }
    const optional = { ...body, isOptional: true }
    assert.deepStrictEqual(Body.merge(optional, given), Either.right(undefined))
    assert.deepStrictEqual(Body.merge(optional, { ...given, typed: { a: "x" } }), Either.right({ a: "x" }))
    const list = { ...body, isArray: true }
    assert.deepStrictEqual(Body.merge(list, { ...given, typed: { a: "x" } }), Either.right([{ a: "x" }]))
    assert.deepStrictEqual(Body.merge(list, { ...given, file: [] }), Either.right([]))
    assert.isTrue(Either.isLeft(Body.merge(list, { ...given, file: [], typed: { a: "x" } })))
    assert.isTrue(Either.isLeft(Body.merge(body, { ...given, file: [], typed: { a: "x" } })))
  })
})

describe("a suggestion", () => {
  it("is the nearest name, up to two typing errors away", () => {
    const known = ["--page-size", "--take", "--tags", "--retry", "-h"]
    const suggestions: ReadonlyArray<readonly [typed: string, meant: string | undefined]> = [
      ["--tak", "--take"],
      ["--tas", "--tags"],
      ["--retyr", "--retry"],
      ["--pagesize", "--page-size"],
      ["--limit", "--take"],
      ["--file", undefined],
      ["--pgsz", undefined],
      ["-x", undefined]
    ]
    for (const [typed, meant] of suggestions) {
      const expected = meant === undefined ? "" : `Did you mean '${meant}'?`
      assert.strictEqual(UsageError.suggestion(typed, known), expected, typed)
    }
    assert.strictEqual(UsageError.suggestion("anything", []), "")
  })
})
