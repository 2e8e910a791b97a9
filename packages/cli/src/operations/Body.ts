/** The body of a request, from options, from a file, or from both. */
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { failing } from "../terminal/Errors.ts"
import * as UsageError from "../usage/UsageError.ts"
import type * as Fields from "./Fields.ts"
import * as Flags from "./Flags.ts"

/** What was given. */
export interface Given {
  /** The values of options, by the names of the fields. */
  readonly typed: { readonly [field: string]: unknown }
  /** The fields to remove. */
  readonly cleared: ReadonlyArray<string>
  /** The content of the file; undefined without one. */
  readonly file: unknown
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Puts the body together: options take precedence over the file. What the API would refuse is not looked for here. */
export const merge = (
  { fields, isArray, isOptional }: Fields.Body,
  { cleared, file, typed }: Given
): Either.Either<unknown, UsageError.UsageError> => {
  const both = cleared.find((field) => typed[field] !== undefined)
  if (both !== undefined) {
    return Either.left(
      UsageError.make(`--clear ${Flags.dashed(both)} cannot be combined with ${Flags.optionOf(both)}`)
    )
  }
  const options = {
    ...Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(cleared.map((field) => [field, null]))
  }
  const hasOptions = Object.keys(options).length > 0
  if (file !== undefined) {
    if (!hasOptions) return Either.right(file)
    if (isArray) {
      return Either.left(UsageError.make("--json has the complete list: it cannot be combined with its fields"))
    }
    return isObject(file)
      ? Either.right({ ...file, ...options })
      : Either.left(UsageError.make("--json must hold an object, which the other options are added to"))
  }
  const missing = fields.find(({ isRequired, name }) => isRequired && !Object.hasOwn(options, name))
  if (missing !== undefined && (hasOptions || !isOptional)) {
    const { value } = Flags.flagOf(missing)
    return Either.left(UsageError.make(`${Flags.optionOf(missing.name)} ${value} is required`))
  }
  if (!hasOptions && isOptional) return Either.right(undefined)
  return Either.right(isArray ? [options] : options)
}

/** More than any request may have. */
const mostBytes = 64 * 1024 * 1024

/** Reads a JSON file; `-` is standard input. */
export const read = (
  file: string
): Effect.Effect<unknown, UsageError.UsageError, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const text = file === "-" ? yield* standardInput : yield* fromFile(file)
    const name = file === "-" ? "standard input" : file
    return yield* Either.mapLeft(
      Flags.parseJson(text.replace(/^\ufeff/, "")),
      () => UsageError.make(`--json must hold JSON, which ${name} does not`)
    )
  })

const fromFile = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => failing(file)(fs.readFileString(file))).pipe(
    Effect.mapError(({ message }) => UsageError.make(`--json cannot be read: ${message}`))
  )

const standardInput = NodeStream.toString(() => process.stdin, {
  maxBytes: mostBytes,
  onFailure: () => UsageError.make("--json cannot be read: standard input is closed or too long")
})
