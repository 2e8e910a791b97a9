/**
 * Runs the program.
 *
 * Most of the time that a short command takes goes into loading code. So what not every command line needs is imported
 * when it is needed: the version needs nothing, the help only the names of the commands.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { Platform } from "./commands/Documented.ts"
import * as Report from "./Report.ts"
import * as ExitCode from "./terminal/ExitCode.ts"
import * as Log from "./terminal/Log.ts"
import { Stdio, type Target } from "./terminal/Stdio.ts"
import { version } from "./terminal/Version.ts"
import * as CommandLine from "./usage/CommandLine.ts"
import * as Help from "./usage/Help.ts"
import * as Page from "./usage/Page.ts"

/**
 * Runs the program with its arguments, and returns the exit code. The platform is built only for commands that run.
 *
 * @since 1.0.0
 * @category constructors
 */
export const run = (
  given: ReadonlyArray<string>,
  platform: Layer.Layer<Platform>
): Effect.Effect<number, never, Stdio> => {
  const line = CommandLine.make(given)
  return answer(line, platform).pipe(
    Effect.catchAllCause(Report.failure),
    Effect.provide(Log.layer),
    line.logLevel === undefined ? identity : Logger.withMinimumLogLevel(line.logLevel)
  )
}

const answer = (line: CommandLine.CommandLine, platform: Layer.Layer<Platform>) =>
  Effect.gen(function*() {
    if (line.request === "version") return yield* print(() => `${version}\n`)
    const Commands = yield* Effect.promise(() => import("./commands/Commands.ts"))
    const { page, rest } = Page.find(Commands.page, line.words)
    if (line.request === "help" || line.args.length === 0) {
      const flags = yield* Commands.flagsOf(page)
      return yield* print((out) => Help.text(page, flags, out))
    }
    const { Execution } = yield* Commands.implementation
    return yield* Effect.provide(Execution.run(page, rest, line.args), platform)
  })

const print = (text: (out: Target) => string) =>
  Effect.as(Effect.flatMap(Stdio, ({ out }) => out.write(text(out))), ExitCode.ok)
