/**
 * `mailstream emails send --batch`: sends the emails of a file.
 *
 * Before a batch is sent, it is stored that it may have been: a run that resumes the work repeats it with the same key and the
 * same content, or, if the service may have forgotten the key, stops.
 */
import type { RequestError } from "@mailstream/core"
import type { LockError } from "@mailstream/stream/Lock"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Checkpoint from "../import/Checkpoint.ts"
import * as Pipeline from "../import/Pipeline.ts"
import * as Progress from "../import/Progress.ts"
import * as Refusal from "../import/Refusal.ts"
import * as RefusedFile from "../import/RefusedFile.ts"
import { stoppable } from "../import/Stopping.ts"
import * as Run from "../operations/Run.ts"
import { InputError, type OutputError } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import * as Batches from "./Batches.ts"
import * as Job from "./Job.ts"
import * as Reading from "./Reading.ts"
import * as Results from "./Results.ts"
import type { Given } from "./Send.ts"
import * as Sending from "./Sending.ts"
import * as SendState from "./SendState.ts"
import * as Summary from "./Summary.ts"

export const run = (subject: Run.Subject, given: Given): Running =>
  Effect.gen(function*() {
    const { batch: file = "" } = given
    const job = yield* Job.make(subject, file, given)
    if (!given.yes) yield* Run.confirm(subject.operation, `Send the emails of ${job.source.name}?`, file === "-")
    return yield* Effect.provide(toService(job), Connection.layer(given))
  }).pipe(Effect.scoped)

const toService = (job: Job.Job) =>
  Effect.gen(function*() {
    const { given: { resume, retry }, id, source } = job
    const initial = SendState.none(id)
    const checkpoint = resume === undefined
      ? Checkpoint.none(initial)
      : yield* Checkpoint.open(SendState.sends, initial, {
        name: resume,
        file: yield* Job.stateFile(source, resume),
        subject: Job.subjectOf(job, yield* Connection.Address)
      })
    return yield* sending(job, checkpoint, yield* Sending.make(retry))
  })

/** What became of a batch: of its emails, or why the work stops before it. */
type Outcome =
  | { readonly _tag: "Settled"; readonly batch: Batches.Batch; readonly results: ReadonlyArray<SendState.Result> }
  | {
    readonly _tag: "Stopped"
    readonly batch: Batches.Batch
    readonly error: InputError | RequestError
    readonly isUnknown: boolean
  }

