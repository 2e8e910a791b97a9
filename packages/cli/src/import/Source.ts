/** The input: a file of any size, or standard input, as bytes. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { failing, InputError } from "../terminal/Errors.ts"
import * as Text from "../terminal/Text.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Input } from "./Refusal.ts"

export interface Source {
  /** As the user typed it. */
  readonly name: string
  /** Undefined for a pipe. */
  readonly size: number | undefined
  readonly bytes: Stream.Stream<Uint8Array, InputError>
  /** Where files about it are written. */
  readonly directory: string
  /** The name of its file. */
  readonly base: string
}

const chunkSize = 64 * 1024

/** The format of a file by its extension. */
export const inputOf = (file: string, given: Input | undefined): Effect.Effect<Input, UsageError.UsageError> => {
  if (given !== undefined) return Effect.succeed(given)
  if (/\.(csv|tsv|txt)$/i.test(file)) return Effect.succeed("csv")
  if (/\.(ndjson|jsonl)$/i.test(file)) return Effect.succeed("ndjson")
  return /\.json$/i.test(file)
    ? UsageError.fail(`${file} must have one JSON object per line`, "If it does, add --input ndjson.")
    : UsageError.fail(
      file === "-"
        ? "Standard input has no extension: add --input csv or --input ndjson"
        : `${file} has an unknown extension: use .csv or .ndjson, or add --input csv or --input ndjson`
    )
}

const standardInput: Stream.Stream<Uint8Array, InputError> = Stream.unwrap(Effect.map(
  Effect.promise(() => import("@effect/platform-node/NodeStream")),
  ({ fromReadable }) =>
    fromReadable<InputError, Uint8Array>(
      () => process.stdin,
      (cause) => new InputError({ subject: "standard input", description: Text.reasonOf(cause) })
    )
))

/** Opens what the user has named. `-` is standard input, and `./-` a file of that name. */
export const open = (
  file: string
): Effect.Effect<Source, InputError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const here = path.resolve(".")
    if (file === "-") {
      return { name: "standard input", size: undefined, bytes: standardInput, directory: here, base: "stdin" }
    }
    const reading = Effect.mapError(
      failing(file)(fs.stat(file)),
      ({ description, subject }) => new InputError({ subject, description })
    )
    const { size, type } = yield* reading
    if (type === "Directory") return yield* new InputError({ subject: file, description: "is a directory" })
    const beside = path.dirname(path.resolve(file))
    const isWritable = yield* Effect.isSuccess(fs.access(beside, { writable: true }))
    return {
      name: file,
      size: type === "File" ? Number(size) : undefined,
      bytes: Stream.mapError(
        fs.stream(file, { chunkSize }),
        (error) => new InputError({ subject: file, description: Text.reasonOf(error) })
      ),
      directory: type === "File" && isWritable ? beside : here,
      base: path.basename(file)
    }
  })
