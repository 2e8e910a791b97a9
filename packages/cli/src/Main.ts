/**
 * Runs the program.
 *
 * @since 0.1.0
 */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import { stripVTControlCharacters } from "node:util"
import * as Commands from "./commands/Commands.ts"
import type { Requirements } from "./commands/Documented.ts"
import * as Report from "./Report.ts"
import * as ExitCode from "./terminal/ExitCode.ts"
import * as Log from "./terminal/Log.ts"
import { Stdio } from "./terminal/Stdio.ts"
import { version } from "./terminal/Version.ts"
import * as CommandLine from "./usage/CommandLine.ts"
import * as Help from "./usage/Help.ts"
import * as Page from "./usage/Page.ts"
import * as UsageError from "./usage/UsageError.ts"

/**
 * Runs the program with its arguments, and returns the exit code.
 *
 * @since 0.1.0
 * @category constructors
 */
export const run = (given: ReadonlyArray<string>): Effect.Effect<number, never, Requirements> => {
  const { args, logLevel, request, words } = CommandLine.make(given)
  const { page, rest: [unknown] } = Page.find(Commands.page, words)
  return Effect.gen(function*() {
    if (request === "version") return yield* print(() => `${version}\n`)
    if (request === "help" || args.length === 0) return yield* print((hasColors) => Help.text(page, hasColors))
    if (page.commands.length > 0 && unknown !== undefined) {
      const available = page.commands.map(Page.nameOf).join(", ")
      return yield* UsageError.fail(`Unknown command '${Page.line(page, unknown)}'. Available: ${available}.`)
    }
    const problem = CommandLine.problemOf(args, page.options)
    if (Option.isSome(problem)) return yield* UsageError.fail(problem.value)
    return yield* withStdio(Commands.run(CommandLine.separate(args, page.options)))
  }).pipe(
    Effect.as(ExitCode.ok),
    Effect.catchAllCause((cause) => Report.failure(cause, page)),
    Effect.provide(Log.layer),
    logLevel === undefined ? identity : Logger.withMinimumLogLevel(logLevel)
  )
}

const print = (text: (hasColors: boolean) => string) =>
  Effect.flatMap(Stdio, ({ out }) => out.write(text(out.hasColors)))

/** Sends what `@effect/cli` prints to standard output. Its errors are dropped: `Report` says more about them. */
const withStdio = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Stdio> =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const console = yield* Console.consoleWith(Effect.succeed)
    return yield* Effect.withConsole(effect, {
      ...console,
      log: (...parts) => {
        const text = `${parts.map(String).join(" ")}\n`
        return Effect.ignore(out.write(out.hasColors ? text : stripVTControlCharacters(text)))
      },
      error: () => Effect.void
    })
  })
