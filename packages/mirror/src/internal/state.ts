/** The row of a list in `mirror_lists`: where its copy stands, and what is under way. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import { toText } from "@mailstream/sql/Database"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OtherService } from "../MirrorError.ts"
import type { Copy } from "./copy.ts"
import { Integer, nullable, type Query } from "./database.ts"

const Counts = Schema.Struct({
  created: Schema.Number,
  updated: Schema.Number,
  deleted: Schema.Number,
  unchanged: Schema.Number
})

export type Counts = typeof Counts.Type

const Result = Schema.Struct({
  counts: Counts,
  /** How many items the copy held. */
  items: Schema.Number,
  /** The last ordinal that a row had. */
  ordinals: Schema.Number
})

/** A part of the list that is walked by itself, from an item that was known at the beginning, or from the top. */
const Lane = Schema.Struct({
  /**
   * The item that the lane begins after, which the lane above takes, and the first items in the lane; nothing for the top.
   * Another lane that meets two of them in a row has arrived where this one has begun.
   */
  beginning: Schema.Array(Schema.String),
  /** Where it continues. */
  position: Position.schema(Schema.String),
  isDone: Schema.Boolean,
  /** The number of the lane that it has met; none if it is not done, or was the one that met the end of the list. */
  met: Schema.optional(Schema.Number)
})

export type Lane = typeof Lane.Type

/** Owners that could not be read. */
const Unread = Schema.Struct({
  /** The first of them. */
  owners: Schema.Array(Schema.String),
  count: Schema.Number,
  /** Why the first could not be read. */
  reason: Schema.String
})

export type Unread = typeof Unread.Type

/** How a pass goes through a list. */
const Progress = Schema.Union(
  /** Everything in one response, from the top again after an interruption. */
  Schema.TaggedStruct("Whole", {}),
  Schema.TaggedStruct("Lanes", { lanes: Schema.Array(Lane) }),
  /** Owner by owner, in the order of their ordinals; this one is done. */
  Schema.TaggedStruct("Owners", { last: Schema.Number, unread: Schema.optional(Unread) })
)

export type Progress = typeof Progress.Type

const Pass = Schema.Struct({
  beganAt: Schema.String,
  /** When it was last heard of before this, for older versions: others look at when the state was stored. */
  activeAt: Schema.String,
  /** Whether its process has ended, and said so. */
  isPaused: Schema.optional(Schema.Boolean),
  /** How often it was begun or continued. */
  attempts: Schema.Number,
  /** How often it began again because a cursor was gone. */
  restarts: Schema.Number,
  counts: Counts,
  progress: Progress
})

export type Pass = typeof Pass.Type

const Columns = Schema.Struct({
  /** The service that the rows are from. */
  service: nullable(Schema.String),
  /** Changes with every commit. */
  version: Integer,
  /** The last ordinal that a row got. */
  ordinals: Integer,
  /** The last number that a change got. */
  changes: Integer,
  /** The ids of the newest items, the newest first. */
  newest: Schema.parseJson(Schema.Array(Schema.String)),
  pass: nullable(Schema.parseJson(Pass)),
  lastPass: nullable(Schema.parseJson(Result)).pipe(Schema.propertySignature, Schema.fromKey("last_pass")),
  completedAt: nullable(Schema.String).pipe(Schema.propertySignature, Schema.fromKey("completed_at")),
  error: nullable(Schema.String)
})

const Row = Schema.Struct({
  ...Columns.fields,
  /** When it was last stored, by the clock of the database; none if that was never done. */
  storedAt: nullable(Schema.String).pipe(Schema.propertySignature, Schema.fromKey("clock")),
  /** When it was read, by the same clock. */
  readAt: Schema.String.pipe(Schema.propertySignature, Schema.fromKey("now"))
})

export type State = typeof Row.Type

const encode = Schema.encodeSync(Columns)

/** The state during a pass. */
export interface Running extends State {
  readonly pass: Pass
}

/** How many of the newest ids are kept, in case the newest items are deleted. */
export const memory = 100

