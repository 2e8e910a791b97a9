/** Which field of a contact a column of CSV, or a field of NDJSON, stands for. */
import * as Either from "effect/Either"
import type { Value } from "../usage/Value.ts"

const fields = ["email", "first_name", "last_name", "unsubscribed", "segments", "topics", "properties"] as const

export type Field = typeof fields[number]

/** What becomes of a column. */
export type Target =
  | { readonly _tag: "Field"; readonly field: Field }
  | { readonly _tag: "Property"; readonly key: string; readonly type: "string" | "number" }
  | { readonly _tag: "Ignored" }

export interface Mapping {
  readonly column: string
  readonly target: Target
}

export interface Options {
  /** What the user says about columns. */
  readonly map: ReadonlyArray<Mapping>
  /** Which of the other columns become properties; undefined if that was not said. */
  readonly properties: ReadonlyArray<string> | "all" | "none" | undefined
  readonly ignoreOtherColumns: boolean
}

/** The columns that this program adds to the file of refused lines, and to what `contacts list` writes. */
export const own = { line: "refused_line", reason: "refused_because", other: "other_fields" } as const

/** Usual names of fields, in lower case without separators. */
const names: { readonly [field in Field]: ReadonlyArray<string> } = {
  email: ["email", "emailaddress", "mail"],
  first_name: ["firstname", "givenname", "forename", "fname"],
  last_name: ["lastname", "familyname", "surname", "lname"],
  unsubscribed: ["unsubscribed", "isunsubscribed", "optedout"],
  segments: ["segments", "segment", "segmentid", "segmentids"],
  topics: ["topics"],
  properties: ["properties"]
}

/** What the service decides about, and what this program writes besides. */
const ignored = ["object", "id", "createdat", ...Object.values(own).map((name) => name.replaceAll("_", ""))]

const usual: ReadonlyMap<string, Target> = new Map<string, Target>([
  ...fields.flatMap((field) => names[field].map((name): [string, Target] => [name, { _tag: "Field", field }])),
  ...ignored.map((name): [string, Target] => [name, { _tag: "Ignored" }])
])

const plain = (name: string): string => name.normalize("NFKC").toLowerCase().replace(/[\s_.-]/g, "")

const isKey = (text: string): boolean => /^[A-Za-z0-9_]{1,50}$/.test(text)

/** What is written after `=` in `--map`. */
const targetOf = (text: string): Target | undefined => {
  const field = fields.find((field) => field === text)
  if (field !== undefined) return { _tag: "Field", field }
  if (text === "ignore") return { _tag: "Ignored" }
  const [, key = "", type = "string"] = /^properties\.(\w+?)(?::(string|number))?$/.exec(text) ?? []
  return isKey(key) ? { _tag: "Property", key, type: type === "number" ? type : "string" } : undefined
}

/** `--map`: `E-Mail=email,Vorname=first_name`. The name of a column may hold commas and `=`. */
export const mapping: Value<ReadonlyArray<Mapping>> = {
  name: "COLUMN=FIELD",
  parse: (text) => {
    const mappings: Array<Mapping> = []
    let pending = ""
    for (const part of text.split(",")) {
      pending = pending === "" ? part : `${pending},${part}`
      const equals = pending.lastIndexOf("=")
      const target = equals < 1 ? undefined : targetOf(pending.slice(equals + 1).trim())
      if (target === undefined) continue
      mappings.push({ column: pending.slice(0, equals).trim(), target })
      pending = ""
    }
    return pending === "" && mappings.length > 0 ? Either.right(mappings) : Either.left(
      `must name columns and what they are, as in E-Mail=email,Company=properties.company: ${
        fields.join(", ")
      }, properties.KEY, properties.KEY:number or ignore`
    )
  }
}

/** `--properties`. */
export const properties: Value<ReadonlyArray<string> | "all" | "none"> = {
  name: "all|none|COLUMNS",
  values: { _tag: "OneOf", words: ["all", "none"] },
  parse: (text) =>
    Either.right(text === "all" || text === "none" ? text : text.split(",").map((column) => column.trim()))
}

