import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import { Effect, type Scope } from "effect"

export type { Finished } from "@mailstream/testing/Process"
export { directory } from "@mailstream/testing/Temporary"

/** For tests that start the program several times on a busy machine. */
export const slow = 60_000

/** The bundled program. */
export const program = (): string => Provided.program("mailstream")

/** Starts the program, and kills it when the scope closes. */
export const start = (
  args: ReadonlyArray<string>,
  options?: Process.Options
): Effect.Effect<Process.Running, never, Scope.Scope> =>
  Effect.suspend(() => Process.start([program(), ...args], options))

/** Runs the program to its end. */
export const run = (args: ReadonlyArray<string>, options?: Process.Options): Effect.Effect<Process.Finished> =>
  Effect.suspend(() => Process.run([program(), ...args], options))

export const jsonLines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
