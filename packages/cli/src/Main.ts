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
import type { Platform } from "./commands/Action.ts"
import type { Entry } from "./commands/Entry.ts"
import * as Report from "./Report.ts"
import * as ExitCode from "./terminal/ExitCode.ts"
import * as Log from "./terminal/Log.ts"
import { Stdio, type Target } from "./terminal/Stdio.ts"
import { version } from "./terminal/Version.ts"
import * as Arguments from "./usage/Arguments.ts"
import * as Command from "./usage/Command.ts"
import * as CommandLine from "./usage/CommandLine.ts"
import * as Common from "./usage/Common.ts"
import * as Help from "./usage/Help.ts"

/**
 * Runs the program with its arguments, and returns the exit code. The platform is built only for commands that run.
 *
 * @since 1.0.0
 * @category constructors
 */
export const run = (
  args: ReadonlyArray<string>,
  platform: Layer.Layer<Platform>
): Effect.Effect<number, never, Stdio> => {
  const line = CommandLine.make(args)
  return respond(line, platform).pipe(
    Effect.catchAllCause(Report.failure),
    Effect.provide(Log.layer),
    line.logLevel === undefined ? identity : Logger.withMinimumLogLevel(line.logLevel)
  )
}

const respond = (line: CommandLine.CommandLine, platform: Layer.Layer<Platform>) =>
  Effect.gen(function*() {
    if (line.request === "version") return yield* print(() => `${version}\n`)
    const { root } = yield* Effect.promise(() => import("./commands/Commands.ts"))
    const { command, rest } = Command.find(root, line.words)
    if (line.request === "help") return yield* help(command)
    if (line.completions !== undefined) return yield* completions(line.completions, root)
    return yield* Effect.gen(function*() {
      if (command === root && rest.length === 0) {
        return yield* Effect.zipRight(Arguments.parse(Common.flags, line.args), help(root))
      }
      yield* Effect.provide(Command.run(command, rest, line), platform)
      return ExitCode.ok
    }).pipe(Effect.catchTag("UsageError", (error) => Report.usageError(error, command)))
  })

const help = (command: Entry) =>
  Effect.flatMap(Command.flagsOf(command), (flags) => print((out) => Help.text(command, flags, out)))

const completions = (shell: NonNullable<CommandLine.CommandLine["completions"]>, root: Entry) =>
  Effect.gen(function*() {
    const Completion = yield* Effect.promise(() => import("./usage/completion/Completion.ts"))
    const script = yield* Completion.script(shell, root)
    return yield* print(() => script)
  })

const print = (text: (out: Target) => string) =>
  Effect.as(Effect.flatMap(Stdio, ({ out }) => out.write(text(out))), ExitCode.ok)
