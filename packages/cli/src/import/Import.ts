/** `mailstream contacts import`: creates the contacts of a file. */
import * as Path from "@effect/platform/Path"
import type { RequestError } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { type ContactProperties, Contacts, Segments } from "@mailstream/http/Services"
import * as contactProperties from "@mailstream/stream/contactProperties"
import type { ListError } from "@mailstream/stream/ListError"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { InputError, Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Invocation from "../usage/Invocation.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Account from "./Account.ts"
import * as Checkpoint from "./Checkpoint.ts"
import type { Given } from "./Flags.ts"
import * as ImportState from "./ImportState.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Progress from "./Progress.ts"
import * as Reading from "./Reading.ts"
import type * as Records from "./Records.ts"
import * as Refusal from "./Refusal.ts"
import * as RefusedFile from "./RefusedFile.ts"
import type { Contact } from "./Row.ts"
import * as Send from "./Send.ts"
import * as Source from "./Source.ts"

/** An import that is about to begin. */
interface Job {
  readonly given: Given
  readonly source: Source.Source
  readonly options: Reading.Options
  readonly place: RefusedFile.Place
}

/** What an import does with the service. */
interface Sending {
  /** Fails if the columns use properties that cannot be used. */
  readonly check: (used: ReadonlyArray<Account.Used>) => Effect.Effect<void, InputError | ListError>
  /** Returns why the line of a contact is refused, if it is. */
  readonly send: (contact: Contact) => Effect.Effect<string | undefined, RequestError>
  /** Why the last request failed, if it is repeated; else empty. */
  readonly reason: () => string
}

/** For an import that sends nothing. */
const nothing: Sending = { check: () => Effect.void, send: () => Effect.succeed(undefined), reason: () => "" }

export const run = (given: Given): Running =>
  Effect.gen(function*() {
    if (given.dryRun && given.resume !== undefined) {
      return yield* UsageError.fail("--dry-run stores nothing: it cannot be combined with --resume")
    }
    const path = yield* Path.Path
    const input = yield* Source.inputOf(given.file, given.input)
    const source = yield* Source.open(given.file)
    const { ignoreOtherColumns, map = [], properties, segment = [], separator } = given
    const options = { ignoreOtherColumns, map, properties, segment: [...new Set(segment)], separator, input }
    const place = given.refused === undefined
      ? { path: path.resolve(source.directory, `${source.base}.refused`), input, isChosen: false }
      : { path: path.resolve(given.refused), input, isChosen: true }
    const job = { given, source, options, place }
    if (given.dryRun) return yield* importing(job, Checkpoint.none, nothing)
    return yield* Effect.provide(sending(job), Connection.layer(given))
  }).pipe(Effect.scoped)

/** Imports into the service. */
const sending = (job: Job) =>
  Effect.gen(function*() {
    const { given, options, source } = job
    const contacts = yield* Contacts
    const segments = yield* Segments
    const checkpoint = given.resume === undefined
      ? Checkpoint.none
      : yield* Checkpoint.open(
        given.resume,
        yield* stateFile(source, given.resume),
        subjectOf(job, yield* Connection.Address)
      )
    let isReached = false
    let reason = ""
    const retry = Schedule.tapInput(
      given.retry ?? Retry.once(Effect.sync(() => isReached))(RetryPolicy.default),
      (error: RequestError) =>
        Effect.sync(() => {
          reason = Text.ofError(error)
        })
    )
    // Before anything is created: a wrong id would refuse every line.
    if (!checkpoint.done.isComplete) {
      yield* Effect.forEach(options.segment, (id) => segments.get(id, { retry }), { discard: true })
    }
    const missing = yield* Account.makeMissing(retry)
    const send = (contact: Contact) =>
      Effect.tap(Send.send(contacts, contact, { missing, onExisting: given.onExisting, retry }), () =>
        Effect.sync(() => {
          isReached = true
          reason = ""
        }))
    const context = yield* Effect.context<ContactProperties>()
    const check = (used: ReadonlyArray<Account.Used>) =>
      Stream.runCollect(contactProperties.items({ retry })).pipe(
        Effect.map((existing) => Account.problemOf(used, [...existing])),
        Effect.flatMap((problem) =>
          problem === undefined ? Effect.void : new InputError({ subject: source.name, description: problem })
        ),
        Effect.provide(context)
      )
    return yield* importing(job, checkpoint, { check, send, reason: () => reason })
  })

/** Where the position is stored. */
const stateFile = ({ directory }: Source.Source, name: string) =>
  Effect.map(Path.Path, (path) => path.join(directory, `${name}.mailstream-import`))

/** What decides about the result, as it is stored. */
const subjectOf = ({ given, options, place, source }: Job, service: string): ImportState.Subject => ({
  service,
  size: source.size ?? null,
  input: options.input,
  options: {
    "--map": options.map.length === 0 ? "" : JSON.stringify(options.map),
    "--properties": options.properties === undefined ? "" : JSON.stringify(options.properties),
    "--ignore-other-columns": options.ignoreOtherColumns ? "true" : "",
    "--segment": options.segment.join(","),
    "--separator": options.separator ?? "",
    "--on-existing": given.onExisting,
    "--refused": place.isChosen ? place.path : ""
  }
})

/** How long a command that was told to stop waits for what is in flight: less than the program itself does. */
const patience = Duration.seconds(8)

/** Runs an import to its end, and says what it did. */
const importing = (job: Job, checkpoint: Checkpoint.Checkpoint, sending: Sending) =>
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
      Effect.sync(() => Progress.line(done, { before, size: source.size, reason: sending.reason() }, elapsed, columns))
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
          contacts: done.contacts + outcomes.filter(({ isContact }) => isContact).length,
          refusals: done.refusals + refusals.length
        }
        yield* checkpoint.save(done)
      })
    const other = yield* otherInput(job)
    const items = Pipeline.items(source.bytes, reader, before, prefix, other)
    const halt = yield* Deferred.make<void>()
    const working = before.isComplete
      // It must be the same input, to its end.
      ? Stream.runForEach(items, () => Effect.fail(other))
      : Pipeline.run(items, {
        start: starting(job, reader, sending),
        concurrency: given.dryRun ? 1 : given.concurrency,
        commit,
        halt
      })
    yield* stoppable(working, halt, (cause) => isOfInput(cause) ? Effect.void : sayStopped(job, done))
    if (!reader.hasBegun() && options.input === "csv") {
      return yield* new InputError({
        subject: source.name,
        description: "is empty; the first line must name the columns"
      })
    }
    if (!before.isComplete) yield* checkpoint.save({ ...done, isComplete: true })
    yield* conclude(job, done, before.isComplete)
  }).pipe(Effect.scoped)