/** The ids to keep, the newest first. */
export const newestOf = (ids: ReadonlyArray<string>): ReadonlyArray<string> => ids.slice(0, memory)

/** The state; undefined for a list that was never copied. */
export const load = ({ database: { iso, name, now, read, sql }, own }: Copy): Query<State | undefined> =>
  Effect.flatMap(now, (now) =>
    Effect.map(
      read(
        Row,
        sql`SELECT service, version, ordinals, changes, newest, pass, last_pass, ${
          iso("completed_at")
        } AS completed_at, error, ${iso("clock")} AS clock, ${iso("n.now")} AS now
          FROM ${name("mirror_lists")}, (SELECT ${now} AS now) AS n WHERE ${own}`
      ),
      ([state]) => state
    ))

/** The state of a list that was never copied. */
const initial: State = {
  service: undefined,
  version: 0,
  ordinals: 0,
  changes: 0,
  newest: [],
  pass: undefined,
  lastPass: undefined,
  completedAt: undefined,
  error: undefined,
  storedAt: undefined,
  readAt: ""
}

/** The service that the rows of an account are from. */
const serviceOf = ({ database: { name, read, sql }, key: { account } }: Copy) =>
  Effect.map(
    read(
      Columns.pick("service"),
      sql`SELECT MIN(service) AS service FROM ${name("mirror_lists")} WHERE account = ${account} AND ordinals > 0`
    ),
    ([row]) => row?.service
  )

/**
 * The state as a pass or a poll finds it, without a trace in the database, and with the service that it belongs to from the
 * next commit on. Fails if the copy of the account was made from another service. Lists that never had a row belong to none.
 */
export const peek = (copy: Copy, service: string | undefined): Effect.Effect<State, SqlError | OtherService> =>
  Effect.gen(function*() {
    const state = (yield* load(copy)) ?? initial
    if (service === undefined) return state
    const stored = state.ordinals === 0 ? yield* serviceOf(copy) : state.service
    if (stored !== undefined && stored !== service) {
      return yield* new OtherService({ ...copy.key, stored, current: service })
    }
    if (state.service === service) return state
    const { readAt, version } = state
    return state.ordinals === 0 ? { ...initial, service, version, readAt } : { ...state, service }
  })

/** The same, after creating it if need be. */
export const open = (copy: Copy, service: string | undefined): Effect.Effect<State, SqlError | OtherService> =>
  Effect.gen(function*() {
    if ((yield* load(copy)) === undefined) yield* insert(copy)
    return yield* peek(copy, service)
  })

/** Creates the state of a list that was never copied. */
const insert = ({ database: { name, run, sql }, key }: Copy): Query<void> =>
  run(sql`INSERT INTO ${name("mirror_lists")} ${sql.insert({ ...key, ...encode(initial) })}
          ON CONFLICT (account, list) DO NOTHING`)

const Stored = Schema.Struct({ at: Schema.String })

/**
 * Stores the next state if nobody else was faster, and tells when, or nothing. In the same transaction, the caller writes what the state
 * says, with that time: it is later than all before it, whoever has stored them and however the clocks are set.
 */
export const advance = (
  { database: { after, exact, name, now, read, sql, time }, own }: Copy,
  { version, ...next }: State,
  isCompleted: boolean
): Query<string | undefined> =>
  Effect.flatMap(now, (now) => {
    const { completed_at, ...columns } = encode({ ...next, version: version + 1 })
    const clock = after("clock", now)
    return Effect.map(
      read(
        Stored,
        sql`UPDATE ${name("mirror_lists")} SET ${sql.update(columns)}, clock = ${clock},
              completed_at = ${isCompleted ? clock : time(completed_at)}
            WHERE ${own} AND version = ${version} RETURNING ${exact("clock")} AS at`
      ),
      ([row]) => row?.at
    )
  })

/** Records why the list could not be copied. The next commit clears it. */
export const fail = (copy: Copy, error: string): Query<void> => {
  const { database: { name, run, sql }, own } = copy
  return Effect.zipRight(
    insert(copy),
    run(sql`UPDATE ${name("mirror_lists")} SET error = ${toText(error)} WHERE ${own}`)
  )
}
