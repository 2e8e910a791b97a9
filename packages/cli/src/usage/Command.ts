/**
 * The commands of a program: a tree. What the help says about a command is known before it is loaded, except for its
 * options.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Arguments from "./Arguments.ts"
import type { CommandLine } from "./CommandLine.ts"
import * as Common from "./Common.ts"
import type { Flag, Flags, Given } from "./Flag.ts"
import * as Suggestion from "./Suggestion.ts"
import * as UsageError from "./UsageError.ts"

/**
 * A command, or a group of commands with a word in common, as in `contacts list`. A group can be a command itself.
 *
 * @since 1.0.0
 * @category models
 */
export interface Command<out E = unknown, out R = unknown> {
  /** What is typed after `mailstream`, as in `contacts list`. Empty for the program itself. */
  readonly path: string
  readonly summary: string
  readonly examples: ReadonlyArray<string>
  /** Undefined if a subcommand is needed. */
  readonly action?: Effect.Effect<Action<E, R>> | undefined
  readonly commands: ReadonlyArray<Command<E, R>>
  /** What its subcommands stand for, as in `tag`. Default: subcommands. */
  readonly argument?: string | undefined
}

/**
 * What a command does, once it has been loaded.
 *
 * @since 1.0.0
 * @category models
 */
export interface Action<out E = unknown, out R = unknown> {
  readonly flags: ReadonlyArray<Flag<unknown>>
  /** Parses the arguments and runs the command. `words` of the arguments are its name. */
  readonly run: (args: ReadonlyArray<string>, words: number) => Effect.Effect<void, E | UsageError.UsageError, R>
}

/**
 * @since 1.0.0
 * @category constructors
 */
export const action = <Declared extends Flags, E, R>(
  declared: Declared,
  run: (given: Given<Declared>) => Effect.Effect<void, E, R>
): Action<E, R> => {
  const flags = { ...declared, ...Common.flags }
  return {
    flags: Object.values(declared),
    run: (args, words) => Effect.flatMap(Arguments.parse(flags, args, words), run)
  }
}

/**
 * The word that runs a command: the last of its path.
 *
 * @since 1.0.0
 * @category getters
 */
export const nameOf = ({ path }: Pick<Command, "path">): string => path.slice(path.lastIndexOf(" ") + 1)

/**
 * A command line of the program.
 *
 * @since 1.0.0
 * @category conversions
 */
export const line = ({ path }: Pick<Command, "path">, ...words: ReadonlyArray<string>): string =>
  ["mailstream", path, ...words].filter((word) => word !== "").join(" ")

/**
 * Follows the words of a command line down the tree. `rest` are the words that name no command.
 *
 * @since 1.0.0
 * @category getters
 */
export const find = <E, R>(
  command: Command<E, R>,
  words: ReadonlyArray<string>
): { readonly command: Command<E, R>; readonly rest: ReadonlyArray<string> } => {
  const [word, ...rest] = words
  const next = command.commands.find((command) => nameOf(command) === word)
  return next === undefined ? { command, rest: words } : find(next, rest)
}

/**
 * The options of a command. A group has none.
 *
 * @since 1.0.0
 * @category getters
 */
export const flagsOf = ({ action }: Command): Effect.Effect<Action["flags"]> =>
  action === undefined ? Effect.succeed([]) : Effect.map(action, ({ flags }) => flags)

/**
 * Runs the command that a command line names. `rest` are the words that name no command.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = <E, R>(
  command: Command<E, R>,
  rest: ReadonlyArray<string>,
  { args, words }: Pick<CommandLine, "args" | "words">
): Effect.Effect<void, E | UsageError.UsageError, R> => {
  const { action, argument, commands, path } = command
  const names = commands.map(nameOf)
  const [unknown] = rest
  if (unknown !== undefined && names.length > 0) {
    const what = argument === undefined ? `command '${line(command, unknown)}'` : `${argument} '${unknown}'`
    return UsageError.fail(`Unknown ${what}. Available: ${names.join(", ")}.${Suggestion.forWord(unknown, names)}`)
  }
  // Before its options are called unknown, which may be those of its subcommands.
  if (action === undefined) return UsageError.fail(`${path} needs a ${argument ?? "subcommand"}: ${names.join(", ")}.`)
  return Effect.flatMap(action, ({ run }) => run(args, words.length - rest.length))
}
