/** What an import tells about itself when it has ended, or was stopped. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Invocation from "../usage/Invocation.ts"
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

/** Prints the result. Fails if lines were refused. */
export const conclude = ({ given, source }: Job, { contacts, refusals, refused }: ImportState.Done, isOld: boolean) =>
  Effect.gen(function*() {
    const { out, say } = yield* Stdio
    if (isOld) {
      const file = yield* stateFile(source, given.resume ?? "")
      yield* say(
        `--resume ${given.resume} is already complete. To import again, choose another name, or remove ${file}.`
      )
    }
    const counts = { contacts, refused: refusals, refused_file: refusals === 0 ? null : refused }
    const result = given.dryRun ? { dry_run: true, ...counts } : counts
    const formatter = Format.make(given.format, { known: Object.keys(result) }, out)
    yield* ItemWriter.run(Stream.make(result), formatter, out.write)
    if (given.dryRun) {
      yield* say(
        `Nothing was sent: ${
          Live.counted(contacts, "contacts")
        } would be. Whether the service accepts them, and whether ` +
          "segments, topics and properties exist, was not checked."
      )
    }
    if (refusals === 0) return
    const found = `${Live.counted(refusals, "lines")} refused: ${refused} has ${
      refusals === 1 ? "it, with the reason" : "them, with the reasons"
    }.`
    yield* say(
      given.dryRun
        ? `${found} Correct ${source.name} itself; or import it without --dry-run, and then the corrected lines.`
        : `${found} Correct and import that file.`
    )
    return yield* new Reported()
  })
