/** What a campaign reads from and writes to the database. Every change is one transaction of the process that holds the lease. */
import * as Plans from "@mailstream/kernel/campaign/Plans"
import * as Rows from "@mailstream/kernel/campaign/Rows"
import * as Statements from "@mailstream/kernel/campaign/Statements"
import * as Tables from "@mailstream/kernel/campaign/Tables"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import * as RetryPolicy from "../../http/RetryPolicy.ts"
import * as Database from "../../sql/internal/database.ts"
import { isUnavailable } from "../../sql/internal/errors.ts"
import * as Migrations from "../../sql/internal/migrations.ts"
import { CampaignTakenOver } from "../CampaignError.ts"
import { Recipient, type State } from "../Recipient.ts"

export { pageSize } from "@mailstream/kernel/campaign/Statements"

/** One change of a campaign. */
export interface Change extends Rows.Change {
  /** If it changes no unit: whether it was made already, by a commit whose response was lost. */
  readonly isDone?: Database.Query<boolean> | undefined
}

/** Creates the tables, unless they are there. */
export const ensure: Effect.Effect<void, SqlError | MigrationError, SqlClient> = Migrations.ensure(
  Tables.migrations,
  Tables.statements
)

/** How long a database that does not respond is tried again, on a clock that nobody sets. */
const patience = RetryPolicy.monotonic(
  Schedule.exponential("50 millis").pipe(
    Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(2)))),
    Schedule.while(({ elapsed }) => elapsed < 300_000)
  )
)

/** Repeats what can be repeated while the database is unavailable. */
export const patiently = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(work, { while: (error) => isUnavailable(error), schedule: patience })

const decodeRecipients = Schema.decodeUnknownEffect(Schema.Array(Recipient))

/** What can be read from the database. */
const reading = (database: Database.Database) => {
  const statements = Statements.make<Statement<object>>(database)
  const rows = <A>(read: Rows.Read<A>, statement: Statement<object>): Database.Query<ReadonlyArray<A>> =>
    Effect.map(database.run(statement), (rows) => rows.map(read))
  const first = <A>(read: Rows.Read<A>, statement: Statement<object>): Database.Query<A | undefined> =>
    Effect.map(rows(read, statement), ([found]) => found)
  return {
    ...database,
    statements,
    rows,
    /** Runs a statement that changes a campaign if a condition holds; its row afterwards. */
    swap: (statement: Statement<object>) => first(Rows.campaign, statement),
    find: (name: string) => first(Rows.campaign, statements.find(name)),
    all: rows(Rows.campaign, statements.all()),
    create: (row: Parameters<typeof statements.create>[0]) => database.run(statements.create(row)),
    open: (...page: Parameters<typeof statements.open>) => rows(Rows.unit, statements.open(...page)),
    unitAt: (name: string, number: number) => first(Rows.unit, statements.unitAt(name, number)),
    undecided: (name: string) => rows(Rows.number, statements.undecided(name)),
    members: (name: string, unit: number) => rows(Rows.member, statements.members(name, unit)),
    known: (name: string, ids: ReadonlyArray<string>) =>
      Effect.map(rows(Rows.id, statements.known(name, ids)), (ids) => new Set(ids)),
    holders: (name: string, addresses: ReadonlyArray<string>) =>
      Effect.map(rows(Rows.holder, statements.holders(name, addresses)), (holders) => new Map(holders)),
    recipients: (name: string, after: string, state: State | undefined) =>
      Effect.flatMap(
        database.run(statements.recipients(name, after, state)),
        (rows) => Effect.orDie(decodeRecipients(rows))
      )
  }
}

type Reading = ReturnType<typeof reading>

const takenOver = (name: string): CampaignTakenOver => new CampaignTakenOver({ campaign: name })

