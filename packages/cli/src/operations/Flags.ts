/** The options and arguments of a command for an operation, from its entry in the table. */
import type * as Operation from "@mailstream/core/Operation"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import * as Fields from "./Fields.ts"

/** How the name of a field is typed: `first_name` is `first-name`. */
export const dashed = (name: string): string => name.replaceAll("_", "-")

/** The option of a field: `--first-name`. */
export const optionOf = (name: string): string => `--${dashed(name)}`

/** What users type for each of the names that the API has: `--first-name` for `first_name`, `ID` for `contact_id`. */
export interface Typed {
  readonly [name: string]: string
}

/** The options of fields. */
export const optionsOf = (fields: ReadonlyArray<Pick<Fields.Field, "name">>): Typed =>
  Object.fromEntries(fields.map(({ name }) => [name, optionOf(name)]))

/** A name in backticks, with what may be around it, or a name that is not a word of the language. */
const named =
  /(?:\b[Tt]he )?`(?:\[\d+\]\.)?(\w+)([[.][^`]*)?(?:: (true|false))?`(?: fields?\b)?|(?<![\w`'"/.=&?-])[a-z]+(?:_[a-z]+)+(?![\w`'"/=-])/g

/**
 * A text of the API about names, in terms of what users type: "The `first_name` field must be a string." is "--first-name must
 * be a string." Without backticks, `scheduled_at` is a name for certain, but not `name`.
 */
export const inOptions = (text: string, typed: Typed): string =>
  text.replaceAll(named, (found, quoted?: string, place?: string, value?: string) => {
    const name = quoted ?? found
    const option = Object.hasOwn(typed, name) ? typed[name] : undefined
    if (option === undefined) return found
    return (place === undefined ? "" : `\`${place.replace(/^\./, "")}\` of `) +
      (value === "false" ? option.replace(/^--/, "--no-") : option)
  })

const json = (what: string): Value.Value<unknown> => ({
  name: "JSON",
  parse: (text) => Either.mapLeft(parseJson(text), () => `must be JSON, such as ${what}`)
})

/** The error of the parser would repeat the text, which may be long or secret. */
export const parseJson = (text: string): Either.Either<unknown, void> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => undefined })

const number: Value.Value<number> = {
  name: "N",
  parse: (text) =>
    text.trim() !== "" && Number.isFinite(Number(text)) ? Either.right(Number(text)) : Either.left("must be a number")
}

/** A number is a number, and a text in double quotes is that text, even if it looks like a number. */
const scalar: Value.Value<unknown> = {
  name: "TEXT|N",
  canBeEmpty: true,
  parse: (text) =>
    Either.right(
      Either.getOrUndefined(
        Either.filterOrLeft(
          parseJson(text),
          (value) => typeof value === "string" || typeof value === "number",
          () => {}
        )
      ) ?? text
    )
}

/** Whether words would make a line of the help too long. */
const isLong = (words: ReadonlyArray<string>): boolean => words.join("|").length > 40

/** The words that the name of a value does not show. */
export const wordsOf = (kind: Fields.Kind): string =>
  kind._tag === "Several"
    ? wordsOf(kind.element)
    : kind._tag === "Choice" && isLong(kind.words)
    ? ` One of ${kind.words.join(", ")}.`
    : kind._tag === "Text" && kind.words.length > 0
    ? ` Such as ${kind.words.slice(0, 3).join(", ")}.`
    : ""

/** One value of a kind. */
export const valueOf = (kind: Fields.Kind, name: string): Value.Value<unknown> => {
  switch (kind._tag) {
    case "Text": {
      const text = Value.text(/(^|_)ids?$/.test(name) ? "ID" : "TEXT", { canBeEmpty: true })
      return kind.words.length === 0 ? text : { ...text, values: { _tag: "OneOf", words: kind.words } }
    }
    case "Choice":
      return Value.choice(kind.words, isLong(kind.words) ? name.replace(/^.*_/, "").toUpperCase() : undefined)
    case "Number":
      return number
    case "Scalar":
      return scalar
    case "Several":
      return severalOf(kind, name)
    case "Json":
      return objectOf(kind)
    case "Switch":
      return json("true")
  }
}

/** An object as JSON. If it needs one field, or is made of two texts, these are enough. */
const objectOf = ({ only, pair }: Extract<Fields.Kind, { readonly _tag: "Json" }>): Value.Value<unknown> => {
  const whole = json("'{\"key\":\"value\"}'")
  if (only === undefined && pair === undefined) return whole
  const name = only?.toUpperCase() ?? pair?.map((part) => part.toUpperCase()).join("=") ?? whole.name
  return {
    name,
    parse: (text) => {
      if (text.trimStart().startsWith("{")) return whole.parse(text)
      if (pair === undefined) return Either.right({ [only ?? ""]: text })
      const [, first, second] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      return first === undefined
        ? Either.left(`must be ${name}, or JSON`)
        : Either.right({ [pair[0]]: first.trim(), [pair[1]]: second?.trim() })
    }
  }
}

