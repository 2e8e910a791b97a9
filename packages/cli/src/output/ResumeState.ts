/** What is stored about a file that is written over several runs, and what a new run does about what it finds. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { OutputError } from "../terminal/Errors.ts"
import * as Format from "./Format.ts"

const Texts = Schema.Record({ key: Schema.String, value: Schema.String })

const Subject = Schema.Struct({
  /** The base URL of the service, as the client uses it. */
  service: Schema.String,
  list: Schema.String,
  /** The filter of the list: `{ segment_id: "…" }`. */
  filter: Texts,
  /** The name that the user gave it. */
  key: Schema.String,
  format: Schema.Literal(...Format.all),
  /** The fields that were chosen, if not all of them. */
  columns: Schema.optional(Schema.Array(Schema.String)),
  /** Where the walk started. */
  begin: Schema.String
})

/** What a file was started with: it can be resumed only with the same. */
export interface Subject extends Schema.Schema.Type<typeof Subject> {}

const State = Schema.Struct({
  version: Schema.Literal(2),
  ...Subject.fields,
  bytes: Schema.NonNegativeInt,
  checkpoint: Texts
})

/** What is stored after each page: the number of valid bytes, and the checkpoint that belongs to them. */
export interface State extends Schema.Schema.Type<typeof State> {}

const decode = Schema.decodeEither(Schema.parseJson(State))

/** The text that is stored. */
export const encode: (state: State) => string = Schema.encodeSync(Schema.parseJson(State))

const fields = ["service", "list", "filter", "key", "format", "columns", "begin"] as const

/** What is on disk when a run begins. Undefined is what does not exist. */
export interface Found {
  /** The name of the file, for errors. */
  readonly file: string
  readonly size: number | undefined
  /** The path of what is stored about it, for errors. */
  readonly stateFile: string
  readonly stored: string | undefined
}

/**
 * How to begin: with a new file, or after the valid bytes of the one that exists. Fails if neither can be done without
 * losing or repeating an item, or overwriting a file that was not written this way.
 */
export const decide = (
  subject: Subject,
  { file, size, stateFile, stored }: Found
): Either.Either<{ readonly state: State; readonly isNew: boolean }, OutputError> => {
  const reject = (description: string, rejected = file) =>
    Either.left(new OutputError({ subject: rejected, description }))
  if (stored === undefined) {
    return size === undefined
      ? Either.right({ state: { version: 2, ...subject, bytes: 0, checkpoint: {} }, isNew: true })
      : reject("already exists and was not created with --resume; remove it or choose another file")
  }
  const decoded = decode(stored)
  if (Either.isLeft(decoded)) return reject(`not written by --resume; to start over, remove it and ${file}`, stateFile)
  const state = decoded.right
  for (const field of fields) {
    const [found, wanted] = [JSON.stringify(state[field] ?? "all"), JSON.stringify(subject[field] ?? "all")]
    if (found !== wanted) {
      const label = field === "begin" ? "start position" : field
      return reject(`started with the ${label} ${found}, not ${wanted}; use the same or choose another file`)
    }
  }
  return state.bytes > (size ?? 0)
    ? reject(`shorter than the last run left it; to start over, remove it and ${stateFile}`)
    : Either.right({ state, isNew: false })
}
