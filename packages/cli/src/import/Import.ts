/** `mailstream contacts import`: creates the contacts of a file. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import { InputError } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Checkpoint from "./Checkpoint.ts"
import type { Given } from "./Flags.ts"
import * as ImportState from "./ImportState.ts"
import * as Job from "./Job.ts"
import * as Lines from "./Lines.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Progress from "./Progress.ts"
import * as Reading from "./Reading.ts"
import * as Refusal from "./Refusal.ts"
import * as RefusedFile from "./RefusedFile.ts"
import * as Sending from "./Sending.ts"
import { stoppable } from "./Stopping.ts"
import * as Summary from "./Summary.ts"

export const run = (given: Given): Running =>
  Effect.gen(function*() {
    if (given.dryRun && given.resume !== undefined) {
      return yield* UsageError.fail("--dry-run stores nothing: it cannot be combined with --resume")
    }
    const job = yield* Job.make(given)
    if (given.dryRun) return yield* importing(job, Checkpoint.none(ImportState.none), Sending.nothing)
    return yield* Effect.provide(toService(job), Connection.layer(given))
  }).pipe(Effect.scoped)

/** Imports into the service. */
const toService = (job: Job.Job) =>
  Effect.gen(function*() {
    const { resume } = job.given
    const checkpoint = resume === undefined
      ? Checkpoint.none(ImportState.none)
      : yield* Checkpoint.open(ImportState.imports, ImportState.none, {
        name: resume,
        file: yield* Job.stateFile(job.source, resume),
        subject: Job.subjectOf(job, yield* Connection.Address)
      })
    return yield* importing(job, checkpoint, yield* Sending.make(job, checkpoint.done.isComplete))
  })

/** Runs an import to its end, and says what it did. */
const importing = (job: Job.Job, checkpoint: Checkpoint.Checkpoint<ImportState.Done>, sending: Sending.Sending) =>
  Effect.gen(function*() {
    const { given, options, place, source } = job
    const reader = Reading.make(options)
    const prefix = Pipeline.makePrefix()
    let done = checkpoint.done
    const file = yield* RefusedFile.make(place, done, (refused) =>
      Effect.suspend(() => {
        done = { ...done, refused }
        return checkpoint.save(done)
      }))
    const before = checkpoint.done
    yield* Live.draw((columns, elapsed) =>
      Effect.sync(() =>
        Progress.line(
          "contacts",
          countsOf(done),
          { before: countsOf(before), size: source.size, reason: sending.reason() },
          elapsed,
          columns
        )
      )
    )
    const commit = (outcomes: ReadonlyArray<Pipeline.Outcome<unknown>>) =>
      Effect.gen(function*() {
        const refusals = outcomes.flatMap(({ refusal = [] }) => refusal)
        let { refusedBytes } = done
        if (refusals.length > 0) {
          const header = refusedBytes === 0 ? Refusal.begin(options.input, reader.header()) : ""
          refusedBytes = yield* file.append(header + refusals.join(""))
        }
        for (const { record } of outcomes) prefix.add(record)
        done = {
          ...done,
          refusedBytes,
          records: prefix.records(),
          bytes: prefix.bytes(),
          hash: prefix.digest(),
          contacts: done.contacts + outcomes.filter(({ change }) => change !== undefined).length,
          created: done.created + outcomes.filter(({ change }) => change === "created").length,
          updated: done.updated + outcomes.filter(({ change }) => change === "updated").length,
          refusals: done.refusals + refusals.length
        }
        yield* checkpoint.save(done)
      })
    const other = yield* Job.otherInput(job)
    const items = Pipeline.items(source.bytes, reader, before, prefix, other)
    const halt = yield* Deferred.make<void>()
    const working = before.isComplete
      // It must be the same input, to its end.
      ? Stream.runForEach(items, () => Effect.fail(other))
      : Pipeline.run(items, {
        start: Lines.starting(job, reader, sending),
        concurrency: given.dryRun ? 1 : given.concurrency,
        commit,
        halt
      })
    yield* stoppable(working, halt, (cause) => isOfInput(cause) ? Effect.void : Summary.sayStopped(job, done))
    if (!reader.hasBegun() && options.input === "csv") {
      return yield* new InputError({
        subject: source.name,
        description: "is empty; the first line must name the columns"
      })
    }
    if (!before.isComplete) yield* checkpoint.save({ ...done, isComplete: true })
    yield* Summary.conclude(job, done, { isOld: before.isComplete, earlier: file.earlier })
  }).pipe(Effect.scoped)

const countsOf = ({ bytes, contacts, refusals }: ImportState.Done): Progress.Counts => ({
  items: contacts,
  refusals,
  bytes
})

/** To run the same command again would not help. */
const isOfInput = (cause: Cause.Cause<{ readonly _tag: string }>): boolean =>
  Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "InputError")
