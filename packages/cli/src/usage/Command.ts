/**
 * The commands of a program: a tree. What the help says about a command is known before it is loaded, except for its
 * options. Its modules are imported when they are needed.
 */
import * as Effect from "effect/Effect"
import * as Telemetry from "../telemetry/Telemetry.ts"
import { markEndless } from "../terminal/ExitCode.ts"
import type { Running } from "../terminal/Running.ts"
import * as CommandLine from "./CommandLine.ts"
import * as Flag from "./Flag.ts"
import * as UsageError from "./UsageError.ts"

/** A command, or a group of commands with a word in common, as in `contacts list`. A group can be a command itself. */
export interface Command {
  /** What is typed after `mailstream`, as in `contacts list`. Empty for the program itself. */
  readonly path: string
  readonly summary: string
  readonly examples: ReadonlyArray<string>
  /** Undefined if a subcommand is needed. */
  readonly action?: Effect.Effect<Action> | undefined
  readonly commands: ReadonlyArray<Command>
  /** What its subcommands stand for, as in `tag`. Default: subcommands. */
  readonly argument?: string | undefined
  /** Other words for subcommands that stand for an argument, in lower case without separators, as `plain` has them. */
  readonly synonyms?: ReadonlyMap<string, string> | undefined
}

/** What a command does, once it has been loaded. */
export interface Action {
  readonly flags: Flag.Flags
  /** Parses the arguments and runs the command. `words` of the arguments are its name. */
  readonly run: (args: ReadonlyArray<string>, words: number) => Running
}

/** A command, unless it has subcommands alone. */
export const make = (command: Omit<Command, "commands"> & Partial<Pick<Command, "commands">>): Command => ({
  commands: [],
  ...command
})

/** Signals that have arrived while the program was loading are delivered first. */
const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})

export const action = <Declared extends Flag.Flags>(
  declared: Declared,
  run: (given: Flag.Given<Declared>) => Running,
  /** Whether only a signal ends it. Default: no. */
  isEndless: (given: Flag.Given<Declared>) => boolean = () => false
): Action => ({
  flags: declared,
  run: (args, words) =>
    Effect.gen(function*() {
      const given = yield* CommandLine.parse({ ...declared, ...CommandLine.flags }, args, words)
      const running = Effect.zipRight(nextTurn, run(given))
      // From here on, signals end the command: it is known what they mean.
      if (!isEndless(given)) return yield* Effect.interruptible(running)
      yield* markEndless
      yield* Effect.interruptible(Telemetry.exporting(running))
    }).pipe(
      Effect.catchTag("InvalidOption", (error) => Effect.fail(UsageError.fromInvalidOption(namesOf(declared))(error)))
    )
})

/** How the options of a command are typed. A key never is, except for that of a service on this machine. */
const namesOf = (flags: Flag.Flags): { readonly [option: string]: string } => ({
  apiKey: "The API key",
  ...Object.fromEntries(Flag.named(flags).flatMap(({ key, names: [name] }) => name === undefined ? [] : [[key, name]]))
})

/** What a command does, in a module of its own. */
export const load = <Module>(
  module: () => Promise<Module>,
  select: (module: Module) => Action
): Effect.Effect<Action> => Effect.map(Effect.promise(module), select)

/**
 * As `load`, for a command whose options are enough for the help: what runs it is imported once they have been parsed.
 */
export const loadRun = <Declared extends Flag.Flags>(
  flags: () => Promise<Declared>,
  run: () => Promise<(given: Flag.Given<Declared>) => Running>,
  isEndless?: (given: Flag.Given<Declared>) => boolean
): Effect.Effect<Action> =>
  load(flags, (flags) => action(flags, (given) => Effect.flatMap(Effect.promise(run), (run) => run(given)), isEndless))

/** The word that runs a command: the last of its path. */
export const nameOf = ({ path }: Pick<Command, "path">): string => path.slice(path.lastIndexOf(" ") + 1)

/** A command line of the program. */
export const line = ({ path }: Pick<Command, "path">, ...words: ReadonlyArray<string>): string =>
  ["mailstream", path, ...words].filter((word) => word !== "").join(" ")

const plain = (word: string): string => word.replaceAll(/[_-]/g, "").toLowerCase()

/** Follows the words of a command line down the tree. `rest` are the words that name no command. */
export const find = (
  command: Command,
  words: ReadonlyArray<string>
): { readonly command: Command; readonly rest: ReadonlyArray<string> } => {
  const [word, ...rest] = words
  const next = command.commands.find((command) => nameOf(command) === word) ??
    // A tag may be typed as its class is named: `NotFound` for `not_found`.
    (command.argument === undefined || word === undefined
      ? undefined
      : command.commands.find((known) => plain(nameOf(known)) === (command.synonyms?.get(plain(word)) ?? plain(word))))
  return next === undefined ? { command, rest: words } : find(next, rest)
}

/** The options of a command. A group has none. */
export const flagsOf = ({ action }: Command): Effect.Effect<Flag.Flags> =>
  action === undefined ? Effect.succeed({}) : Effect.map(action, ({ flags }) => flags)

/** Runs the command that a command line names. `rest` are the words that name no command. */
export const run = (
  command: Command,
  rest: ReadonlyArray<string>,
  { args, words }: Pick<CommandLine.CommandLine, "args" | "words">
): Running => {
  const { action, argument, commands, path } = command
  const names = commands.map(nameOf)
  const [unknown] = rest
  if (unknown !== undefined && names.length > 0) {
    const what = argument === undefined ? `command '${line(command, unknown)}'` : `${argument} '${unknown}'`
    const [available, suggestion] = [`Available: ${names.join(", ")}`, UsageError.suggestion(unknown, names)]
    // The list of tags is long: a hint after it would be missed.
    return argument === undefined || suggestion === ""
      ? UsageError.fail(`Unknown ${what}. ${available}`, suggestion)
      : UsageError.fail(`Unknown ${what}. ${suggestion} ${available}`)
  }
  // Before its options are called unknown, which may be those of its subcommands.
  if (action === undefined) return UsageError.fail(`${path} needs a ${argument ?? "subcommand"}: ${names.join(", ")}`)
  return Effect.flatMap(action, ({ run }) => run(args, words.length - rest.length))
}
