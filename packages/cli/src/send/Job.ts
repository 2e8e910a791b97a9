/** Sends of a file that are about to begin: what the options say about them, and where they store what. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { createHash, randomUUID } from "node:crypto"
import * as ImportState from "../import/ImportState.ts"
import type * as RefusedFile from "../import/RefusedFile.ts"
import * as Source from "../import/Source.ts"
import * as Flags from "../operations/Flags.ts"
import * as Run from "../operations/Run.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Given } from "./Options.ts"
import type * as Reading from "./Reading.ts"

export interface Job {
  readonly given: Given
  readonly source: Source.Source
  readonly options: Reading.Options
  readonly place: RefusedFile.Place
  /** What idempotency keys begin with, unless an earlier run has stored it. */
  readonly id: string
}

/** The format of a file by its extension. */
const inputOf = (file: string, given: Reading.Input | undefined): Effect.Effect<Reading.Input, UsageError.UsageError> =>
  given === undefined && /\.json$/i.test(file)
    ? Effect.succeed("json")
    : given === undefined || given !== "json"
    ? Source.inputOf(file, given)
    : Effect.succeed(given)

/** Keys have at most 256 characters; the number of a batch comes after this part. */
const longestKey = 200

/** What the options say. */
export const make = (subject: Run.Subject, file: string, given: Given) =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    if (given.json !== undefined) {
      return yield* UsageError.fail("--json has one email: it cannot be combined with --batch")
    }
    const fields = yield* Run.fieldsOf(subject, given)
    const defaults = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    if (defaults["attachments"] !== undefined) {
      return yield* UsageError.fail(
        "Attachments cannot be sent in a batch: leave out --batch to send an email with attachments"
      )
    }
    const key = Run.keyGiven(given)
    if (key !== undefined && !/^[!-~][ -~]{0,199}$/.test(key)) {
      return yield* UsageError.fail(
        `With --batch, --idempotency-key must be 1 to ${longestKey} visible ASCII characters: numbers of batches are added to it`
      )
    }
    const input = yield* inputOf(file, given.input)
    const source = yield* Source.open(file)
    const { ignoreOtherColumns, separator } = given
    const place: RefusedFile.Place = {
      input: input === "json" ? "ndjson" : input,
      ...(given.refused === undefined
        ? { path: path.resolve(source.directory, `${source.base}.refused`), isChosen: false }
        : { path: path.resolve(given.refused), isChosen: true })
    }
    const options = { input, separator, ignoreOtherColumns, defaults }
    const job: Job = { given, source, options, place, id: key ?? randomUUID() }
    return job
  })

/** Where the position is stored. */
export const stateFile = ({ directory }: Source.Source, name: string) =>
  Effect.map(Path.Path, (path) => path.join(directory, `${name}.mailstream-send`))

/** As it is shown in an error, if it is short. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length <= 100 ? text : `sha256:${createHash("sha256").update(text).digest("hex")}`
}

/** What decides about the emails, as it is stored. */
export const subjectOf = ({ given, options, place, source }: Job, service: string): ImportState.Subject => ({
  service,
  size: source.size ?? null,
  input: options.input,
  options: {
    ...Object.fromEntries(
      Object.entries(options.defaults).map(([field, value]) => [Flags.optionOf(field), shown(value)])
    ),
    "--separator": options.separator ?? "",
    "--ignore-other-columns": options.ignoreOtherColumns ? "true" : "",
    "--idempotency-key": Run.keyGiven(given) ?? "",
    "--refused": place.isChosen ? place.path : ""
  }
})

/** The error for an input that is not the one that was sent so far. */
export const otherInput = ({ given: { resume = "" }, source }: Job) =>
  Effect.map(stateFile(source, resume), (file) => ImportState.otherInput(resume, file, source.name, "sent"))
