/** The row of a list in `mirror_lists`: where its copy stands, and what is under way. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OtherService } from "../MirrorError.ts"
import type { Database } from "./database.ts"

/** How many items were created, updated, deleted or unchanged. */
export const Counts = Schema.Struct({
  created: Schema.Number,
  updated: Schema.Number,
  deleted: Schema.Number,
  unchanged: Schema.Number
})

export type Counts = typeof Counts.Type

/** The result of a pass. */
const Result = Schema.Struct({
  counts: Counts,
  /** How many items the copy held. */
  items: Schema.Number,
  /** The last ordinal that a row had. */
  ordinals: Schema.Number
})

export const noCounts: Counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 }

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

/** How a pass goes through a list. */
const Progress = Schema.Union(
  /** Everything in one response, from the top again after an interruption. */
  Schema.TaggedStruct("Whole", {}),
  Schema.TaggedStruct("Lanes", { lanes: Schema.Array(Lane) }),
  /** Owner by owner, in the order of their ordinals; this one is done. */
  Schema.TaggedStruct("Owners", { last: Schema.Number })
)

export type Progress = typeof Progress.Type

/** One lane, from the top to the end. */
export const oneLane: Progress = {
  _tag: "Lanes",
  lanes: [{ beginning: [], position: Position.start, isDone: false }]
}

/** The beginning of a pass that goes through a list in some way. */
export const beginningOf = ({ _tag }: Progress): Progress => {
  switch (_tag) {
    case "Whole":
      return { _tag }
    case "Lanes":
      return oneLane
    case "Owners":
      return { _tag, last: 0 }
  }
}

const Pass = Schema.Struct({
  beganAt: Schema.String,
  /** When it was last heard of. */
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

export interface State {
  readonly service: string | undefined
  readonly version: number
  /** The last ordinal that a row got. */
  readonly ordinals: number
  /** The last number that a change got. */
  readonly changes: number
  /** The ids of the newest items, the newest first. */
  readonly newest: ReadonlyArray<string>
  readonly pass: Pass | undefined
  readonly lastPass: typeof Result.Type | undefined
  readonly completedAt: string | undefined
  readonly error: string | undefined
}

/** The state during a pass. */
export interface Running extends State {
  readonly pass: Pass
}

/** How many of the newest ids are kept, in case the newest items are deleted. */
export const memory = 100

/** The ids to keep, the newest first. */
export const newestOf = (ids: ReadonlyArray<string>): ReadonlyArray<string> => ids.slice(0, memory)

/** The state of one list of one account. */
export interface Key {
  readonly account: string
  readonly list: string
}

const decodePass = Schema.decodeUnknownSync(Schema.parseJson(Pass))
const decodeResult = Schema.decodeUnknownSync(Schema.parseJson(Result))
const decodeIds = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Schema.String)))

const text = (value: unknown): string | undefined => value === null || value === undefined ? undefined : String(value)

const optional = <A>(value: unknown, decode: (text: string) => A): A | undefined => {
  const given = text(value)
  return given === undefined ? undefined : decode(given)
}

/** The state; undefined for a list that was never copied. */
export const load = (
  { iso, name, run }: Database,
  { account, list }: Key
): Effect.Effect<State | undefined, SqlError> =>
  Effect.map(
    run(`SELECT *, ${iso("completed_at")} AS completed FROM ${name("mirror_lists")} WHERE account = ? AND list = ?`, [
      account,
      list
    ]),
    ([row]): State | undefined =>
      row === undefined ? undefined : {
        service: text(row["service"]),
        version: Number(row["version"]),
        ordinals: Number(row["ordinals"]),
        changes: Number(row["changes"]),
        newest: decodeIds(row["newest"]),
        pass: optional(row["pass"], decodePass),
        lastPass: optional(row["last_pass"], decodeResult),
        completedAt: text(row["completed"]),
        error: text(row["error"])
      }
  )

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
  error: undefined
}

/**
 * The state, with the service that it belongs to from the next commit on. Fails if the copy of the account was made from
 * another service. Lists that never had a row belong to none.
 */
const claim = (
  database: Database,
  key: Key,
  state: State,
  service: string | undefined
): Effect.Effect<State, SqlError | OtherService> =>
  Effect.gen(function*() {
    if (service === undefined) return state
    const stored = state.ordinals === 0 ? yield* serviceOf(database, key.account) : state.service
    if (stored !== undefined && stored !== service) return yield* new OtherService({ ...key, stored, current: service })
    if (state.service === service) return state
    return state.ordinals === 0 ? { ...initial, service, version: state.version } : { ...state, service }
  })

/** The service that the rows of an account are from. */
const serviceOf = ({ name, run }: Database, account: string): Effect.Effect<string | undefined, SqlError> =>
  Effect.map(
    run(`SELECT MIN(service) AS service FROM ${name("mirror_lists")} WHERE account = ? AND ordinals > 0`, [account]),
    ([row]) => text(row?.["service"])
  )

/** The state as a pass or a poll finds it, without a trace in the database. */
export const peek = (
  database: Database,
  key: Key,
  service: string | undefined
): Effect.Effect<State, SqlError | OtherService> =>
  Effect.flatMap(load(database, key), (known = initial) => claim(database, key, known, service))

/** The same, after creating it if need be. */
export const open = (
  database: Database,
  key: Key,
  service: string | undefined
): Effect.Effect<State, SqlError | OtherService> =>
  Effect.gen(function*() {
    const known = yield* load(database, key)
    if (known === undefined) yield* insert(database, key)
    return yield* peek(database, key, service)
  })

/** Creates the state of a list that was never copied. */
const insert = ({ name, run }: Database, { account, list }: Key): Effect.Effect<void, SqlError> =>
  Effect.asVoid(run(
    `INSERT INTO ${name("mirror_lists")} (account, list, version, ordinals, changes, newest)
     VALUES (?, ?, 0, 0, 0, '[]') ON CONFLICT (account, list) DO NOTHING`,
    [account, list]
  ))

/**
 * Stores the next state if nobody else was faster, and tells whether it did. In the same transaction, the caller writes
 * what the state says.
 */
export const advance = (
  { name, run, time }: Database,
  { account, list }: Key,
  next: State
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    run(
      `UPDATE ${name("mirror_lists")}
       SET service = ?, version = version + 1, ordinals = ?, changes = ?, newest = ?, pass = ?, last_pass = ?, completed_at = ${time},
         error = ?
       WHERE account = ? AND list = ? AND version = ? RETURNING version`,
      [
        next.service ?? null,
        next.ordinals,
        next.changes,
        JSON.stringify(next.newest),
        next.pass === undefined ? null : JSON.stringify(next.pass),
        next.lastPass === undefined ? null : JSON.stringify(next.lastPass),
        next.completedAt ?? null,
        next.error ?? null,
        account,
        list,
        next.version
      ]
    ),
    (rows) => rows.length === 1
  )

/** Records why the list could not be copied. The next commit clears it. */
export const fail = (database: Database, key: Key, error: string): Effect.Effect<void, SqlError> =>
  Effect.zipRight(
    insert(database, key),
    Effect.asVoid(database.run(
      `UPDATE ${database.name("mirror_lists")} SET error = ? WHERE account = ? AND list = ?`,
      [error, key.account, key.list]
    ))
  )
