/**
 * Runs the program.
 *
 * Most of the time that a short command takes goes into loading code. So what not every command line needs is imported
 * when it is needed: the version needs nothing, the help only the names of the commands.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Report from "./Report.ts"
import { codes, CurrentEnding } from "./terminal/ExitCode.ts"
import type { Platform } from "./terminal/Running.ts"
import { Stdio, type Target } from "./terminal/Stdio.ts"
import { version } from "./terminal/Version.ts"
import * as Command from "./usage/Command.ts"
import * as CommandLine from "./usage/CommandLine.ts"
import * as Help from "./usage/Help.ts"
import { Invocation } from "./usage/Invocation.ts"

/** Runs the program with its arguments, and returns the exit code. The platform is built only for commands that run. */
export const run = (
  args: ReadonlyArray<string>,
  platform: Layer.Layer<Platform>
): Effect.Effect<number, never, Stdio> => {
  const line = CommandLine.make(args)
  return respond(line, platform).pipe(
    Effect.catchAllCause((cause) =>
      Effect.flatMap(
        CurrentEnding,
        ({ signal }) =>
          signal !== undefined && Cause.isInterruptedOnly(cause) ? Effect.interrupt : Report.failure(cause)
      )
    ),
    Effect.provideService(Invocation, args),
    Effect.provide(Report.logger),
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
      yield* Report.checkFormat
      if (command === root && rest.length === 0) {
        return yield* Effect.zipRight(CommandLine.parse(CommandLine.flags, line.args), help(root))
      }
      yield* Effect.provide(Command.run(command, rest, line), platform)
      return codes.ok
    }).pipe(Effect.catchTag("UsageError", (error) => Report.usageError(error, command)))
  })

const help = (command: Command.Command) =>
  Effect.flatMap(Command.flagsOf(command), (flags) => print((out) => Help.text(command, flags, out)))

/** They hold all that can be typed, so that a shell does not have to start the program. */
const scripts = {
  bash: () => import("./usage/completion/Bash.ts"),
  fish: () => import("./usage/completion/Fish.ts"),
  zsh: () => import("./usage/completion/Zsh.ts")
}

const completions = (shell: keyof typeof scripts, root: Command.Command) =>
  Effect.gen(function*() {
    const Tree = yield* Effect.promise(() => import("./usage/completion/Tree.ts"))
    const { script } = yield* Effect.promise(scripts[shell])
    const tree = yield* Tree.make(root)
    return yield* print(() => script(tree))
  })

const print = (text: (out: Target) => string) =>
  Effect.as(Effect.interruptible(Effect.flatMap(Stdio, ({ out }) => out.write(text(out)))), codes.ok)