/** Elements that are typed together: separated by commas, or as a JSON array. */
const severalOf = (
  { element, splits }: Extract<Fields.Kind, { readonly _tag: "Several" }>,
  name: string
): Value.Value<ReadonlyArray<unknown>> => {
  const one = valueOf(element, name)
  const only = element._tag === "Json" ? element.only : undefined
  return {
    name: one.name,
    canBeEmpty: false,
    values: one.values !== undefined && "words" in one.values
      ? { _tag: "Several", words: one.values.words }
      : undefined,
    parse: (text) => {
      if (text.trimStart().startsWith("[")) {
        return Either.filterOrLeft(
          Either.mapLeft(parseJson(text), () => "must be a JSON array"),
          (value): value is Array<unknown> => Array.isArray(value),
          () => "must be a JSON array"
        )
      }
      const isSplit = splits || only !== undefined && !text.trimStart().startsWith("{")
      return Either.all((isSplit ? text.split(",").map((part) => part.trim()) : [text]).map(one.parse))
    }
  }
}

const hints = ({ isRequired, kind, maxLength }: Fields.Field): ReadonlyArray<string> => [
  ...(isRequired ? ["Required, unless --json has it."] : []),
  ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ...(kind._tag !== "Json" ? [] : [kind.only === undefined ? "A JSON object." : `Its ${kind.only}, or a JSON object.`]),
  ...(kind._tag === "Scalar" ? ["What looks like a number is one, unless it is in double quotes."] : []),
  ...(kind._tag !== "Several"
    ? []
    : kind.splits || kind.element._tag === "Json" && kind.element.only !== undefined
    ? ["Several: repeat it, or separate them by commas."]
    : [
      kind.element._tag === "Json" && kind.element.pair === undefined
        ? "A JSON object or array. It can be repeated."
        : "It can be repeated."
    ])
]

/** One of several pairs is typed in the singular, too: `--tag a=b`. */
const namesOf = ({ kind, name }: Fields.Field): ReadonlyArray<string> =>
  kind._tag === "Several" && kind.element._tag === "Json" && kind.element.pair !== undefined
    ? [optionOf(name), optionOf(name.replace(/s$/, ""))]
    : [optionOf(name)]

/** The option of a field of the body. */
export const flagOf = (field: Fields.Field, typed: Typed = {}): Flag.Flag<unknown> => {
  const { kind, name } = field
  const said = inOptions(field.description, typed).replaceAll("`", "")
  const description = [said + wordsOf(kind), ...hints(field)].join(" ")
  if (kind._tag === "Switch") return Flag.toggle(dashed(name), description)
  const flag: Flag.Flag<unknown> = kind._tag === "Several"
    ? Flag.repeated(severalOf(kind, name), (all) => joined(kind.splits, all.flat()), description)
    : Flag.optional(valueOf(kind, name), description)
  return { ...flag, names: namesOf(field), isNeeded: field.isRequired }
}

/** Where a single text is possible in place of a list, it is sent. */
const joined = (splits: boolean, all: ReadonlyArray<unknown>): unknown =>
  !splits && all.length === 1 && typeof all[0] === "string" ? all[0] : all

/** The option of a header. */
export const headerOf = (option: string, { description, schema }: Operation.Header<unknown>): Flag.Flag<unknown> => {
  const kind = Fields.kindOf(schema.ast)
  const value = kind._tag === "Choice"
    ? Value.choice(kind.words)
    : Value.text(option.replace(/^.*(?=[A-Z])/, "").toUpperCase())
  return { ...Flag.optional(value, description.replaceAll("`", "")), names: [UsageError.optionOf(option)] }
}

/** The other name of an object, in place of its id: `email`. */
const otherNameOf = (ast: AST.AST): string | undefined =>
  AST.isUnion(ast)
    ? ast.types.flatMap((type) =>
      AST.isTypeLiteral(type) ? type.propertySignatures.map(({ name }) => String(name)) : []
    )[0]
    : undefined

/** What stands for an id, or for the other name in its place. */
export const refOf = (other: string | undefined): string => other === undefined ? "ID" : `ID_OR_${other.toUpperCase()}`

/** What a part of the path names: `api_key_id` is `API key`. */
const nounOf = (field: string): string => field.replace(/_id$/, "").replaceAll("_", " ").replace(/^api /, "API ")

/** A part of the path: the id of an object, or its other name. */
export const argumentOf = (
  { field, schema }: Operation.Param<unknown>,
  isOnly: boolean
): Flag.Flag<unknown> => {
  const other = otherNameOf(AST.typeAST(schema.ast))
  const is = Schema.is(schema)
  const description = Option.getOrElse(AST.getDescriptionAnnotation(schema.ast), () => "an id").replace(
    /`\{ (\w+) \}`/,
    "its $1"
  )
  return Flag.positional({
    name: other !== undefined ? refOf(other) : isOnly ? "ID" : field.toUpperCase(),
    parse: (text) => {
      const names = other === undefined
        ? [text]
        : text.includes("@")
        ? [{ [other]: text }, text]
        : [text, { [other]: text }]
      return Either.fromNullable(names.find(is), () => `must be ${description}`)
    }
  }, other === undefined ? `The id of the ${nounOf(field)}.` : `The ${description.replace(/^the /, "")}.`)
}

/** The texts of arguments as they were typed. */
export const textOf = (argument: unknown): string =>
  typeof argument === "object" && argument !== null ? String(Object.values(argument)[0]) : String(argument)
