/** One line of the input: the contact that it describes, or why it is refused. */
import { type CreateContact, operations, type UpdateContact } from "@mailstream/core/ContactOperations"
import * as Operation from "@mailstream/core/Operation"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type { Target } from "./Columns.ts"

/** What is sent for a line. */
export interface Contact {
  readonly create: CreateContact
  /** What to change of a contact that exists; undefined if the line has nothing besides the address. */
  readonly update: UpdateContact | undefined
}

/** A value of a column, what the column stands for, and what the user calls it. */
export type Cell = readonly [target: Target, value: unknown, column: string]

/** A message about fields of the API, with the names that the user has given them. */
export const inWords = (message: string, cells: ReadonlyArray<Cell>): string => {
  const columns = new Map<string, string>()
  for (const [target, , column] of cells) {
    // A property may have the name of a field.
    if (target._tag === "Field") columns.set(target.field, column)
    else if (target._tag === "Property" && !columns.has(target.key)) columns.set(target.key, column)
  }
  return message.replace(
    /`(\w+)(\[[^`]*)?`/g,
    (text, field: string, rest = "") => columns.has(field) ? `\`${columns.get(field)}${rest}\`` : text
  )
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false]
])

const isText = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number"

const flagOf = (value: unknown): Either.Either<unknown, string> => {
  if (typeof value === "boolean") return Either.right(value)
  const flag = isText(value) ? flags.get(String(value).toLowerCase()) : undefined
  return Either.fromNullable(flag, () => "The `unsubscribed` field must be true or false, yes or no, 1 or 0.")
}

const words = (text: string): ReadonlyArray<string> => text.split(/[\s,;|]+/).filter((word) => word !== "")

/** Ids in one cell, or the elements of an array. */
const listOf = (value: unknown, make: (text: string) => unknown): unknown => {
  const list: unknown = typeof value === "string" ? words(value) : value
  return Array.isArray(list)
    ? list.map((element: unknown) => typeof element === "string" ? make(element) : element)
    : list
}

const topicOf = (text: string): unknown => {
  const [id, subscription = "opt_in"] = text.split(":")
  return { id, subscription }
}

/** Topics in one cell have no fields that a message could name. */
const topicsOf = (value: unknown): Either.Either<unknown, string> =>
  typeof value === "string" && words(value).some((word) => !/^[^:]+(:opt_(in|out))?$/.test(word))
    ? Either.left("The `topics` field must be ID:opt_in or ID:opt_out, or several of these.")
    : Either.right(listOf(value, topicOf))

const propertyOf = (key: string, type: "string" | "number", value: unknown): Either.Either<unknown, string> => {
  if (value === null) return Either.right(value)
  if (type === "number") {
    const number = isText(value) ? Number(value) : NaN
    return Number.isFinite(number) ? Either.right(number) : Either.left(`The property \`${key}\` must be a number.`)
  }
  return typeof value === "object"
    ? Either.left(`The property \`${key}\` must be a string, a finite number, true, false, or null.`)
    : Either.right(value)
}

/** The value of a field as it is sent. */
const valueOf = (target: Target, value: unknown): Either.Either<unknown, string> => {
  if (target._tag === "Property") return propertyOf(target.key, target.type, value)
  if (target._tag === "Ignored") return Either.right(undefined)
  switch (target.field) {
    case "unsubscribed":
      return flagOf(value)
    case "segments":
      return Either.right(listOf(value, (id) => ({ id })))
    case "topics":
      return topicsOf(value)
    case "properties":
      return Predicate.isRecord(value) ? Either.right(value) : Either.left("The `properties` field must be an object.")
    default:
      return Either.right(value)
  }
}

/** An empty cell is absent. So is null, except where it removes something. */
const isAbsent = (target: Target, value: unknown): boolean =>
  value === undefined || value === "" || value === null && target._tag === "Field" && !/_name$/.test(target.field)

const trimmed = (value: unknown): unknown => typeof value === "string" ? value.trim() : value

const absentIfEmpty = (fields: object): object | undefined => Object.keys(fields).length === 0 ? undefined : fields

/** The contact of a line, checked as far as it can be without the service. `segments` are added to its own. */
export const make = (cells: ReadonlyArray<Cell>, segments: ReadonlyArray<string>): Either.Either<Contact, string> =>
  Either.mapLeft(contactOf(cells, segments), (message) => inWords(message, cells))

const contactOf = (cells: ReadonlyArray<Cell>, segments: ReadonlyArray<string>): Either.Either<Contact, string> => {
  const fields: { [field: string]: unknown } = {}
  const properties: Array<readonly [string, unknown]> = []
  for (const [target, given] of cells) {
    const cell = trimmed(given)
    if (isAbsent(target, cell)) continue
    const value = valueOf(target, cell)
    if (Either.isLeft(value)) return Either.left(value.left)
    if (target._tag === "Property") properties.push([target.key, value.right])
    if (target._tag !== "Field") continue
    if (target.field === "properties") properties.push(...Object.entries(value.right as object))
    else fields[target.field] = value.right
  }
  const { segments: joined = [], ...rest } = fields
  const all = Array.isArray(joined) ? [...joined, ...segments.map((id) => ({ id }))] : joined
  const input = {
    ...rest,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(Array.isArray(all) && all.length === 0 ? {} : { segments: all })
  }
  return checked(input)
}

/** The table decides what is valid. */
const checked = (input: { readonly [field: string]: unknown }): Either.Either<Contact, string> =>
  Either.gen(function*() {
    const create = yield* Operation.input(operations.create, input)
    const { email: _email, segments: _segments, topics: _topics, ...changes } = input
    const changed = absentIfEmpty(changes)
    const update = changed === undefined ? undefined : yield* Operation.input(operations.update, changed)
    // Both have been validated by their schemas.
    return { create: create as CreateContact, update: update as UpdateContact | undefined }
  }).pipe(Either.mapLeft(({ message }) => message))
