/** One run of a campaign, from where the last one stopped. */
import * as Plans from "@mailstream/kernel/campaign/Plans"
import type { Row } from "@mailstream/kernel/campaign/Rows"
import * as Sentences from "@mailstream/kernel/campaign/Sentences"
import * as Units from "@mailstream/kernel/campaign/Units"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { MigrationError } from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { reasonOf } from "../../core/index.ts"
import * as InvalidOption from "../../core/InvalidOption.ts"
import { ApiClient } from "../../http/ApiClient.ts"
import { Emails } from "../../http/Services.ts"
import { raceFirst } from "../../internal/waiting.ts"
import * as Errors from "../CampaignError.ts"
import * as Begin from "./begin.ts"
import * as Commits from "./commits.ts"
import type { Definition } from "./definition.ts"
import * as Leases from "./lease.ts"
import { planned } from "./plan.ts"
import { end, start } from "./position.ts"
import { reconcile } from "./reconcile.ts"
import * as Rules from "./rules.ts"
import type { Options, Running } from "./running.ts"
import { send, type Sendable } from "./send.ts"
import * as Stores from "./store.ts"

export interface RunOptions extends Options {
  readonly lease: Duration.Duration
  readonly onUndecided: "fail" | "report"
  readonly again: boolean
}

export type RunError =
  | Errors.CampaignBusy
  | Errors.CampaignMismatch
  | Errors.CampaignPaused
  | Errors.CampaignTakenOver
  | Errors.UndecidedRecipients
  | InvalidOption.InvalidOption
  | SqlError
  | MigrationError

/** Runs a campaign; its row afterwards. */
export const run = <E, R>(
  definition: Definition<E, R>,
  options: RunOptions
): Effect.Effect<Row, E | RunError, R | SqlClient.SqlClient | ApiClient | Emails> =>
  Effect.scoped(Effect.gen(function*() {
    const { name } = definition
    const store = yield* Stores.make
    const transaction = yield* Effect.serviceOption(store.sql.transactionService)
    yield* Effect.fromResult(InvalidOption.unless(Option.isNone(transaction), "run", Sentences.outside))
    yield* Stores.patiently(Stores.ensure)
    const client = yield* ApiClient
    const emails = yield* Emails
    const begun = { service: client.baseUrl, once: definition.once, scope: definition.scope }
    const row = yield* Begin.begin(store, name, begun, emails, options)
    if (row.endedAt !== undefined && !options.again && row.undecided === 0 && row.planned === 0) return row
    const lease = yield* Leases.acquire(store, name, options.lease)
    // Another process may have begun it in another way meanwhile.
    const mismatch = Plans.mismatchOf(lease.row, begun)
    if (mismatch !== undefined) return yield* new Errors.CampaignMismatch(mismatch)
    const ended = yield* raceFirst(
      // What the run stores when it ends is stored before the lease is released.
      Effect.scoped(underLease(definition, options, { store, client, emails, lease })),
      lease.lost
    )
    // It was read under the lease, which is released with the scope.
    return { ...ended, owner: undefined }
  }))

const underLease = <E, R>(
  definition: Definition<E, R>,
  options: RunOptions,
  { client, emails, lease, store }: Pick<Running, "client" | "emails" | "lease" | "store">
): Effect.Effect<Row, E | RunError, R | Scope.Scope> =>
  Effect.gen(function*() {
    const { name } = definition
    // An earlier walk may have come to its end before everybody was written to.
    const isWalked = lease.row.endedAt !== undefined || lease.row.position === end
    const position = options.again && isWalked ? start : lease.row.position
    const at = yield* Clock.currentTimeMillis
    yield* Stores.patiently(store.swap(store.statements.start({ name, fence: lease.fence }, { at, position })))
    const running: Running = {
      name,
      store,
      lease,
      commit: yield* Commits.make(store, name, lease.fence),
      client,
      emails,
      options,
      position,
      halt: yield* Deferred.make<void>(),
      numbering: Units.numbering(name, lease.row.units),
      doubtful: new Set(),
      anchor: lease.row.newest ?? lease.row.anchor,
      doubt: undefined,
      lastAttempt: 0,
      unsent: new Map(),
      observe: (row, error) =>
        error !== undefined && Rules.isHopeless(row, lease.row.rejected)
          ? Effect.fail(new Errors.CampaignPaused({ campaign: name, reason: "Rejected", error }))
          : Effect.void
    }
    yield* Effect.addFinalizer(() => tidy(running))
    const sent = yield* Effect.exit(sendAll(running, definition))
    const row = yield* finish(running, sent)
    if (Exit.isFailure(sent)) return yield* Effect.failCause(sent.cause)
    if (row.undecided > 0 && options.onUndecided === "fail") {
      return yield* new Errors.UndecidedRecipients({
        campaign: name,
        count: row.undecided,
        description: running.doubt
      })
    }
    return row
  })

/** Stores that units were certainly not sent: without that, they would have to be looked for if the next run is long after this one. */
const tidy = ({ lease: { fence }, name, store, unsent }: Running): Effect.Effect<void> =>
  Leases.briefly(
    Effect.forEach(
      unsent.values(),
      (unit) => store.mark(name, fence, { ...unit, firstAttemptAt: undefined, anchor: undefined }),
      { discard: true }
    )
  )

