/** What can be typed, for the scripts that complete it: every command with its subcommands and options. */
import * as Effect from "effect/Effect"
import * as Command from "../Command.ts"
import * as CommandLine from "../CommandLine.ts"
import * as Flag from "../Flag.ts"
import type { Values } from "../Value.ts"

/** One way to type an option of a command. */
export interface Choice {
  /** As in `--take`. */
  readonly name: string
  readonly description: string
  /** Undefined for an option without a value. */
  readonly values: Values | undefined
}

interface Node {
  readonly path: string
  readonly commands: ReadonlyArray<{ readonly name: string; readonly summary: string }>
  /** Whether other words follow its name, as in `contacts get ID`. */
  readonly hasArguments: boolean
  /** With those that every command has. */
  readonly options: ReadonlyArray<Choice>
}

/** Every command. */
export type Tree = ReadonlyArray<Node>

/** There is room for the beginning of a description. */
const shortened = (description: string): string => description.replace(/[.:;] .*$|\.$/, "")

const choicesOf = (
  { description, implied, names, value, values = { _tag: "Any" } }: Flag.Named
): ReadonlyArray<Choice> =>
  names.map((name, index) => ({
    name,
    description: shortened(description),
    values: value === undefined || index > 0 && implied?.[name] !== undefined ? undefined : values
  }))

/** Loads the options of a command, and of all below it. */
export const make = (root: Command.Command): Effect.Effect<Tree> => {
  const below = (
    command: Command.Command
  ): ReadonlyArray<Command.Command> => [command, ...command.commands.flatMap(below)]
  return Effect.forEach(below(root), (command) =>
    Effect.map(Command.flagsOf(command), (flags) => ({
      path: command.path,
      commands: command.commands.map((command) => ({
        name: Command.nameOf(command),
        summary: shortened(command.summary)
      })),
      hasArguments: Object.values(flags).some(({ isPositional }) => isPositional === true),
      options: Flag.named({ ...flags, ...CommandLine.flags }).flatMap(choicesOf)
    })))
}

/** The commands whose name is followed by other words. */
export const withArguments = (tree: Tree): ReadonlyArray<string> =>
  tree.flatMap(({ hasArguments, path }) => hasArguments ? [path] : [])

/** Groups things by the commands that have them, so that a script lists what many commands share only once. */
export const grouped = <A>(
  tree: Tree,
  thingsOf: (node: Node) => ReadonlyArray<A>
): ReadonlyArray<{ readonly thing: A; readonly paths: ReadonlyArray<string> }> => {
  const groups = new Map<string, { readonly thing: A; readonly paths: Array<string> }>()
  for (const node of tree) {
    for (const thing of thingsOf(node)) {
      const key = JSON.stringify(thing)
      const group = groups.get(key) ?? { thing, paths: [] }
      group.paths.push(node.path)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}