/** Sends everything to its end, and says what was done. */
const sending = (
  job: Job.Job,
  checkpoint: Checkpoint.Checkpoint<SendState.Done>,
  { reason, send }: Sending.Sending
) =>
  Effect.gen(function*() {
    const { given, options, place, source } = job
    const before = checkpoint.done
    const reader = Reading.make(options)
    const prefix = Pipeline.makePrefix()
    const printer = yield* Results.makePrinter(given.format)
    const alone = yield* Effect.makeSemaphore(1)
    let done = before
    const save = alone.withPermits(1)(Effect.suspend(() => checkpoint.save(done)))
    const file = yield* RefusedFile.make(place, before, (refused) =>
      Effect.suspend(() => {
        done = { ...done, refused }
        return save
      }))
    yield* Live.draw((columns, elapsed) =>
      Effect.sync(() =>
        Progress.line(
          "emails",
          countsOf(done),
          { before: countsOf(before), size: source.size, reason: reason() },
          elapsed,
          columns
        )
      )
    )

    const settled = (batch: Batches.Batch, results: ReadonlyArray<SendState.Result>): Outcome => {
      done = SendState.settle(done, batch.number, results)
      return { _tag: "Settled", batch, results }
    }
    const stopped = (batch: Batches.Batch, error: InputError | RequestError, isUnknown = false): Outcome => ({
      _tag: "Stopped",
      batch,
      error,
      isUnknown
    })
    const start = (batch: Batches.Batch): Effect.Effect<Outcome, OutputError | LockError> =>
      Effect.gen(function*() {
        const { items, number } = batch
        const [first] = items
        if (first?.read._tag === "Unreadable") {
          return stopped(batch, new InputError({ subject: source.name, description: first.read.problem }))
        }
        const emails = items.flatMap(({ read }) => read._tag === "Email" ? [read.email.email] : [])
        if (emails.length === 0) return settled(batch, [])
        const known = done.open.find((open) => open.batch === number)
        if (known?.results?.length === emails.length) return settled(batch, known.results)
        const now = yield* Clock.currentTimeMillis
        const isExpired = known !== undefined && SendState.isExpired(known, now)
        if (isExpired && given.expired === undefined) return stopped(batch, expired(job, batch, now - known.begun))
        if (isExpired && given.expired === "skip") return settled(batch, emails.map(() => ({ status: "unknown" })))
        done = SendState.begin(done, number, now, isExpired)
        yield* save
        const begun = isExpired || known === undefined ? now : known.begun
        const sent = yield* send(emails, SendState.keyOf(done, number), begun)
        if ("results" in sent) return settled(batch, sent.results)
        // Unless an earlier run has sent it.
        if (sent.outcome === "not_processed" && known === undefined) done = SendState.withdraw(done, number)
        return stopped(batch, sent.error, sent.outcome === "unknown" || known !== undefined)
      })

    const commit = (batch: Batches.Batch, results: ReadonlyArray<SendState.Result>) =>
      Effect.gen(function*() {
        const rows = Results.rowsOf(batch, results)
        yield* printer.print(rows)
        const refusals = Results.refusalsOf(batch, rows, place.input, reader.header())
        let { refusedBytes } = done
        if (refusals.length > 0) {
          const header = refusedBytes === 0 ? Refusal.begin(place.input, reader.header()) : ""
          refusedBytes = yield* file.append(header + refusals.join(""))
        }
        for (const { record } of batch.items) prefix.add(record)
        const counted = (status: SendState.Result["status"]) => rows.filter((row) => row.status === status).length
        done = {
          ...SendState.withdraw(done, batch.number),
          refusedBytes,
          records: prefix.records(),
          bytes: prefix.bytes(),
          hash: prefix.digest(),
          batches: batch.number + 1,
          accepted: done.accepted + counted("accepted"),
          unknown: done.unknown + counted("unknown"),
          refusals: done.refusals + refusals.length
        }
        yield* save
      })

    const halt = yield* Deferred.make<void>()
    let stop: InputError | RequestError | undefined
    /** After what stops the work, only what was in flight is left. A later run has it in its place; without one, it is said now. */
    const take = (outcome: Outcome) =>
      Effect.gen(function*() {
        const { batch } = outcome
        if (stop === undefined && outcome._tag === "Settled") return yield* commit(batch, outcome.results)
        if (outcome._tag === "Stopped") stop ??= outcome.error
        yield* Deferred.succeed(halt, undefined)
        if (given.resume !== undefined || outcome._tag === "Stopped" && !outcome.isUnknown) return
        const unknown = batch.items.map((): SendState.Result => ({ status: "unknown" }))
        const rows = Results.rowsOf(batch, outcome._tag === "Settled" ? outcome.results : unknown)
        done = {
          ...done,
          accepted: done.accepted + rows.filter(({ status }) => status === "accepted").length,
          unknown: done.unknown + rows.filter(({ status }) => status === "unknown").length
        }
        yield* printer.print(rows)
      })
    const other = yield* Job.otherInput(job)
    const items = Pipeline.items(source.bytes, reader, before, prefix, other)
    const working: Effect.Effect<void, InputError | RequestError | OutputError | LockError> = before.isComplete
      // It must be the same input, to its end.
      ? Stream.runForEach(items, () => Effect.fail(other))
      : Batches.make(items, before.batches).pipe(
        Stream.interruptWhenDeferred(halt),
        // Its results are in the order of the batches.
        Stream.mapEffect(start, { concurrency: given.concurrency }),
        Stream.runForEach(take),
        Effect.zipRight(Effect.suspend(() => stop === undefined ? Effect.void : Effect.zipRight(save, Effect.fail(stop))))
      )
    yield* stoppable(working, halt, (cause) => isOfInput(cause) ? Effect.void : Summary.sayStopped(job, done)).pipe(
      Effect.onError(() => Effect.ignore(printer.end))
    )
    if (!reader.hasBegun()) {
      return yield* new InputError({ subject: source.name, description: "is empty: there is nothing to send" })
    }
    yield* printer.end
    if (!before.isComplete) yield* checkpoint.save({ ...done, isComplete: true })
    yield* Summary.conclude(job, done, { isOld: before.isComplete, earlier: file.earlier })
  }).pipe(Effect.scoped)

const countsOf = ({ accepted, bytes, refusals }: SendState.Done): Progress.Counts => ({ items: accepted, refusals, bytes })

const linesOf = ({ items }: Batches.Batch): string => {
  const lines = items.flatMap(({ read }) => read._tag === "Email" ? [read.line] : [])
  const [first, last] = [lines[0], lines.at(-1)]
  return first === last ? `line ${first}` : `lines ${first} to ${last}`
}

/** A batch that may have been sent can no longer be repeated without sending it twice. */
const expired = ({ given: { resume }, source }: Job.Job, batch: Batches.Batch, age: number): InputError =>
  new InputError({
    subject: `--resume ${resume}`,
    description: `the emails of ${linesOf(batch)} of ${source.name} may have been sent ${Live.age(age / 1000)} ago, and the ` +
      "service recognizes a repetition for 24 hours only: nothing was sent. Look whether they were sent, with 'mailstream emails " +
      "list', and add --expired skip if they were, or --expired send if they were not"
  })

/** To run the same command again would not help. */
const isOfInput = (cause: Cause.Cause<{ readonly _tag: string }>): boolean =>
  Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "InputError")
