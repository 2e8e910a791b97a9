/** What an import tells about itself when it has ended, or was stopped. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Invocation from "../usage/Invocation.ts"
import type { Given } from "./Flags.ts"
import type * as ImportState from "./ImportState.ts"
import { type Job, stateFile } from "./Job.ts"

/** What is kept, and how to continue. */
export const sayStopped = ({ given: { dryRun, resume } }: Job, { contacts, refusals }: ImportState.Done) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    if (dryRun) return
    const line = yield* Invocation.line
    const sofar = `${Live.counted(contacts, "contacts")} imported, ${Live.counted(refusals, "lines")} refused so far.`
    yield* say(
      resume === undefined
        ? `Stopped: ${sofar} To start again at the first line, which creates nobody twice, run: ${line}`
        : `Stopped: ${sofar} To continue, run: ${line}`
    )
  })

/** The numbers of an import that are printed. */
export const resultOf = ({ countExisting, dryRun }: Counted, done: ImportState.Done) => {
  const { contacts, created, refusals, refused, updated } = done
  const refusing = { refused: refusals, refused_file: refusals === 0 ? null : refused }
  if (dryRun) return { dry_run: true, contacts, ...refusing }
  return countExisting
    ? { contacts, created, updated, existing: contacts - created - updated, ...refusing }
    : { contacts, ...refusing }
}

/** What decides which numbers are known. */
type Counted = Pick<Given, "countExisting" | "dryRun">

/** The same in words. */
export const wordsOf = ({ countExisting, dryRun }: Counted, done: ImportState.Done): string => {
  const { contacts, created, refusals, updated } = done
  const counted = Live.counted(contacts, "contacts")
  const refused = `${Live.counted(refusals, "lines")} refused`
  if (dryRun) {
    return `Nothing was sent: ${counted} would be, ${refused}. Whether the service accepts them, and whether segments, topics ` +
      "and properties exist, was not checked."
  }
  if (!countExisting) return `${counted} imported; ${refused}.`
  const existing = contacts - created - updated
  return `${counted} imported: ${Live.count(created)} created, ${Live.count(updated)} updated, ${
    Live.count(existing)
  } already existed; ${refused}.`
}

interface Found {
  /** Whether the import was complete before. */
  readonly isOld: boolean
  /** The files of lines that earlier imports have refused. */
  readonly earlier: ReadonlyArray<string>
}

/** Files that belong to earlier imports: they may have been corrected, so that they stay. */
const ofEarlier = (files: ReadonlyArray<string>): string =>
  files.length === 1
    ? `${files[0]} is from an earlier import, not from this one: remove it if it is of no more use.`
    : `${files.join(", ")} are from earlier imports, not from this one: remove them if they are of no more use.`

/** Prints the result. Fails if lines were refused. */
export const conclude = ({ given, source }: Job, done: ImportState.Done, { earlier, isOld }: Found) =>
  Effect.gen(function*() {
    const { out, say } = yield* Stdio
    const { refusals, refused } = done
    if (isOld) {
      const file = yield* stateFile(source, given.resume ?? "")
      yield* say(
        `--resume ${given.resume} is already complete. To import again, choose another name, or remove ${file}.`
      )
    }
    const result = resultOf(given, done)
    const formatter = Format.make(given.format, { known: Object.keys(result) }, out)
    yield* ItemWriter.run(Stream.make(result), formatter, out.write)
    yield* say(wordsOf(given, done))
    if (earlier.length > 0) yield* say(ofEarlier(earlier))
    if (refusals === 0) return
    const found = `${refused} has ${
      refusals === 1 ? "the refused line, with the reason" : "the refused lines, with the reasons"
    }.`
    yield* say(
      given.dryRun
        ? `${found} Correct ${source.name} itself; or import it without --dry-run, and then the corrected lines.`
        : `${found} Correct and import that file.`
    )
    return yield* new Reported()
  })