/** Sends what earlier runs have left, then to everybody else in the audience; in the end, looks at what became of doubtful units. */
const sendAll = <E, R>(
  running: Running,
  definition: Definition<E, R>
): Effect.Effect<void, E | RunError, R> =>
  Effect.gen(function*() {
    const { doubtful, halt, name, options: { concurrency }, store } = running
    for (const unit of yield* Stores.patiently(store.undecided(name))) doubtful.add(unit)
    // While as many requests are in flight as may be, others are stored, so that one can leave as soon as a response arrives.
    const places = Rules.placesOf(concurrency)
    const slots = yield* Semaphore.make(places)
    const inFlight = yield* Semaphore.make(concurrency)
    // When the run is halted, nothing more is planned: the walk is interrupted.
    const turn = Effect.andThen(
      slots.take(1),
      Effect.suspend(() => Deferred.isDoneUnsafe(halt) ? Effect.never : Effect.void)
    )
    const failed = yield* Deferred.make<never, E | RunError>()
    /** Nothing more is sent. Requests under way are completed, and what became of them is stored. */
    const stop = (cause: Cause.Cause<E | RunError>): Effect.Effect<void> =>
      Effect.andThen(Deferred.failCause(failed, cause), Effect.asVoid(Deferred.succeed(halt, void 0)))

    /**
     * Sends units one after the other, while it may. The next ones may begin as soon as it is known what became of the last of them;
     * that is stored together with the next plan.
     */
    const work = (units: ReadonlyArray<Sendable>) => {
      let [places, requests] = [1, 0]
      const enter = Effect.map(inFlight.take(1), () => void (requests = 1))
      const leave = Effect.suspend(() => {
        const left = Effect.andThen(inFlight.release(requests), slots.release(places))
        places = requests = 0
        return Effect.asVoid(left)
      })
      return enter.pipe(
        Effect.andThen(
          Effect.forEach(
            units,
            (sendable, index) =>
              send(running, { ...sendable, onSettled: index === units.length - 1 ? leave : undefined }),
            { discard: true }
          )
        ),
        Effect.catchCause(stop),
        Effect.ensuring(leave)
      )
    }

    const drain = <R>(units: Stream.Stream<ReadonlyArray<Sendable>, E | RunError, R>) =>
      units.pipe(
        Stream.catchCause((cause) => Stream.fromEffectDrain(stop(cause))),
        Stream.interruptWhen(Deferred.await(halt)),
        Stream.mapEffect(work, { concurrency: places, unordered: true }),
        Stream.runDrain,
        Effect.andThen(Effect.suspend(() => Deferred.isDoneUnsafe(failed) ? Deferred.await(failed) : Effect.void))
      )

    const left = Stream.mapEffect(stored(running), (sendable) => Effect.as(turn, [sendable]))
    const everybody = planned(running, definition, turn).pipe(
      // If nobody is written to, there is nothing to do in the slot.
      Stream.tap((units) => units.length === 0 ? slots.release(1) : Effect.void),
      Stream.filter((units) => units.length > 0)
    )
    yield* drain(left)
    yield* drain(everybody)
    while (doubtful.size > 0) {
      const numbers = new Set(doubtful)
      doubtful.clear()
      yield* reconcile(running, numbers)
      yield* drain(left)
    }
  })

/** The units that can be sent, as they are stored. */
const stored = ({ name, numbering, store }: Running): Stream.Stream<Sendable, SqlError> =>
  Stream.suspend(() => paged(name, store, numbering.count()))

/** Only those before a number: later ones are parts of units that are being sent. */
const paged = (name: string, store: Stores.Store, before: number): Stream.Stream<Sendable, SqlError> =>
  Stream.paginate(-1, (after) =>
    Effect.gen(function*() {
      // Few at a time: each has the bytes of up to a hundred emails.
      const units = yield* Stores.patiently(store.open(name, after, before, few))
      const sendables = yield* Effect.forEach(units, (unit) =>
        Effect.map(Stores.patiently(store.members(name, unit.unit)), (members) => ({ unit, members })))
      const last = units[units.length - 1]
      return [
        sendables,
        last === undefined || units.length < few ? Option.none() : Option.some(last.unit)
      ] as const
    }))

const few = 4

/** Stores how a run ended; the row afterwards. */
const finish = (
  { lease: { fence }, name, store: { find, statements, swap } }: Running,
  sent: Exit.Exit<void, unknown>
): Effect.Effect<Row, SqlError | Errors.CampaignTakenOver> =>
  Effect.gen(function*() {
    const runner = { name, fence }
    const error = Option.getOrUndefined(Exit.findErrorOption(sent))
    const at = yield* Clock.currentTimeMillis
    const change = Exit.isSuccess(sent)
      ? statements.end(runner, at)
      : error instanceof Errors.CampaignPaused
      ? statements.pause(
        runner,
        reasonOf(error.error),
        error.until === undefined ? undefined : DateTime.toEpochMillis(error.until)
      )
      : undefined
    const row = yield* Stores.patiently(change === undefined ? find(name) : swap(change))
    return row ?? (yield* new Errors.CampaignTakenOver({ campaign: name }))
  })