/** What one column stands for. Left if nobody has said. */
export const targetFor = (name: string, options: Options): Either.Either<Target, string> => {
  const trimmed = name.trim()
  const target = options.map.find(({ column }) => column === trimmed)?.target ?? usual.get(plain(trimmed))
  if (target !== undefined) return Either.right(target)
  const { ignoreOtherColumns, properties } = options
  if (properties === "all" || Array.isArray(properties) && properties.includes(trimmed)) {
    return isKey(trimmed) ? Either.right({ _tag: "Property", key: trimmed, type: "string" }) : Either.left(trimmed)
  }
  // A column without a name and without a use is what a separator at the end of each line makes.
  return properties === "none" || ignoreOtherColumns || trimmed === ""
    ? Either.right({ _tag: "Ignored" })
    : Either.left(trimmed)
}

/** The properties that options name. Values of NDJSON have types of their own. */
export const declared = (
  { map, properties }: Options
): ReadonlyArray<{ readonly key: string; readonly type: "number" | undefined; readonly column: string }> => [
  ...map.flatMap(({ column, target }) =>
    target._tag === "Property"
      ? [{ key: target.key, type: target.type === "number" ? target.type : undefined, column }]
      : []
  ),
  ...(Array.isArray(properties) ? properties.filter(isKey).map((key) => ({ key, type: undefined, column: key })) : [])
]

/** The names as they are typed. */
const listed = (names: ReadonlyArray<string>): string => names.map((name) => `'${name}'`).join(", ")

/** What is wrong with columns that nobody has said anything about, and what to type. */
export const unknown = (names: ReadonlyArray<string>, { properties }: Options): string => {
  const [first = ""] = names
  const key = first.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 50).toLowerCase()
  const map = `--map '${first}=properties.${key === "" ? "name" : key}'`
  return properties === "all" || Array.isArray(properties) && properties.includes(first)
    ? `${listed(names)} cannot be the name of a property, which has letters, digits and underscores: use ${map}`
    : `unknown ${names.length === 1 ? "column" : "columns"} ${listed(names)}. Say what they are, as in ` +
      `${map} or --map '${first}=first_name'; or make them properties with --properties all, or leave them out with ` +
      "--ignore-other-columns"
}

const twice = (names: ReadonlyArray<string>): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

const keyOf = (target: Target): ReadonlyArray<string> =>
  target._tag === "Field" ? [target.field] : target._tag === "Property" ? [`properties.${target.key}`] : []

/** What all columns of a header stand for. Left says what is wrong with them. */
export const assign = (
  header: ReadonlyArray<string>,
  options: Options
): Either.Either<ReadonlyArray<Target>, string> => {
  const names = header.map((name) => name.trim())
  const asked = [
    ...options.map.map(({ column }) => column),
    ...(Array.isArray(options.properties) ? options.properties : [])
  ]
  const missing = asked.filter((column) => !names.includes(column))
  if (missing.length > 0) return Either.left(`has no column ${listed(missing)}; its columns are ${listed(names)}`)
  const found = names.map((name) => targetFor(name, options))
  if (!found.some((target) => Either.isRight(target) && keyOf(target.right).includes("email"))) {
    return Either.left(`has no column for the email address; say which it is, as in --map '${names[0] ?? ""}=email'`)
  }
  const unnamed = found.flatMap((target) => Either.isLeft(target) ? [target.left] : [])
  if (unnamed.length > 0) return Either.left(unknown(unnamed, options))
  const targets = found.flatMap((target) => Either.isRight(target) ? [target.right] : [])
  const keys = targets.flatMap(keyOf)
  const repeated = twice(keys)
  if (repeated !== undefined) {
    const columns = names.filter((_, index) => keyOf(targets[index]!).includes(repeated))
    return Either.left(
      `${listed(columns)} are all ${repeated}; leave all but one out, as in --map '${columns.at(-1)}=ignore'`
    )
  }
  return Either.right(targets)
}

/** Whether this program has written a file with these columns: its texts may have an apostrophe in front of a formula. */
export const isOwn = (header: ReadonlyArray<string>): boolean => header.includes(own.line) || header.includes(own.other)
