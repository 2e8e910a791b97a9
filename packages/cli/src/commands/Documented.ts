/**
 * A command together with its page of the help. Every command is made here, from one declaration.
 *
 * @since 0.1.0
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as Command from "@effect/cli/Command"
import type * as Effect from "effect/Effect"
import type * as Types from "effect/Types"
import type { Stdio } from "../terminal/Stdio.ts"
import * as Page from "../usage/Page.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Documented<R, E, Given> {
  readonly command: Command.Command<string, R, E, Given>
  readonly page: Page.Page
}

/**
 * What a command may require.
 *
 * @since 0.1.0
 * @category models
 */
export type Requirements = Stdio | CliApp.CliApp.Environment

/**
 * The parsed values of declared options.
 *
 * @since 0.1.0
 * @category models
 */
export type Given<Declared extends Page.Declared> = Types.Simplify<Command.Command.ParseConfig<Declared>>

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = <const Declared extends Page.Declared, R, E>(declaration: {
  /** What is typed after `mailstream`; the last word is the name of the command. */
  readonly path: string
  readonly summary: string
  readonly examples: ReadonlyArray<string>
  readonly options: Declared
  readonly run: (given: Given<Declared>) => Effect.Effect<void, E, R>
}): Documented<R, E, Given<Declared>> => {
  const { examples, options, path, run, summary } = declaration
  return {
    command: Command.withDescription(Command.make(Page.nameOf({ path }), options, run), summary),
    page: { path, summary, examples, options: Page.flagsOf(options), commands: [] }
  }
}
