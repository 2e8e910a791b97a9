import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Checks from "./checks.ts"
import { type Annotations, says, told } from "./said.ts"

export { says, told }

/** A field that the specification does not promise: it may be missing or null. */
export const maybe = <S extends Schema.Top>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))

/** A value that the API does not promise anything about. */
export const anything = Schema.Unknown

/** An enumeration that may grow: its type offers the known values, but any other string is accepted too. */
export const open = <const Known extends ReadonlyArray<string>>(
  ..._known: Known
): Schema.Codec<Known[number] | (string & {})> => Schema.String

/** A whole number, as an index is. */
export const int = Schema.Number.pipe(Checks.filter(Number.isSafeInteger, { identifier: "Int" }))

const fits = (text: string, max: number): boolean => text.length <= max || [...text].length <= max

const tooLong = (field: string, max: number): string =>
  `The \`${field}\` field must be a string of at most ${max} characters.`

/** A string of at most `max` characters. Counts code points: an emoji is one, not two. */
export const maxCharacters = (field: string, max: number): typeof Schema.String =>
  Schema.String.pipe(Checks.filter((text) => fits(text, max), { message: says(tooLong(field, max)) }))

/** Anything that can be seen: neither space nor control nor zero-width characters. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A string of at most `max` characters, at least one of which is visible. */
export const visibleCharacters = (field: string, max: number): typeof Schema.String =>
  Schema.String.pipe(Checks.filter((text) => fits(text, max) && visible.test(text), {
    message: ({ actual }) => ({
      message: typeof actual === "string" && fits(actual, max)
        ? `The \`${field}\` field must not be blank.`
        : tooLong(field, max),
      override: true
    })
  }))

/** `says` in place of whatever else is wrong with a field. */
export const must = (field: string, be: string): Annotations => ({
  message: says(`The \`${field}\` field must be ${be}.`)
})

/** A field of an input that must be there. */
export const required = <S extends Schema.Top>(field: string, schema: S): S["Rebuild"] =>
  missing(`Missing \`${field}\` field.`, schema)

/** A part of an input that must be there, and what is said if it is not. */
export const missing = <S extends Schema.Top>(message: string, schema: S): S["Rebuild"] =>
  schema.pipe(Schema.annotateKey({ messageMissingKey: message }))

/** A field of an update: absent leaves it as it is. Not the same as `undefined`, which is refused. */
export const unchanged = <S extends Schema.Top>(schema: S): Schema.optionalKey<S> => Schema.optionalKey(schema)

export const text = (field: string): Schema.Codec<string> => Schema.String.annotate(told(must(field, "a string")))

/** A text that means nothing if it is blank: at least one of its characters is visible. */
export const visibleText = (field: string): Schema.Codec<string> =>
  Schema.String.pipe(Checks.filter((text) => visible.test(text), {
    message: ({ actual }) => ({
      message: `The \`${field}\` field must ${typeof actual === "string" ? "not be blank" : "be a string"}.`,
      override: true
    })
  }))

/** A text that becomes a header of an email: a line break would begin another one. */
export const singleLine = (field: string): Schema.Codec<string> =>
  Schema.String.pipe(Checks.filter((text) => !/[\r\n]/.test(text), {
    message: ({ actual }) => ({
      message: `The \`${field}\` field must ${typeof actual === "string" ? "have no line breaks" : "be a string"}.`,
      override: true
    })
  }))

export const nullableText = (field: string): Schema.Codec<string | null> =>
  Schema.NullOr(Schema.String).annotate(told(must(field, "a string, or null")))

export const flag = (field: string): Schema.Codec<boolean> =>
  Schema.Boolean.annotate(told(must(field, "true or false")))

export const oneOf = <const Known extends readonly [string, ...Array<string>]>(
  field: string,
  ...known: Known
): Schema.Codec<Known[number]> =>
  Schema.Literals(known).annotate(told(must(field, alternatives(known.map((name) => `\`${name}\``)))))

