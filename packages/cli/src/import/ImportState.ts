/** What is stored about an import that can be resumed, and what a new run does about what it finds. */
import * as Either from "effect/Either"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { InputError } from "../terminal/Errors.ts"

const Subject = Schema.Struct({
  /** The base URL of the service. */
  service: Schema.String,
  /** The size of the input; null for a pipe. */
  size: Schema.NullOr(Schema.Number),
  input: Schema.Literal("csv", "ndjson", "json"),
  /** Options that decide what becomes of a line, as they were given. */
  options: Schema.Record({ key: Schema.String, value: Schema.String })
})

/** What work was started with: it can be resumed only with the same. */
export interface Subject extends Schema.Schema.Type<typeof Subject> {}

/** What is known about the beginning of an input that is done, whatever is done with it. */
export const Part = Schema.Struct({
  /** The number of records at the beginning of the input that are done, with the header and blank lines. */
  records: Schema.NonNegativeInt,
  /** Their size, and the SHA-256 of their bytes. */
  bytes: Schema.NonNegativeInt,
  hash: Schema.String,
  refusals: Schema.NonNegativeInt,
  /** The file of refused lines, which this work makes or has made; null if it has had no use for one. */
  refused: Schema.NullOr(Schema.String),
  /** The size of that file that belongs to them. */
  refusedBytes: Schema.NonNegativeInt,
  /** Whether that is all. */
  isComplete: Schema.Boolean
})

export interface Part extends Schema.Schema.Type<typeof Part> {}

export const nothing: Part = {
  records: 0,
  bytes: 0,
  hash: "",
  refusals: 0,
  refused: null,
  refusedBytes: 0,
  isComplete: false
}

const Done = Schema.Struct({
  ...Part.fields,
  /** The lines of contacts that are now there; how many of these were created and updated, if that was looked up. */
  contacts: Schema.NonNegativeInt,
  created: Schema.NonNegativeInt,
  updated: Schema.NonNegativeInt
})

/** How much is done: always the beginning of the input, without gaps. */
export interface Done extends Schema.Schema.Type<typeof Done> {}

export const none: Done = { ...nothing, contacts: 0, created: 0, updated: 0 }

/** What can be resumed, by what it stores. */
export interface Kind<Done> {
  /** What has written the file, as in `an import`. */
  readonly name: string
  /** The text that is stored. */
  readonly encode: (subject: Subject, done: Done) => string
  readonly decode: (
    text: string
  ) => Either.Either<{ readonly subject: Subject; readonly done: Done }, ParseError>
}

export const makeKind = <Done, Encoded>(name: string, done: Schema.Schema<Done, Encoded>): Kind<Done> => {
  const state = Schema.parseJson(Schema.Struct({ version: Schema.Literal(1), subject: Subject, done }))
  const encode = Schema.encodeSync(state)
  return {
    name,
    encode: (subject, done) => encode({ version: 1, subject, done }),
    decode: Schema.decodeEither(state)
  }
}

export const imports: Kind<Done> = makeKind("an import", Done)

/** What differs between two subjects, in the words of the user. */
const difference = (stored: Subject, given: Subject): string | undefined => {
  if (stored.size !== given.size) {
    const bytes = (size: number | null) => size === null ? "a pipe" : `${size} bytes`
    return `with another input: it was ${bytes(stored.size)}, and is now ${bytes(given.size)}`
  }
  const valuesOf = ({ input, options, service }: Subject): { readonly [name: string]: string } => ({
    service,
    input,
    ...options
  })
  const [before, now] = [valuesOf(stored), valuesOf(given)]
  const name = [...new Set([...Object.keys(before), ...Object.keys(now)])].find((name) => before[name] !== now[name])
  if (name === undefined) return undefined
  const [was = "", is = ""] = [before[name], now[name]]
  if (was === "") return `without ${name}, with ${name} ${JSON.stringify(is)} now`
  return `with ${name} ${JSON.stringify(was)}, ${is === "" ? `without ${name} now` : `not ${JSON.stringify(is)}`}`
}

/** Where to begin. Fails if what is stored belongs to something else. */
export const decide = <Done>(
  kind: Kind<Done>,
  subject: Subject,
  { file, initial, name, stored }: {
    readonly name: string
    readonly file: string
    readonly stored: string | undefined
    /** If nothing is stored. */
    readonly initial: Done
  }
): Either.Either<Done, InputError> => {
  if (stored === undefined) return Either.right(initial)
  const fail = (description: string) => Either.left(new InputError({ subject: `--resume ${name}`, description }))
  const state = kind.decode(stored)
  if (Either.isLeft(state)) return fail(`${file} was not written by ${kind.name}; choose another name`)
  const different = difference(state.right.subject, subject)
  return different === undefined
    ? Either.right(state.right.done)
    : fail(`was started ${different}; use the same, choose another name, or remove ${file} to start over`)
}

/** The input does not begin with what is done. */
export const otherInput = (name: string, file: string, input: string, done = "imported"): InputError =>
  new InputError({
    subject: `--resume ${name}`,
    description: `${input} is not the input that was ${done} so far; choose another name for it, or remove ${file} ` +
      "to start over"
  })
