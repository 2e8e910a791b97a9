/**
 * A command together with the options of its help. Every command is made here, from its page and one declaration.
 *
 * @since 1.0.0
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as Command from "@effect/cli/Command"
import type * as Effect from "effect/Effect"
import type * as Types from "effect/Types"
import type { Stdio } from "../terminal/Stdio.ts"
import * as Flag from "../usage/Flag.ts"
import * as Page from "../usage/Page.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Documented<R, E, Given> {
  readonly command: Command.Command<string, R, E, Given>
  readonly flags: ReadonlyArray<Flag.Flag>
}

/**
 * The services of the platform that a command may require.
 *
 * @since 1.0.0
 * @category models
 */
export type Platform = CliApp.CliApp.Environment

/**
 * What a command may require.
 *
 * @since 1.0.0
 * @category models
 */
export type Requirements = Stdio | Platform

/**
 * The parsed values of declared options.
 *
 * @since 1.0.0
 * @category models
 */
export type Given<Declared extends Flag.Declared> = Types.Simplify<Command.Command.ParseConfig<Declared>>

/**
 * @since 1.0.0
 * @category constructors
 */
export const make = <const Declared extends Flag.Declared, R, E>(page: Page.Page, declaration: {
  readonly options: Declared
  /** What a shell offers as values, for options that do not say it by themselves. */
  readonly values?: Flag.Known<Declared> | undefined
  readonly run: (given: Given<Declared>) => Effect.Effect<void, E, R>
}): Documented<R, E, Given<Declared>> => {
  const { options, run, values } = declaration
  return {
    command: Command.withDescription(Command.make(Page.nameOf(page), options, run), page.summary),
    flags: Flag.of(options, values)
  }
}
