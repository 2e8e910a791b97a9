/**
 * What can be typed, for the scripts that complete it: every command with its subcommands and options.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Command from "../Command.ts"
import * as Common from "../Common.ts"
import type { Flag } from "../Flag.ts"
import type { Values } from "../Values.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Node {
  readonly command: Command.Command
  readonly flags: ReadonlyArray<Flag<unknown>>
}

/**
 * Every command, each with the options that it has.
 *
 * @since 1.0.0
 * @category models
 */
export type Tree = ReadonlyArray<Node>

/**
 * Loads the options of a command, and of all below it.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (root: Command.Command): Effect.Effect<Tree> => {
  const below = (command: Command.Command): ReadonlyArray<Command.Command> => [
    command,
    ...command.commands.flatMap(below)
  ]
  return Effect.forEach(
    below(root),
    (command) => Effect.map(Command.flagsOf(command), (flags) => ({ command, flags }))
  )
}

/**
 * One way to type an option of a command.
 *
 * @since 1.0.0
 * @category models
 */
export interface Choice {
  /** As in `--take`. */
  readonly name: string
  readonly description: string
  /** Undefined for an option without a value. */
  readonly values: Values | undefined
}

/**
 * The options of a command, with those that every command has.
 *
 * @since 1.0.0
 * @category getters
 */
export const choicesOf = ({ flags }: Node): ReadonlyArray<Choice> =>
  [...flags, ...Object.values(Common.flags)].flatMap(({ description, names, value, values }) =>
    names.map((name): Choice => ({
      name,
      description: shortened(description),
      values: value === undefined ? undefined : values
    }))
  )

/** There is room for the beginning of a description. */
const shortened = (description: string): string => description.replace(/[.:;] .*$|\.$/, "")

/**
 * The subcommands of a command.
 *
 * @since 1.0.0
 * @category getters
 */
export const subcommandsOf = ({ command }: Node): ReadonlyArray<{ readonly name: string; readonly summary: string }> =>
  command.commands.map(({ path, summary }) => ({ name: Command.nameOf({ path }), summary: shortened(summary) }))

/**
 * Groups things by the commands that have them, so that a script lists what many commands share only once.
 *
 * @since 1.0.0
 * @category combinators
 */
export const grouped = <A>(
  tree: Tree,
  thingsOf: (node: Node) => ReadonlyArray<A>
): ReadonlyArray<{ readonly thing: A; readonly paths: ReadonlyArray<string> }> => {
  const groups = new Map<string, { readonly thing: A; readonly paths: Array<string> }>()
  for (const node of tree) {
    for (const thing of thingsOf(node)) {
      const key = JSON.stringify(thing)
      const group = groups.get(key) ?? { thing, paths: [] }
      group.paths.push(node.command.path)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}
