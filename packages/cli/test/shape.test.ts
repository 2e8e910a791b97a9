import { assert, describe, it } from "@effect/vitest"
import { root } from "@mailstream/cli/commands/Commands"
import * as Command from "@mailstream/cli/usage/Command"
import * as CommandLine from "@mailstream/cli/usage/CommandLine"
import * as Flag from "@mailstream/cli/usage/Flag"
import { Effect, Either } from "effect"
import { inside } from "./support/inside.ts"
import { slow } from "./support/program.ts"

const below = (command: Command.Command): ReadonlyArray<Command.Command> => [
  command,
  ...command.commands.flatMap(below)
]

const all = below(root)

const wordsOf = ({ path }: Command.Command) => path.split(" ").filter((word) => word !== "")

/** The options of a command that can be typed. Those that ask for something else than the command win over every error. */
const optionsOf = (command: Command.Command) =>
  Effect.map(
    Command.flagsOf(command),
    (flags) => Flag.named({ ...flags, logLevel: CommandLine.flags.logLevel }).filter(({ names }) => names.length > 0)
  )

const isAccepted = ({ names, read }: Flag.Named, text: string) => Either.isRight(read(text, names[0]!))

/** One of these is a value of every option. */
const samples = [
  "5",
  "30s",
  "0.5",
  "10/1s",
  "id",
  "00000000-0000-4000-8000-000000000001",
  "http://localhost:5173",
  "{}",
  "a=email"
]

const valueOf = (flag: Flag.Named): string => {
  const offered = flag.values !== undefined && "words" in flag.values ? flag.values.words : []
  const found = [...offered, ...samples, "postgres://host/database"].find((text) => isAccepted(flag, text))
  assert(found !== undefined, `no value for ${flag.names.join()}`)
  return found
}

const typed = (flag: Flag.Named): ReadonlyArray<string> =>
  flag.value === undefined ? [flag.names[0]!] : [`${flag.names[0]}=${valueOf(flag)}`]

/** Runs a wrong command line, and returns the problem: the rest is the same for all of them. */
const problemOf = (command: Command.Command, args: ReadonlyArray<string>) =>
  Effect.map(inside([...wordsOf(command), ...args]), ({ code, stderr, stdout }) => {
    const line = [...wordsOf(command), ...args].join(" ")
    assert.deepStrictEqual([line, code, stdout], [line, 2, ""])
    const available = command.action === undefined ? "commands" : "options"
    const [, problem = ""] = /^mailstream: ([^\n]+[^.?][.?])\n/.exec(stderr) ?? []
    assert.strictEqual(
      stderr,
      `mailstream: ${problem}\nRun '${Command.line(command, "--help")}' for available ${available}.\n`
    )
    return problem
  })

describe("every command", () => {
  it.effect(
    "names what is missing, unknown, wrong or given twice, and points to its help",
    () =>
      Effect.gen(function*() {
        for (const command of all.filter(({ action }) => action !== undefined)) {
          const options = yield* optionsOf(command)
          const names = [...options, ...Flag.named(CommandLine.flags)].flatMap(({ names }) => names)
          const required = options.filter(Flag.isRequired)
          const words = Flag.named(yield* Command.flagsOf(command)).filter(({ isPositional }) => isPositional)
          for (const [index, { value }] of words.entries()) {
            const given = words.slice(0, index).map(valueOf)
            assert.strictEqual(yield* problemOf(command, given), `${value} is required.`)
          }
          const before = words.map(valueOf)
          for (const missing of required.slice(0, 1)) {
            assert.strictEqual(yield* problemOf(command, before), `${missing.names[0]} ${missing.value} is required.`)
          }
          assert.strictEqual(yield* problemOf(command, ["--nonsense"]), "Unknown option '--nonsense'.")
          if (command.commands.length === 0) {
            const needed = options.filter(({ isNeeded }) => isNeeded === true)
            const hint = needed.length === 1 ? ` Did you mean '${needed[0]!.names[0]} extra'?` : ""
            assert.strictEqual(yield* problemOf(command, [...before, "extra"]), `Unknown argument 'extra'.${hint}`)
          }
          for (const flag of options) {
            const [name = ""] = flag.names
            const rest = [...before, ...required.filter((other) => other !== flag).flatMap(typed)]
            if (flag.readAll === undefined) {
              const twice = yield* problemOf(command, [...rest, ...typed(flag), ...typed(flag)])
              assert.strictEqual(twice, `${name} can be given only once.`)
            }
            const [, meant] = /^Unknown option '.+'\. Did you mean '(.+)'\?$/.exec(
              yield* problemOf(command, [...rest, `${name}x`])
            ) ?? []
            assert.include(names, meant)
            if (flag.value === undefined) {
              assert.strictEqual(yield* problemOf(command, [...rest, `${name}=x`]), `${name} takes no value.`)
              continue
            }
            if (flag.implied === undefined) {
              assert.strictEqual(yield* problemOf(command, [...rest, name]), `${name} needs a value.`)
            }
            if (isAccepted(flag, "?!")) continue
            const wrong = yield* problemOf(command, [...rest, `${name}=?!`])
            assert.isTrue(wrong.startsWith(`${name} must `), wrong)
          }
        }
      }),
    5 * slow
  )

  it.effect("with subcommands lists them, and names the nearest one", () =>
    Effect.gen(function*() {
      for (const command of all.filter(({ commands }) => commands.length > 0)) {
        const names = command.commands.map(Command.nameOf)
        for (const name of names) {
          const problem = yield* problemOf(command, [`${name}x`])
          assert.isTrue(problem.startsWith("Unknown "), problem)
          const [available, nearest] = [`Available: ${names.join(", ")}.`, `Did you mean '${name}'?`]
          // Before the tags, of which there are many.
          const isTag = command.argument !== undefined
          assert.include(problem, ` ${isTag ? nearest : available} ${isTag ? available : nearest}`)
        }
        if (command.action !== undefined || command === root) continue
        const missing = yield* problemOf(command, [])
        assert.isTrue(missing.endsWith(`: ${names.join(", ")}.`), missing)
      }
    }), slow)

  it.effect("accepts what its help and the completions of a shell offer", () =>
    Effect.gen(function*() {
      for (const command of all) {
        for (const flag of Flag.named({ ...(yield* Command.flagsOf(command)), ...CommandLine.flags })) {
          if (flag.value === undefined) continue
          valueOf(flag)
          if (flag.values === undefined || !("words" in flag.values)) continue
          // What a shell offers for a location is only its beginning.
          const rest = flag.values._tag === "Location" ? "host/database" : ""
          for (const word of flag.values.words) {
            assert.isTrue(isAccepted(flag, word === "memory" ? word : word + rest), `${flag.names.join()} ${word}`)
          }
        }
      }
    }), slow)
})
