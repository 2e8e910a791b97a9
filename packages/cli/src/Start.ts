/** Runs the program in this process: its signals, its exit code, its arguments. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Main from "./Main.ts"
import * as ExitCode from "./terminal/ExitCode.ts"
import { Stdio } from "./terminal/Stdio.ts"
import * as Text from "./terminal/Text.ts"

const args = process.argv.slice(2)

// Takes the passwords of database URLs out of the command line that `ps` shows. Node writes the title of the process over
// its arguments; until then, and on Windows, they can be seen. Environment variables are never shown.
const shown = args.map(Text.withoutPasswords)
if (shown.some((arg, index) => arg !== args[index])) process.title = ["mailstream", ...shown].join(" ")

const endless = MutableRef.make(false)

let signal: ExitCode.Signal = "SIGINT"
process.once("SIGTERM", () => {
  signal = "SIGTERM"
})

/** The terminal is gone. `runMain` handles the other signals. */
const hangup: Effect.Effect<never> = Effect.async((resume) => {
  process.once("SIGHUP", () => {
    signal = "SIGHUP"
    resume(Effect.interrupt)
  })
})

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

Main.run(args, platform).pipe(
  Effect.raceFirst(hangup),
  Effect.provide(Stdio.layer),
  // What the program cannot report itself, such as a runtime that does not let it read the environment.
  Effect.tapErrorCause((cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.void
      : Effect.sync(() => void process.stderr.write(`mailstream: ${Cause.prettyErrors(cause)[0]?.message}\n`))
  ),
  Effect.provideService(ExitCode.Endless, endless),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: ExitCode.teardown(endless, () => signal)
  })
)
