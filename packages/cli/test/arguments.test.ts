import { assert, describe, it } from "@effect/vitest"
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
