/** Fields of a body whose content is in files: long texts, and attachments. */
import * as FileSystem from "@effect/platform/FileSystem"
import { ValidationError } from "@mailstream/core"
import { attachmentsSize } from "@mailstream/core/SendEmail"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import { basename } from "node:path"
import { failing } from "../terminal/Errors.ts"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import type * as Fields from "./Fields.ts"
import * as Flags from "./Flags.ts"

/** The fields that are too long to type. */
const isLong = ({ name }: Fields.Field): boolean => name === "html" || name === "text"

/** Where the name of the file with a field is among what is given. */
export const keyOf = (name: string): string => `file.${name}`

const attachments = "attachments"

/** The options that name files: `--html-file FILE`, `--attach FILE`. */
export const flags = (fields: ReadonlyArray<Fields.Field>): Flag.Flags => ({
  ...Object.fromEntries(
    fields.filter(isLong).map(({ name }) => [
      keyOf(name),
      {
        ...Flag.optional(Value.file("FILE"), `Read ${Flags.optionOf(name)} from a file in UTF-8.`),
        names: [`${Flags.optionOf(name)}-file`]
      }
    ])
  ),
  ...(fields.some(({ name }) => name === attachments)
    ? {
      [keyOf(attachments)]: {
        ...Flag.repeated(
          Value.file("FILE"),
          identity<ReadonlyArray<string>>,
          "Attach a file under its own name. It can be repeated; at most 40 MB in base64 together."
        ),
        names: ["--attach"]
      }
    }
    : {})
})

/** Values by the names of fields or options. */
export interface Values {
  readonly [name: string]: unknown
}

/** The values of fields, with those that are in files. */
export const read = (
  fields: ReadonlyArray<Fields.Field>,
  typed: Values,
  given: Values
): Effect.Effect<Values, UsageError.UsageError | ValidationError, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const found: Record<string, unknown> = { ...typed }
    for (const { name } of fields.filter(isLong)) {
      const file = given[keyOf(name)]
      if (typeof file !== "string") continue
      const option = Flags.optionOf(name)
      if (typed[name] !== undefined) return yield* UsageError.fail(`${option} cannot be combined with ${option}-file`)
      found[name] = yield* textOf(`${option}-file`, file)
    }
    const attached = given[keyOf(attachments)]
    if (Array.isArray(attached)) {
      const already = typed[attachments]
      found[attachments] = [...Array.isArray(already) ? already : [], ...(yield* attach(attached))]
    }
    return found
  })

/** More than any request may have. */
const mostBytes = 64 * 1024 * 1024

const utf8 = new TextDecoder("utf-8", { fatal: true })

const textOf = (option: string, file: string) =>
  Effect.flatMap(
    bytesOf(option, file, mostBytes, () => UsageError.make(`${option} must have at most 64 MB`)),
    (bytes) =>
      Either.try({ try: () => utf8.decode(bytes), catch: () => UsageError.make(`${option} must be a file in UTF-8`) })
  )

const tooLarge = (): ValidationError =>
  ValidationError.because(
    `The attachments of an email may have at most ${attachmentsSize / 1024 / 1024} MB in base64.`
  )

/** Reads no more than an email may have. */
const attach = (files: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const all: Array<{ readonly filename: string; readonly content: string }> = []
    let room = attachmentsSize
    for (const file of files) {
      const bytes = yield* bytesOf("--attach", file, Math.floor(room / 4) * 3, tooLarge)
      const content = bytes.toString("base64")
      room -= content.length
      all.push({ filename: basename(file), content })
    }
    return all
  })

/** The content of a file, however large it says that it is: a pipe does not say. */
const bytesOf = <E>(option: string, file: string, most: number, tooLong: () => E) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const parts: Array<Uint8Array> = []
    // One byte more than may be there.
    yield* failing(file)(Stream.runForEach(fs.stream(file, { bytesToRead: most + 1 }), (part) =>
      Effect.sync(() => {
        parts.push(part)
      }))).pipe(
        Effect.mapError(({ message }) => UsageError.make(`${option} cannot be read: ${message}`))
      )
    const bytes = Buffer.concat(parts)
    return bytes.length > most ? yield* Effect.fail(tooLong()) : bytes
  })
