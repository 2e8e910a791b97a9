/**
 * Parses a command line with `@effect/cli`, and runs the command that it names.
 *
 * @since 1.0.0
 */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import type * as Array from "effect/Array"
import type * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { stripVTControlCharacters } from "node:util"
import * as Report from "../Report.ts"
import * as ExitCode from "../terminal/ExitCode.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import { version } from "../terminal/Version.ts"
import * as Completion from "../usage/completion/Completion.ts"
import * as Given from "../usage/Given.ts"
import * as Page from "../usage/Page.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Commands from "./Commands.ts"
import type { Requirements } from "./Documented.ts"

/**
 * Runs the command of a page, and returns the exit code. `rest` are the words that name no command.
 *
 * @since 1.0.0
 * @category constructors
 */
export const run = (
  page: Page.Page,
  rest: ReadonlyArray<string>,
  args: ReadonlyArray<string>
): Effect.Effect<number, never, Requirements> =>
  Effect.gen(function*() {
    const [unknown] = rest
    if (page.commands.length > 0 && unknown !== undefined) {
      const names = page.commands.map(Page.nameOf)
      const problem = page.path === "explain"
        ? `There is no error '${unknown}'. Known`
        : `Unknown command '${Page.line(page, unknown)}'. Available`
      return yield* UsageError.fail(`${problem}: ${names.join(", ")}.${Given.suggestion(unknown, names)}`)
    }
    const flags = yield* Commands.flagsOf(page)
    // Before its options are called unknown, which may be those of its subcommands.
    if (page.path !== "" && page.commands.length > 0 && flags.length === 0) return yield* needsSubcommand(page)
    const problem = Given.problemOf(args, flags)
    if (Option.isSome(problem)) return yield* UsageError.fail(problem.value)
    const shell = Completion.requested(args)
    if (Option.isSome(shell)) {
      const { out } = yield* Stdio
      yield* out.write(Completion.script(shell.value, yield* Commands.tree))
      return ExitCode.ok
    }
    yield* withStdio(execute(Commands.needed(page, args), Given.separate(args, flags)))
    return ExitCode.ok
  }).pipe(Effect.catchAllCause((cause) => failure(cause, page)))

const config = CliConfig.layer({ isCaseSensitive: true, finalCheckBuiltIn: true })

const execute = (entries: Array.NonEmptyReadonlyArray<Commands.Entry>, args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const mailstream = Command.make("mailstream").pipe(
      Command.withDescription(Commands.page.summary),
      Command.withSubcommands(yield* Effect.forEach(entries, commandOf))
    )
    const execute = Command.run(mailstream, { name: "mailstream", version, executable: "mailstream" })
    // `@effect/cli` expects the arguments of a Node process: the executable and the script come first.
    return yield* Effect.provide(execute(["", "", ...args]), config)
  })

const commandOf = (entry: Commands.Entry) =>
  Effect.gen(function*() {
    if (!("commands" in entry)) return (yield* entry.load).command
    const { commands, own, page } = entry
    const subcommands = yield* Effect.forEach(commands, subcommandOf)
    return own === undefined
      ? Command.withSubcommands(incomplete(page), subcommands)
      : Command.withSubcommands((yield* own.load).command, subcommands)
  })

const subcommandOf = (entry: Commands.Single | Commands.Subgroup) =>
  Effect.gen(function*() {
    if (!("commands" in entry)) return (yield* entry.load).command
    const subcommands = yield* Effect.forEach(entry.commands, ({ load }) => Effect.map(load, ({ command }) => command))
    return Command.withSubcommands(incomplete(entry.page), subcommands)
  })

/** What a group does without a subcommand. */
const incomplete = (page: Page.Page) => Command.make(Page.nameOf(page), {}, () => needsSubcommand(page))

const needsSubcommand = (page: Page.Page) =>
  UsageError.fail(
    page.path === "explain"
      ? `explain needs the tag of an error: ${page.commands.map(Page.nameOf).join(", ")}.`
      : `${page.path} needs a subcommand: ${page.commands.map(Page.nameOf).join(", ")}.`
  )

/** Reports a failure. A usage error also points to the help of the command. */
const failure = (cause: Cause.Cause<unknown>, page: Page.Page): Effect.Effect<number, never, Stdio> =>
  Effect.gen(function*() {
    const error = Report.errorOf(cause)
    if (!ValidationError.isValidationError(error)) return yield* Report.failure(cause)
    const { say } = yield* Stdio
    yield* say(`mailstream: ${Text.printable(UsageError.messageOf(error))}`)
    const isGroup = page.commands.length > 0 && (yield* Commands.flagsOf(page)).length === 0
    yield* say(`Run '${Page.line(page, "--help")}' for available ${isGroup ? "commands" : "options"}.`)
    return ExitCode.usageError
  })

/** Sends what `@effect/cli` prints to standard output. Its errors are dropped: `failure` says more about them. */
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
