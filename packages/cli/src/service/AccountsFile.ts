/** The file with the accounts of a service, for other programs: `mailstream worker --accounts` reads it. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { isSecret } from "@mailstream/core"
import type * as Account from "@mailstream/server/Account"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Destination from "../output/Destination.ts"
import * as OutputFile from "../output/OutputFile.ts"
import { failing, OutputError, type PipeClosed } from "../terminal/Errors.ts"
import type { Stdio } from "../terminal/Stdio.ts"

/** A file that can be written, and what an earlier service wrote to it. */
interface AccountsFile {
  /** The keys that it holds, by account. */
  readonly keys: ReadonlyMap<string, Redacted.Redacted>
  /** Replaces it atomically. Only its owner can read it. */
  readonly write: (
    accounts: ReadonlyArray<Account.Account>,
    baseUrl: string
  ) => Effect.Effect<void, OutputError | PipeClosed, FileSystem.FileSystem | Path.Path>
}

/** As `serve` writes it. Accounts of another service have other ids, so that their keys are not overwritten. */
const Written = Schema.parseJson(
  Schema.Array(Schema.Struct({
    id: Schema.String.pipe(Schema.pattern(/^account-[1-9]\d*$/)),
    baseUrl: Schema.String,
    apiKey: Schema.Redacted(Schema.String.pipe(Schema.filter(isSecret)))
  }))
)

const decode = Schema.decode(Written, { onExcessProperty: "error" })

/**
 * Opens a file. Fails if it holds anything but what an earlier service wrote; it may be empty, as `mktemp` makes it.
 */
export const open = (
  name: string
): Effect.Effect<AccountsFile, OutputError, FileSystem.FileSystem | Path.Path | Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    const destination = yield* Destination.fromPath(name)
    if (destination._tag === "Opened") {
      return { keys: new Map(), write: (accounts, baseUrl) => destination.output.write(textOf(accounts, baseUrl)) }
    }
    const fs = yield* FileSystem.FileSystem
    const written = Option.isNone(destination.info) ?
      [] :
      yield* failing(name)(fs.readFileString(destination.path)).pipe(
        // The parser's own message would quote the file, and with it any keys in it.
        Effect.flatMap((text) => text === "" ? Effect.succeed([]) : Effect.mapError(decode(text), () => foreign(name)))
      )
    return {
      keys: new Map(written.map(({ apiKey, id }) => [id, apiKey])),
      write: (accounts, baseUrl) =>
        OutputFile.replace(destination, (write) => write(textOf(accounts, baseUrl)), { mode: 0o600 })
    }
  })

const foreign = (file: string): OutputError =>
  new OutputError({
    subject: file,
    description: "exists, and was not written by serve --accounts; choose another file, or remove it first"
  })

const textOf = (accounts: ReadonlyArray<Account.Account>, baseUrl: string): string => {
  const entries = accounts.map(({ apiKey, id }) => JSON.stringify({ id, baseUrl, apiKey: Redacted.value(apiKey) }))
  return `[\n  ${entries.join(",\n  ")}\n]\n`
}
