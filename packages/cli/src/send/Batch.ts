/** `mailstream emails send --batch`: sends the emails of a file. */
import type { RequestError } from "@mailstream/core"
import type { LockError } from "@mailstream/stream/Lock"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Checkpoint from "../import/Checkpoint.ts"
import * as Pipeline from "../import/Pipeline.ts"
import * as Progress from "../import/Progress.ts"
import * as RefusedFile from "../import/RefusedFile.ts"
import { stoppable } from "../import/Stopping.ts"
import * as Run from "../operations/Run.ts"
import { InputError, type OutputError } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import * as Attempt from "./Attempt.ts"
import * as Batches from "./Batches.ts"
import * as Job from "./Job.ts"
import * as Ledger from "./Ledger.ts"
import type { Given } from "./Options.ts"
import * as Reading from "./Reading.ts"
import * as Results from "./Results.ts"
import * as Sending from "./Sending.ts"
import * as SendState from "./SendState.ts"
import * as Summary from "./Summary.ts"

export const run = (subject: Run.Subject, given: Given): Running =>
  Effect.gen(function*() {
    const { batch: file = "" } = given
    const job = yield* Job.make(subject, file, given)
    if (!given.yes) yield* Run.confirm("send", `Send the emails of ${job.source.name}?`, file === "-")
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
    return yield* toEnd(job, checkpoint, yield* Sending.make(retry))
  })

/** Sends everything to its end, and says what was done. */
const toEnd = (
  job: Job.Job,
  checkpoint: Checkpoint.Checkpoint<SendState.Done>,
  sending: Sending.Sending
) =>
  Effect.gen(function*() {
    const { given, options, place, source } = job
    const before = checkpoint.done
    const reader = Reading.make(options)
    const ledger = Ledger.make(checkpoint)
    const file = yield* RefusedFile.make(place, before, (refused) => {
      ledger.update((done) => ({ ...done, refused }))
      return ledger.save
    })
    yield* Live.draw((columns, elapsed) =>
      Effect.sync(() => {
        const about = { before: countsOf(before), size: source.size, reason: sending.reason() }
        return Progress.line("emails", countsOf(ledger.done()), about, elapsed, columns)
      })
    )
    const printer = yield* Results.makePrinter(given.format)
    const prefix = Pipeline.makePrefix()
    const commit = Results.committing({ ledger, printer, file, prefix, input: place.input, header: reader.header })
    const other = yield* Job.otherInput(job)
    const items = Pipeline.items(source.bytes, reader, before, prefix, other)
    const halt = yield* Deferred.make<void>()
    const working: Working = before.isComplete
      // It must be the same input, to its end.
      ? Stream.runForEach(items, () => Effect.fail(other))
      : inBatches(Batches.make(items, before.batches), {
        start: Attempt.starting(job, ledger, sending),
        concurrency: given.concurrency,
        commit,
        // A later run has it in its place.
        tell: given.resume === undefined ? Results.telling({ ledger, printer }) : () => Effect.void,
        halt
      }).pipe(Effect.ensuring(Effect.ignore(before.isComplete ? Effect.void : ledger.save)))
    yield* stoppable(
      working,
      halt,
      (cause) => isOfInput(cause) ? Effect.void : Summary.sayStopped(job, ledger.done())
    ).pipe(
      Effect.ensuring(Effect.ignore(printer.end))
    )
    if (!reader.hasBegun()) {
      return yield* new InputError({ subject: source.name, description: "is empty: there is nothing to send" })
    }
    if (!before.isComplete) {
      ledger.update((done) => ({ ...done, isComplete: true }))
      yield* ledger.save
    }
    yield* Summary.conclude(job, ledger.done(), { isOld: before.isComplete, earlier: file.earlier })
  }).pipe(Effect.scoped)

type Working = Effect.Effect<void, InputError | RequestError | OutputError | LockError>

interface Options {
  readonly start: (batch: Batches.Batch) => Effect.Effect<Attempt.Outcome, OutputError | LockError>
  readonly concurrency: number
  /** Stores what became of a batch, in the order of the input. */
  readonly commit: Results.Commit
  /** Says what became of a batch that was in flight when the work stopped, or may have been sent. */
  readonly tell: Results.Tell
  /** Once it is done, nothing more is begun; what has begun is finished. */
  readonly halt: Deferred.Deferred<void>
}

/** Sends batches until their end, or until one of them stops it. */
const inBatches = (
  batches: Stream.Stream<Batches.Batch, InputError>,
  { commit, concurrency, halt, start, tell }: Options
): Working =>
  Effect.suspend(() => {
    let stop: InputError | RequestError | undefined
    const take = (outcome: Attempt.Outcome) => {
      if (stop === undefined && outcome._tag === "Settled") return commit(outcome)
      if (outcome._tag === "Stopped") stop ??= outcome.error
      return tell(outcome)
    }
    const unlessHalted = (batch: Batches.Batch) =>
      Effect.flatMap(Deferred.isDone(halt), (isHalted) =>
        isHalted ?
          Effect.succeedNone :
          Effect.asSome(
            Effect.tap(start(batch), ({ _tag }) => _tag === "Stopped" ? Deferred.succeed(halt, undefined) : Effect.void)
          ))
    return batches.pipe(
      Stream.interruptWhenDeferred(halt),
      // Its results are in the order of the batches. Those of a chunk are there at once, also after it was halted.
      Stream.mapEffect(unlessHalted, { concurrency }),
      Stream.filterMap(identity),
      Stream.runForEach(take),
      Effect.zipRight(Effect.suspend(() => stop === undefined ? Effect.void : Effect.fail(stop)))
    )
  })

const countsOf = ({ accepted, bytes, refusals }: SendState.Done): Progress.Counts => ({
  items: accepted,
  refusals,
  bytes
})

/** To run the same command again would not help. */
const isOfInput = (cause: Cause.Cause<{ readonly _tag: string }>): boolean =>
  Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "InputError")
