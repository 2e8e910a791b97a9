/** How the program was started, for messages that say how to start it again. */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The arguments of the program. */
export class Invocation extends Context.Reference<Invocation>()("@mailstream/cli/Invocation", {
  defaultValue: (): ReadonlyArray<string> => []
}) {}

/** How the program is called: the scripts `start` and `mailstream` run it from the repository, where it is not installed. */
export const program: Effect.Effect<string> = Config.string("npm_lifecycle_event").pipe(
  Config.withDefault(""),
  Effect.orDie,
  Effect.map((script) => /^(start|mailstream)$/.test(script) ? "npm run --silent mailstream --" : "mailstream")
)

/** An argument as a shell reads it. */
export const quoted = (arg: string): string => /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`

/** The command line that starts the program again. */
export const line: Effect.Effect<string> = Effect.zipWith(
  program,
  Invocation,
  (program, args) => [program, ...args.map(quoted)].join(" ")
)
