/**
 * Entries of the table of commands. What runs them is imported when the first of them is needed: all at once, because
 * files that are loaded together load faster as one.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import type * as Command from "../usage/Command.ts"
import type { Action, Failure, Requirements } from "./Action.ts"
import type * as Implementation from "./Implementation.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Entry = Command.Command<Failure, Requirements>

const implementation = Effect.promise(() => import("./Implementation.ts"))

/**
 * A command, and which module runs it. It can have subcommands as well.
 *
 * @since 1.0.0
 * @category constructors
 */
export const command = (
  entry: Pick<Entry, "path" | "summary" | "examples"> & Partial<Pick<Entry, "commands">> & {
    readonly action: (modules: typeof Implementation) => Action
  }
): Entry => ({ commands: [], ...entry, action: Effect.map(implementation, entry.action) })
