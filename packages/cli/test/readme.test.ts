import { assert, describe, it } from "@effect/vitest"
import { root } from "@mailstream/cli/commands/Commands"
import * as Words from "@mailstream/cli/operations/Words"
import * as Command from "@mailstream/cli/usage/Command"
import * as CommandLine from "@mailstream/cli/usage/CommandLine"
import { Operations } from "@mailstream/core"
import { Effect, Either } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"

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

/** The command lines in the blocks of a page that are for a shell. */
const shownIn = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/^ *```(?:sh|bash)\n([^]*?)^ *```/gm)].flatMap(([, block = ""]) =>
    block.replaceAll(/\\\n\s*/g, " ").split("\n").flatMap((line) =>
      line.replace(/ +#.*$/, "").split(/ (?:\||&&|&) ?/).flatMap((part) => {
        const [, args] = /^\s*(?:[A-Z_]+=\S+ )*(?:npx |npm run --silent )?mailstream (?:-- )?([a-z].*)$/.exec(part) ??
          []
        return args === undefined ? [] : [`mailstream ${args.replaceAll(/("[^"]*"|'[^']*')| \d?[<>]+ ?\S+/g, "$1")}`]
      })
    )
  )

const from = (path: string): URL => new URL(`../../../${path}`, import.meta.url)

const pagesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(from(folder)).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`)

const pages = [
  ...["README.md", "deploy/README.md"],
  ...readdirSync(from("packages")).map((name) => `packages/${name}/README.md`).filter((path) => existsSync(from(path))),
  ...["site/pages", "site/pages/guides"].flatMap(pagesIn)
]

describe("the documentation", () => {
  it("names the commands of every object", () => {
    assert.include(readme, table)
  })

  it.effect("has command lines that are understood, in the help", () =>
    Effect.gen(function*() {
      const examples = below(root).flatMap(({ examples }) => examples)
      const lines = examples.filter((line) => /^mailstream [a-z]/.test(line) && !/ [|<&]|…/.test(line))
      assert.isAbove(lines.length, 150)
      for (const line of lines) assert.strictEqual(yield* problemOf(line), "")
    }))

  it.effect("has command lines that are understood, wherever it shows some", () =>
    Effect.gen(function*() {
      const lines = pages.flatMap((page) =>
        shownIn(readFileSync(from(page), "utf8")).map((line) => [page, line] as const)
      )
      assert.isAbove(lines.length, 120)
      const problems = yield* Effect.forEach(lines, ([page, line]) =>
        Effect.map(problemOf(line), (problem) => [page, problem]))
      assert.deepStrictEqual(
        problems.filter(([, problem]) =>
          problem !== ""
        ),
        []
      )
    }))
})
