/** Runs the program in this process: its signals, its exit code, its arguments. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Main from "./Main.ts"
import * as ExitCode from "./terminal/ExitCode.ts"
import * as Signals from "./terminal/Signals.ts"
import { Stdio } from "./terminal/Stdio.ts"
import * as Text from "./terminal/Text.ts"

const args = process.argv.slice(2)

// Takes the passwords of database URLs out of the command line that `ps` shows. Node writes the title of the process over
// its arguments; until then, and on Windows, they can be seen. Environment variables are never shown.
const shown = args.map(Text.withoutPasswords)
if (shown.some((arg, index) => arg !== args[index])) process.title = ["mailstream", ...shown].join(" ")

const ending: ExitCode.Ending = { isEndless: false, signal: undefined }

/** How many seconds a command may take to end. What is cut off here is what a kill would cut off: nothing is lost. */
const longestEnd = 10

const noting = (signal: Signals.Signal) => () => {
  if (ending.signal !== undefined) return
  ending.signal = signal
  setTimeout(() => {
    process.stderr.write(`mailstream: The command did not end within ${longestEnd} s, so it was stopped.\n`)
    process.exit(ExitCode.ofSignal(ending, signal))
  }, longestEnd * 1000).unref()
}

process.once("SIGINT", noting("SIGINT"))
process.once("SIGTERM", noting("SIGTERM"))

const hungUp = new Promise<void>((resolve) => {
  process.once("SIGHUP", () => {
    noting("SIGHUP")()
    resolve()
  })
})

/** The terminal is gone. `runMain` handles the other signals. */
const hangup = Effect.zipRight(Effect.promise(() => hungUp), Effect.interrupt)

/** The whole of `NodeContext` would load more. */
const platform = Layer.unwrapEffect(Effect.map(
  Effect.promise(() =>
    Promise.all([
      import("@effect/platform-node/NodeFileSystem"),
      import("@effect/platform-node/NodePath"),
      import("@effect/platform-node/NodeTerminal")
    ])
  ),
  ([fileSystem, path, terminal]) => Layer.mergeAll(fileSystem.layer, path.layer, terminal.layer)
))

// What a signal means is known once the command line has been read, so that it interrupts the command alone.
const program = Effect.yieldNow().pipe(
  // `runMain` has its listeners by now.
  Effect.zipRight(Effect.sync(Signals.handOver)),
  Effect.zipRight(Effect.provide(Main.run(args, platform), Stdio.layer)),
  Effect.uninterruptible
)

Effect.raceFirst(program, hangup).pipe(
  // What the program cannot report itself, such as a runtime that does not let it read the environment.
  Effect.tapErrorCause((cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.void
      : Effect.sync(() => {
        const [error] = Cause.prettyErrors(cause)
        process.stderr.write(`mailstream: ${Text.printable(error?.message ?? "")}\n`)
      })
  ),
  Effect.provideService(ExitCode.CurrentEnding, ending),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: ExitCode.teardown(ending)
  })
)
