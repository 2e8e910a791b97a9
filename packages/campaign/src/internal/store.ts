/** What a campaign reads from and writes to the database. Every change is one transaction of the process that holds the lease. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Statement } from "@effect/sql/Statement"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Plans from "@mailstream/kernel/campaign/Plans"
import * as Rows from "@mailstream/kernel/campaign/Rows"
import * as Statements from "@mailstream/kernel/campaign/Statements"
import * as Availability from "@mailstream/sql/Availability"
import * as Database from "@mailstream/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { CampaignTakenOver } from "../CampaignError.ts"
import { Recipient, type State } from "../Recipient.ts"
import type { Change, Row, Unit } from "./rows.ts"

export { pageSize } from "@mailstream/kernel/campaign/Statements"

/** How long a database that does not respond is tried again. */
const patience = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("2 seconds")),
  Schedule.upTo("5 minutes")
)

/** Repeats what can be repeated while the database is unavailable. */
export const patiently = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(work, {
    while: (error) => error instanceof SqlError && Availability.isUnavailable(error),
    // A clock that is set does not end it.
    schedule: RetryPolicy.monotonic(patience)
  })

const statementsOf = (database: Database.Database) => Statements.make<Statement<object>>(database)

/** What can be read from the database. */
const reading = (database: Database.Database) => {
  const statements = statementsOf(database)
  const rows = <A>(read: Rows.Read<A>, statement: Statement<object>): Database.Query<ReadonlyArray<A>> =>
    Effect.map(database.read(Schema.Unknown, statement), (rows) => rows.map(read))
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
      database.read(Recipient, statements.recipients(name, after, state))
  }
}

type Reading = ReturnType<typeof reading>

/** Makes one change within a transaction; the row of the campaign afterwards. */
const applying = ({ find, rows, run, statements, swap }: Reading, name: string, fence: number) => {
  const runner = { name, fence }
  const takenOver = new CampaignTakenOver({ campaign: name })
  /** False if the unit is done already. */
  const concluded = ({ conclude }: Change): Database.Query<boolean> =>
    conclude === undefined
      ? Effect.succeed(true)
      : Effect.map(rows(Rows.number, statements.conclude(name, conclude)), ({ length }) => length > 0)
  return (change: Change, isRepeated: boolean): Effect.Effect<Row, SqlError | CampaignTakenOver> =>
    Effect.gen(function*() {
      const { insert = [], update = [] } = change
      const isMade = isRepeated && change.isDone !== undefined && (yield* change.isDone)
      if (isMade || !(yield* concluded(change))) return (yield* find(name)) ?? (yield* takenOver)
      const row = yield* swap(statements.count(runner, change))
      if (row === undefined) return yield* takenOver
      const at = yield* Clock.currentTimeMillis
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
): Effect.Effect<ReadonlyArray<Row>, SqlError | CampaignTakenOver> => {
  const apply = applying(store, name, fence)
  /** Whether an earlier attempt may have been committed after all. */
  let isRepeated = false
  return patiently(store.transaction(Effect.suspend(() => {
    const mayBeMade = isRepeated
    isRepeated = true
    // An earlier attempt may still be committing: what it has changed is visible once it has let go of the row.
    const waited = mayBeMade ? store.run(store.statements.wait({ name, fence })) : Effect.void
    return Effect.zipRight(waited, Effect.forEach(changes, (change) => apply(change, mayBeMade)))
  })))
}

/** Makes durable that a unit is about to be sent for the first time, that it certainly was not sent after all, or that there is a doubt. */
const marking = ({ run, statements, swap, transaction }: Reading) =>
(
  name: string,
  fence: number,
  unit: Pick<Unit, "unit" | "anchor" | "firstAttemptAt" | "doubt">
): Effect.Effect<void, SqlError | CampaignTakenOver> =>
  patiently(transaction(Effect.gen(function*() {
    const row = yield* swap(statements.beat({ name, fence }))
    if (row === undefined) return yield* new CampaignTakenOver({ campaign: name })
    yield* run(statements.mark(name, unit))
  })))

/** The clock was set back by so much: from now on, this is when the attempts began whose outcome is unknown. */
const shifting =
  ({ run, statements }: Reading) => (name: string, fence: number, step: number): Effect.Effect<void, SqlError> =>
    patiently(run(statements.shift({ name, fence }, step)))

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
    return row === undefined ? yield* new CampaignTakenOver({ campaign: name }) : gone + others
  }))

export type Store = ReturnType<typeof writing>

const writing = (store: Reading) => ({
  ...store,
  commit: committing(store),
  mark: marking(store),
  shift: shifting(store),
  forget: forgetting(store)
})

export const make: Effect.Effect<Store, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => writing(reading(Database.make(sql)))
)