/** Makes one change within a transaction; the row of the campaign afterwards. */
const applying = ({ find, rows, run, statements, swap }: Reading, name: string, fence: number) => {
  const runner = { name, fence }
  /** False if the unit is done already. */
  const concluded = ({ conclude }: Change): Database.Query<boolean> =>
    conclude === undefined
      ? Effect.succeed(true)
      : Effect.map(rows(Rows.number, statements.conclude(name, conclude)), ({ length }) => length > 0)
  return (change: Change, isRepeated: boolean): Effect.Effect<Rows.Row, SqlError | CampaignTakenOver> =>
    Effect.gen(function*() {
      const { insert = [], update = [] } = change
      const isMade = isRepeated && change.isDone !== undefined && (yield* change.isDone)
      if (isMade || !(yield* concluded(change))) return (yield* find(name)) ?? (yield* takenOver(name))
      const row = yield* swap(statements.count(runner, change))
      if (row === undefined) return yield* takenOver(name)
      const at = yield* Database.millis
      yield* Effect.forEach(change.units ?? [], (unit) => run(statements.insertUnit(name, unit)), { discard: true })
      if (insert.length > 0) yield* run(statements.insert(name, insert, at))
      if (update.length > 0) yield* run(statements.update(name, update, at))
      const addresses = Plans.affected(change)
      const others = addresses.length === 0 ? [] : yield* rows(Rows.id, statements.rejectOthers(name, addresses, at))
      return others.length === 0 ? row : (yield* swap(statements.countOthers(runner, others.length))) ?? row
    })
}

/** Makes changes atomically, if this process still holds the lease of the campaign; its row after each of them. */
const committing = (store: Reading) =>
(
  name: string,
  fence: number,
  changes: ReadonlyArray<Change>
): Effect.Effect<ReadonlyArray<Rows.Row>, SqlError | CampaignTakenOver> =>
  Effect.suspend(() => {
    const apply = applying(store, name, fence)
    /** Whether an earlier attempt may have been committed after all. */
    let isRepeated = false
    return patiently(store.transaction(Effect.suspend(() => {
      const mayBeMade = isRepeated
      isRepeated = true
      // An earlier attempt may still be committing: what it has changed is visible once it has let go of the row.
      const waited = mayBeMade ? store.run(store.statements.wait({ name, fence })) : Effect.void
      return Effect.andThen(waited, Effect.forEach(changes, (change) => apply(change, mayBeMade)))
    })))
  })

/** Makes durable that a unit is about to be sent for the first time, that it certainly was not sent after all, or that there is a doubt. */
const marking = ({ run, statements, swap, transaction }: Reading) =>
(
  name: string,
  fence: number,
  unit: Pick<Rows.Unit, "unit" | "anchor" | "firstAttemptAt" | "doubt">
): Effect.Effect<void, SqlError | CampaignTakenOver> =>
  patiently(transaction(Effect.gen(function*() {
    const row = yield* swap(statements.beat({ name, fence }))
    if (row === undefined) return yield* takenOver(name)
    yield* run(statements.mark(name, unit))
  })))

/** The clock was set back by so much: from now on, this is when the attempts began whose outcome is unknown. */
const shifting =
  ({ run, statements }: Reading) => (name: string, fence: number, step: number): Effect.Effect<void, SqlError> =>
    Effect.asVoid(patiently(run(statements.shift({ name, fence }, step))))

/** Deletes the rows of those in a state who certainly were not written to; how many. */
const forgetting = ({ rows, run, statements, swap, transaction }: Reading) =>
(
  name: string,
  fence: number,
  state: Statements.Forgettable,
  position: string
): Effect.Effect<number, SqlError | CampaignTakenOver> =>
  transaction(Effect.gen(function*() {
    const gone = (yield* rows(Rows.id, statements.forget(name, state))).length
    if (state === "planned") yield* run(statements.forgetUnits(name))
    // None are left if those who were skipped are forgotten.
    const others = (yield* rows(Rows.id, statements.forgetOthers(name))).length
    const row = yield* swap(statements.countForgotten({ name, fence }, { state, gone, others, position }))
    return row === undefined ? yield* takenOver(name) : gone + others
  }))

export type Store = ReturnType<typeof writing>

const writing = (store: Reading) => ({
  ...store,
  commit: committing(store),
  mark: marking(store),
  shift: shifting(store),
  forget: forgetting(store)
})

export const make: Effect.Effect<Store, never, SqlClient> = Effect.map(
  Database.current,
  (database) => writing(reading(database))
)
