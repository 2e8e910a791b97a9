/**
 * Entries of the table of commands. The module of a command is imported when the command is needed.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import type * as Command from "../usage/Command.ts"
import type { Action, Failure, Requirements } from "./Action.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Entry = Command.Command<Failure, Requirements>

/**
 * A command, unless it has subcommands alone.
 *
 * @since 1.0.0
 * @category constructors
 */
export const command = (entry: Omit<Entry, "commands"> & Partial<Pick<Entry, "commands">>): Entry => ({
  commands: [],
  ...entry
})

/**
 * What a command does, in a module that is imported when it is needed.
 *
 * @since 1.0.0
 * @category constructors
 */
export const load = <Module>(
  module: () => Promise<Module>,
  select: (module: Module) => Action
): Effect.Effect<Action> => Effect.map(Effect.promise(module), select)
