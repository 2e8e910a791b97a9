/** The rows of the tables of campaigns: how they are read, and what is written to them. */
import type { Doubt } from "./Rules.ts"

/** What became of somebody. */
export type State = "planned" | "accepted" | "rejected" | "skipped" | "undecided"

/** How many people are in each state. */
export type Counts = { readonly [Name in State]: number }

/** A row of `mailstream_campaigns`. */
export interface Row extends Counts {
  readonly name: string
  readonly service: string
  readonly once: string
  readonly scope: string | undefined
  readonly createdAt: number
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly owner: string | undefined
  readonly fence: number
  readonly beat: number
  readonly lease: number
  readonly position: string
  readonly anchor: string | undefined
  readonly newest: string | undefined
  readonly units: number
  readonly paused: string | undefined
  readonly pausedUntil: number | undefined
}

/** A batch of emails whose key and bytes never change. */
export interface Unit {
  readonly unit: number
  readonly key: string
  readonly isBatch: boolean
  readonly size: number
  readonly body: string
  /** When its first attempt was about to begin, in milliseconds; undefined if certainly none has. */
  readonly firstAttemptAt: number | undefined
  /** An email that was accepted before the first attempt: its own ones are newer. */
  readonly anchor: string | undefined
  /** Why only the emails of the account can tell what became of it, if that is known. */
  readonly doubt: Doubt | undefined
}

/** Somebody whose email is in a unit. */
export interface Member {
  readonly id: string
  readonly address: string
}

/** Somebody whose email is in a unit, and of whom nothing else is known. */
export interface StoredMember extends Member {
  readonly place: number
  readonly state: "planned" | "undecided"
}

/** What a row of `mailstream_recipients` is to hold. */
export interface Entry extends Member {
  readonly oncePer?: string | undefined
  readonly state: State
  readonly emailId?: string | undefined
  readonly reason?: string | undefined
  readonly unit?: number | undefined
  readonly place?: number | undefined
}

/** One change of a campaign. */
export interface Change {
  /** How many more, or fewer, there are in each state. */
  readonly counts: Partial<Counts>
  readonly insert?: ReadonlyArray<Entry> | undefined
  readonly update?: ReadonlyArray<Entry> | undefined
  readonly units?: ReadonlyArray<Unit> | undefined
  readonly position?: string | undefined
  /** Whether the next run has something to do, though the campaign had come to its end. */
  readonly isReopened?: boolean | undefined
  /** The newest email that is known to be accepted. */
  readonly newest?: string | undefined
  /** What becomes of a unit. Nothing at all is changed if that is done already. */
  readonly conclude?: { readonly unit: number; readonly state: "done" | "undecided" } | undefined
}

/** Why somebody is skipped whose address already has an email. */
export const sameAddressAs = (id: string): string => `same address as ${id}`

// Reading. What a database returns for these tables is as it was written, or a defect.

/** Reads a row. Throws if it is not one. */
export type Read<A> = (row: unknown) => A

const unreadable = (column: string, value: unknown): never => {
  throw new TypeError(`The column ${column} has a value of another type: ${value === null ? "null" : typeof value}`)
}

const valueOf = (row: unknown, column: string): unknown =>
  typeof row === "object" && row !== null ? Reflect.get(row, column) : unreadable(column, row)

const text = (row: unknown, column: string): string => {
  const value = valueOf(row, column)
  return typeof value === "string" ? value : unreadable(column, value)
}

/** PostgreSQL's drivers pass on a `bigint` as text. */
const integer = (row: unknown, column: string): number => {
  const value = valueOf(row, column)
  const number = typeof value === "string" && value !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : unreadable(column, value)
}

const maybe = <A>(read: (row: unknown, column: string) => A, row: unknown, column: string): A | undefined =>
  valueOf(row, column) === null ? undefined : read(row, column)

const oneOf = <const A extends string>(...all: ReadonlyArray<A>) => (row: unknown, column: string): A => {
  const value = text(row, column)
  return all.find((one) => one === value) ?? unreadable(column, value)
}

export const campaign: Read<Row> = (row) => ({
  name: text(row, "name"),
  service: text(row, "service"),
  once: text(row, "once"),
  scope: maybe(text, row, "scope"),
  createdAt: integer(row, "createdAt"),
  startedAt: integer(row, "startedAt"),
  endedAt: maybe(integer, row, "endedAt"),
  owner: maybe(text, row, "owner"),
  fence: integer(row, "fence"),
  beat: integer(row, "beat"),
  lease: integer(row, "lease"),
  position: text(row, "position"),
  anchor: maybe(text, row, "anchor"),
  newest: maybe(text, row, "newest"),
  units: integer(row, "units"),
  planned: integer(row, "planned"),
  accepted: integer(row, "accepted"),
  rejected: integer(row, "rejected"),
  skipped: integer(row, "skipped"),
  undecided: integer(row, "undecided"),
  paused: maybe(text, row, "paused"),
  pausedUntil: maybe(integer, row, "pausedUntil")
})

const doubt = oneOf("Expired", "Refused", "Conflict")

/** A row of `mailstream_units` that is not done. */
export const unit: Read<Unit> = (row) => ({
  unit: integer(row, "unit"),
  key: text(row, "key"),
  size: integer(row, "size"),
  isBatch: integer(row, "isBatch") !== 0,
  body: text(row, "body"),
  firstAttemptAt: maybe(integer, row, "firstAttemptAt"),
  anchor: maybe(text, row, "anchor"),
  doubt: maybe(doubt, row, "doubt")
})

const stateOfMember = oneOf("planned", "undecided")

export const member: Read<StoredMember> = (row) => ({
  id: text(row, "id"),
  address: text(row, "address"),
  place: integer(row, "place"),
  state: stateOfMember(row, "state")
})

export const number: Read<number> = (row) => integer(row, "unit")

export const id: Read<string> = (row) => text(row, "id")

/** An address, and who has it. */
export const holder: Read<readonly [address: string, id: string]> = (row) => [text(row, "oncePer"), text(row, "id")]

/** An email, and what is known about it. */
export const event: Read<readonly [id: string, lastEvent: string | undefined]> = (row) => [
  text(row, "id"),
  maybe(text, row, "lastEvent")
]

/** How many emails have an event as their last one. */
export const count: Read<readonly [event: string, count: number]> = (row) => [
  maybe(text, row, "event") ?? "unknown",
  integer(row, "count")
]