const alternatives = (names: ReadonlyArray<string>): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} or ${names.at(-1)!}`

/** A quoted text, such as the name in `"Lovelace, Ada" <ada@example.com>`. */
const quoted = /"(?:[^"\\]|\\.)*"/u.source
const mailbox = `(?:${quoted}|[^\\s@<>"]+)@[^\\s@<>"]+`
const isAddress = new RegExp(`^(?:${mailbox}|(?:${quoted}\\s*|[^<>"]*)<${mailbox}>)$`, "u")

// Not within the function: bundlers make it anew for each call.
const control = /\p{Cc}/u

/** An address, or a name with an address: what is certainly neither is refused. */
export const address = (field: string): Schema.Codec<string> =>
  Schema.String.pipe(
    Checks.filter((text) => isAddress.test(text) && !control.test(text), must(field, "an email address"))
  )

/** A time, as a text that the API understands or as a value. */
export const moment = (field: string): Schema.Codec<string | Date | DateTime.DateTime, unknown> =>
  Schema.Union([visibleText(field), Schema.Date, Schema.DateTimeUtc, Schema.DateTimeZoned]).annotate(told({
    message: ({ actual }) => ({
      message: `The \`${field}\` field must ${typeof actual === "string" ? "not be blank" : "be a string or a date"}.`,
      override: true
    })
  }))

/** The input of a send with its times as the API reads them: a zone has no place in JSON. */
export const withTimes = (input: unknown): unknown =>
  Array.isArray(input)
    ? input.some(hasTime) ? input.map(withTimes) : input
    : hasTime(input)
    ? { ...input, scheduled_at: DateTime.formatIso(DateTime.makeUnsafe(input.scheduled_at)) }
    : input

const hasTime = (input: unknown): input is { readonly scheduled_at: Date | DateTime.DateTime } =>
  Predicate.hasProperty(input, "scheduled_at") && Predicate.isObjectKeyword(input.scheduled_at)

/** A value of a property or a variable. JSON has no NaN and no Infinity: they would be sent as null. */
export const scalar = (field: string): Schema.Codec<string | number | boolean | null> =>
  Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null]).annotate(
    told(must(field, "a string, a finite number, true, false, or null"))
  )

/** One text or several. */
export const texts = (field: string): Schema.Codec<string | ReadonlyArray<string>> =>
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate(
    told(must(field, "a string or an array of strings"))
  )

/** A body whose fields are not all that is required of it. */
export const object = <Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Struct<Fields> =>
  Schema.Struct(fields).annotate(told({ message: () => "The body must be an object." }))

/** The body of a request that creates something. */
export const input = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields): Schema.Struct<Fields> =>
  object(fields).annotate({ identifier })

/** The body of a request that changes something. It must change something. */
export const changes = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields
): Schema.Struct<Fields> =>
  object(fields).pipe(Checks.filter((changes: object) => Object.keys(changes).length > 0, {
    identifier,
    // What is wrong with a field has its own message.
    message: () => `Nothing to change: pass ${alternatives(Object.keys(fields).map((name) => `\`${name}\``))}.`
  }))

/** The API's response to a change: what was changed. */
export const acknowledged = <const Object extends string, Id extends Schema.Top>(
  object: Object,
  id: Id
): Schema.Struct<{ readonly object: Kind<Object>; readonly id: Id }> => Schema.Struct({ object: kind(object), id })

/** What kind of object a response is about. A change has been made, whatever the response calls it. */
export const kind = <const Object extends string>(object: Object): Kind<Object> => maybe(open(object))

type Kind<Object extends string> = Schema.optionalKey<Schema.NullOr<Schema.Codec<Object | (string & {})>>>

/** The API's response to a removal: what was removed. */
export const removed = <const Object extends string>(
  object: Object
): Schema.Struct<{
  readonly object: Kind<Object>
  readonly id: typeof Schema.String
  readonly deleted: typeof Schema.Boolean
}> =>
  Schema.Struct({
    object: kind(object),
    id: Schema.String,
    deleted: Schema.Boolean
  })

/** A struct with one more field, whose value is always the same, and which is not on the wire. */
export const attached =
  <const Name extends string, const Value extends string>(name: Name, value: Value) =>
  <Fields extends Schema.Struct.Fields>(
    { fields }: Schema.Struct<Fields>
  ): Schema.Struct<Fields & { readonly [_ in Name]: ReturnType<typeof Schema.tagDefaultOmit<Value>> }> =>
    Schema.Struct({ ...fields, [name]: Schema.tagDefaultOmit(value) } as never)
