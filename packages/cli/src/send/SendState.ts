/** What is stored about the emails of a file that are sent in batches. */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as ImportState from "../import/ImportState.ts"

/** What became of one email. */
const Result = Schema.Union(
  Schema.Struct({ status: Schema.Literal("accepted"), id: Schema.String }),
  Schema.Struct({ status: Schema.Literal("rejected"), reason: Schema.String }),
  Schema.Struct({ status: Schema.Literal("unknown"), reason: Schema.optional(Schema.String) })
)

export type Result = typeof Result.Type

const Open = Schema.Struct({
  /** The number of the batch. */
  batch: Schema.NonNegativeInt,
  /** When it may have been sent first, in milliseconds since 1970. */
  begun: Schema.Number,
  /** Parts of it that may have been sent, by what their keys add to the one of the batch; why, if they were refused. */
  parts: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Boolean) })),
  /** What became of its emails, if that is known. */
  results: Schema.optional(Schema.Array(Result))
})

/** A batch that may have been sent, after those that are done. */
export interface Open extends Schema.Schema.Type<typeof Open> {}

const Done = Schema.Struct({
  ...ImportState.Part.fields,
  /** What the idempotency keys of all batches begin with. */
  job: Schema.String,
  /** How many batches are done; the next one begins with the next record. */
  batches: Schema.NonNegativeInt,
  accepted: Schema.NonNegativeInt,
  /** Emails that may have been sent, and were skipped. */
  unknown: Schema.NonNegativeInt,
  open: Schema.Array(Open)
})

export interface Done extends Schema.Schema.Type<typeof Done> {}

export const none = (job: string): Done => ({
  ...ImportState.nothing,
  job,
  batches: 0,
  accepted: 0,
  unknown: 0,
  open: []
})

export const sends: ImportState.Kind<Done> = ImportState.makeKind("emails send", Done)

/** The idempotency key of a batch: the same in every run. */
export const keyOf = ({ job }: Pick<Done, "job">, batch: number): string => `${job}/${batch}`

/** For how long a batch is repeated: an hour less than the service recognizes its key. */
export const validity = Duration.hours(23)

/** Whether a batch that may have been sent is too old to be repeated without sending it twice. */
export const isExpired = ({ begun, results }: Open, now: number): boolean =>
  results === undefined && now - begun >= Duration.toMillis(validity)

/** Marks a batch as one that may have been sent. One that was marked before keeps its time, unless it `isRenewed`. */
export const begin = (done: Done, batch: number, now: number, isRenewed = false): Done =>
  !isRenewed && done.open.some((open) => open.batch === batch)
    ? done
    : { ...done, open: [...done.open.filter((open) => open.batch !== batch), { batch, begun: now }] }

/** Remembers whether a part of a batch may have been sent, or why it was refused. */
export const mark = (done: Done, batch: number, part: string, mark: boolean | string): Done => ({
  ...done,
  open: done.open.map((open) => open.batch === batch ? { ...open, parts: { ...open.parts, [part]: mark } } : open)
})

/** Remembers what became of a batch. */
export const settle = (done: Done, batch: number, results: ReadonlyArray<Result>): Done => ({
  ...done,
  open: done.open.map((open) => open.batch === batch ? { ...open, results } : open)
})

/** Forgets that a batch may have been sent: it certainly was not. */
export const withdraw = (done: Done, batch: number): Done => ({
  ...done,
  open: done.open.filter((open) => open.batch !== batch)
})
