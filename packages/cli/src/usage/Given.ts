/**
 * The options that are given on a command line must be those of the command.
 *
 * @since 1.0.0
 */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Option from "effect/Option"
import * as CommandLine from "./CommandLine.ts"
import * as Common from "./Common.ts"
import type { Flag } from "./Flag.ts"

/** What every command accepts. `--wizard` is a feature of `@effect/cli` that nothing else here mentions. */
const builtIn: ReadonlyArray<Pick<Flag, "names" | "value" | "choices">> = [
  ...Common.flags,
  { names: ["--wizard"], value: undefined }
]

/**
 * The errors in the options of a command line: unknown, given twice, without a value, or with none of the values to
 * choose from. The value of an unknown option is never repeated, because it could be a key.
 *
 * @since 1.0.0
 * @category getters
 */
export const problemOf = (args: ReadonlyArray<string>, flags: ReadonlyArray<Flag>): Option.Option<string> => {
  const seen = new Set<string>()
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = CommandLine.split(args[index]!)
    if (!/^--\w/.test(name)) continue
    const flag = [...flags, ...builtIn].find(({ names }) => names.includes(name))
    if (flag === undefined) return Option.some(`Unknown option '${name}'.${hint(name, flags)}`)
    if (seen.has(name)) return Option.some(`${name} can be given only once.`)
    seen.add(name)
    if (flag.value === undefined) continue
    if (inline === undefined) index++
    if (inline === "" || index === args.length) return Option.some(`${name} needs a value.`)
    const value = inline ?? args[index]!
    if (flag.choices?.includes(value) === false) {
      return Option.some(`${name} must be one of ${flag.choices.join(", ")}, not '${value}'.`)
    }
  }
  return Option.none()
}

/**
 * The arguments with each `--name=value` as two of them: `@effect/cli` takes no line break after `=`.
 *
 * @since 1.0.0
 * @category conversions
 */
export const separate = (args: ReadonlyArray<string>, flags: ReadonlyArray<Flag>): ReadonlyArray<string> =>
  args.flatMap((arg) => {
    const [name, inline] = CommandLine.split(arg)
    const takesValue = flags.some(({ names, value }) => names.includes(name) && value !== undefined)
    return inline === undefined || !takesValue ? [arg] : [name, inline]
  })

/** What many type, by the names that the API, the library or other commands use, and what to type instead. */
const meant: { readonly [name: string]: string } = {
  "--limit": "--take",
  "--segment-id": "--segment",
  "--email-id": "--email",
  "--file": "--output"
}

const hint = (name: string, flags: ReadonlyArray<Flag>): string => {
  if (name === "--api-key") return " Set MAILSTREAM_API_KEY: other users of this machine can see options."
  const names = flags.flatMap(({ names }) => names)
  return suggestion(names.includes(meant[name] ?? "") ? meant[name]! : name, names)
}

/**
 * The question at the end of a message, if a name is spelled almost like a known one.
 *
 * @since 1.0.0
 * @category conversions
 */
export const suggestion = (name: string, names: ReadonlyArray<string>): string => {
  const near = names.find((known) => AutoCorrect.levensteinDistance(name, known, CliConfig.defaultConfig) <= 2)
  return near === undefined ? "" : ` Did you mean '${near}'?`
}