/** The error for an input that is not the one that was imported so far. */
const otherInput = ({ given: { resume = "" }, source }: Job) =>
  Effect.map(stateFile(source, resume), (file) => ImportState.otherInput(resume, file, source.name))

/** The properties that the columns use, and those of the first line. */
const usedBy = (reader: Reading.Reader, read: Reading.Read): ReadonlyArray<Account.Used> => {
  const declared = reader.properties()
  const first = Object.entries(read._tag === "Contact" ? read.contact.create.properties ?? {} : {})
  return [
    ...declared,
    ...first.filter(([name]) => !declared.some(({ key }) => key === name))
      .map(([key, value]) => ({ key, type: typeof value === "number" ? "number" as const : undefined }))
  ]
}

/** What is done with each record. Turns are given in the order of the file. */
const starting = ({ options, source }: Job, reader: Reading.Reader, { check, send }: Sending) => {
  const turnOf = Send.makeTurns()
  const refusing = (record: Records.Record, refusal: Refusal.Refusal): Pipeline.Outcome<never> => ({
    record,
    isContact: false,
    refusal: Refusal.line(options.input, reader.header(), refusal)
  })
  type Started = Effect.Effect<Pipeline.Outcome<InputError | ListError>>
  const begin = ({ read, record }: Pipeline.Item): Started => {
    switch (read._tag) {
      case "Nothing":
        return Effect.succeed({ record, isContact: false })
      case "Refused":
        return Effect.succeed(refusing(record, read.refusal))
      case "Unreadable":
        return Effect.succeed({
          record,
          isContact: false,
          stopped: new InputError({ subject: source.name, description: read.problem })
        })
      case "Contact": {
        const { contact, original } = read
        return turnOf(contact.create.email)(send(contact)).pipe(Effect.match({
          onFailure: (stopped) => ({ record, isContact: false, stopped }),
          onSuccess: (reason) =>
            reason === undefined
              ? { record, isContact: true }
              : refusing(record, { line: record.line, reason, original })
        }))
      }
    }
  }
  let checked: Effect.Effect<void, InputError | ListError> | undefined
  return (item: Pipeline.Item): Started => {
    const started = begin(item)
    if (item.read._tag === "Nothing" || item.read._tag === "Unreadable") return started
    if (checked === undefined) {
      const used = usedBy(reader, item.read)
      checked = used.length === 0 ? Effect.void : Effect.runSync(Effect.cached(check(used)))
    }
    return Effect.matchEffect(checked, {
      onFailure: (stopped) => Effect.succeed({ record: item.record, isContact: false, stopped }),
      onSuccess: () => started
    })
  }
}

/**
 * Runs an effect that ends soon after `halt`: if it is interrupted, what it has begun is finished, for a while. `onStopped` runs
 * if it does not succeed.
 */
const stoppable = <A, E, R, R2>(
  effect: Effect.Effect<A, E, R>,
  halt: Deferred.Deferred<void>,
  onStopped: (cause: Cause.Cause<E>) => Effect.Effect<void, never, R2>
): Effect.Effect<A, E, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      // A child would be interrupted together with this fiber.
      const fiber = yield* Effect.forkDaemon(restore(effect))
      const ended = yield* Effect.exit(restore(Fiber.await(fiber)))
      if (Exit.isFailure(ended)) {
        yield* Deferred.succeed(halt, undefined)
        // This fiber has been interrupted already, so that another one ends the wait.
        const limit = yield* Effect.delay(Fiber.interrupt(fiber), patience).pipe(
          Effect.interruptible,
          Effect.forkDaemon
        )
        yield* Fiber.await(fiber)
        yield* Fiber.interrupt(limit)
      }
      const exit = Exit.flatten(ended)
      if (Exit.isFailure(exit)) yield* onStopped(exit.cause)
      return yield* exit
    })
  )

/** To run the same command again would not help. */
const isOfInput = (cause: Cause.Cause<{ readonly _tag: string }>): boolean =>
  Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "InputError")

/** What is kept, and how to continue. */
const sayStopped = ({ given: { dryRun, resume } }: Job, { contacts, refusals }: ImportState.Done) =>
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
const conclude = ({ given, source }: Job, { contacts, refusals, refused }: ImportState.Done, isOld: boolean) =>
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
