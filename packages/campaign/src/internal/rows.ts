/** The rows of the tables, and what is written to them. */
import * as Database from "@mailstream/sql/Database"
import * as Schema from "effect/Schema"
import type { Counts, State } from "../Recipient.ts"

/** A row of `mailstream_campaigns`. */
export const Row = Schema.Struct({
  name: Schema.String,
  service: Schema.String,
  once: Schema.String,
  scope: Database.nullable(Schema.String),
  createdAt: Database.Integer,
  startedAt: Database.Integer,
  endedAt: Database.nullable(Database.Integer),
  owner: Database.nullable(Schema.String),
  fence: Database.Integer,
  beat: Database.Integer,
  lease: Database.Integer,
  position: Schema.String,
  anchor: Database.nullable(Schema.String),
  newest: Database.nullable(Schema.String),
  units: Database.Integer,
  planned: Database.Integer,
  accepted: Database.Integer,
  rejected: Database.Integer,
  skipped: Database.Integer,
  undecided: Database.Integer,
  paused: Database.nullable(Schema.String),
  pausedUntil: Database.nullable(Database.Integer)
})

export interface Row extends Schema.Schema.Type<typeof Row> {}

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
  readonly doubt: "Expired" | "Refused" | "Conflict" | undefined
}

/** A row of `mailstream_units` that is not done. */
export const StoredUnit = Schema.Struct({
  unit: Database.Integer,
  key: Schema.String,
  size: Database.Integer,
  isBatch: Schema.transform(Database.Integer, Schema.Boolean, {
    strict: true,
    decode: (number) => number !== 0,
    encode: (boolean) => boolean ? 1 : 0
  }),
  body: Schema.String,
  firstAttemptAt: Database.nullable(Database.Integer),
  anchor: Database.nullable(Schema.String),
  doubt: Database.nullable(Schema.Literal("Expired", "Refused", "Conflict"))
})

export interface StoredUnit extends Schema.Schema.Type<typeof StoredUnit> {}

/** Somebody whose email is in a unit. */
export interface Member {
  readonly id: string
  readonly address: string
}

/** Somebody whose email is in a unit, and of whom nothing else is known. */
export const StoredMember = Schema.Struct({
  id: Schema.String,
  address: Schema.String,
  place: Database.Integer,
  state: Schema.Literal("planned", "undecided")
})

export interface StoredMember extends Schema.Schema.Type<typeof StoredMember> {}

/** Why somebody is skipped whose address already has an email. */
export const sameAddressAs = (id: string): string => `same address as ${id}`

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
  /** If it changes no unit: whether it was made already, by a commit whose response was lost. */
  readonly isDone?: Database.Query<boolean> | undefined
}
