import { assert, describe, it } from "@effect/vitest"
import { root } from "@mailstream/cli/commands/Commands"
import * as Words from "@mailstream/cli/operations/Words"
import * as Command from "@mailstream/cli/usage/Command"
import * as CommandLine from "@mailstream/cli/usage/CommandLine"
import { Operations } from "@mailstream/core"
import { Effect, Either } from "effect"
import { readFileSync } from "node:fs"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

/** The commands for objects, as the README has them. */
const table = [
  "| objects | commands besides `list` and `follow` |",
  "|---|---|",
  ...Object.keys(Operations.all).map((list) =>
    `| \`${list}\` | ${Words.operationsOf(list).map((operation) => `\`${Words.commandOf(operation)}\``).join(", ")} |`
  )
].join("\n")

const below = (command: Command.Command): ReadonlyArray<Command.Command> => [
  command,
  ...command.commands.flatMap(below)
]

/** The words of a command line, as a shell reads them. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"))

/** What stands for an id is one. */
const withIds = (line: string): string => line.replaceAll(/\b([A-Z]+_)?ID\b/g, "00000000-0000-4000-8000-000000000001")

/** Reads a command line without running it. */
const problemOf = (line: string) =>
  Effect.gen(function*() {
    const { args, words } = CommandLine.make(wordsOf(withIds(line)).slice(1))
    const { command, rest } = Command.find(root, words)
    if (command.action === undefined) return words.length === 0 || rest.length > 0 ? `not a command: ${line}` : ""
    const flags = yield* Command.flagsOf(command)
    const given = CommandLine.parse({ ...flags, ...CommandLine.flags }, args, words.length - rest.length)
    return Either.match(given, { onLeft: ({ message }) => `${line}: ${message}`, onRight: () => "" })
  })

describe("the documentation", () => {
  it("names the commands of every object", () => {
    assert.include(readme, table)
  })

  it.effect("has command lines that are understood, in the README and in the help", () =>
    Effect.gen(function*() {
      const examples = below(root).flatMap(({ examples }) => examples)
      const [, objects = ""] = /## Objects\n([^]*?)\n## /.exec(readme) ?? []
      const shown = [...objects.matchAll(/^mailstream .*$/gm)].map(([line]) => line.replace(/ +#.*$/, ""))
      assert.isAbove(shown.length, 5)
      const lines = [...examples, ...shown].filter((line) => /^mailstream [a-z]/.test(line) && !/ [|<&]|…/.test(line))
      assert.isAbove(lines.length, 150)
      for (const line of lines) assert.strictEqual(yield* problemOf(line), "")
    }))
})
