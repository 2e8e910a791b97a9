import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** A field that the specification does not promise: it may be missing or null. */
export const maybe = <A, I, R>(
  schema: Schema.Schema<A, I, R>
): Schema.optionalWith<Schema.NullOr<Schema.Schema<A, I, R>>, { exact: true }> =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** A value that the API does not promise anything about. */
export const anything = Schema.Unknown.annotations({
  jsonSchema: { type: ["string", "number", "boolean", "object", "array", "null"], items: true }
})

/** An enumeration that may grow: its type offers the known values, but any other string is accepted too. */
export const open = <const Known extends ReadonlyArray<string>>(
  ...known: Known
): Schema.Schema<Known[number] | (string & {})> =>
  Schema.String.annotations({ jsonSchema: { anyOf: [{ enum: known }, { type: "string" }] } })

/** An annotation that replaces every message about an invalid value with this one. */
export const says = (message: string) => () => ({ message, override: true })

const fits = (text: string, max: number): boolean => text.length <= max || [...text].length <= max

const tooLong = (field: string, max: number): string =>
  `The \`${field}\` field must be a string of at most ${max} characters.`

/** A string of at most `max` characters. Counts code points, as JSON Schema does: an emoji is one, not two. */
export const maxCharacters = (field: string, max: number): Schema.filter<typeof Schema.String> =>
  Schema.String.pipe(Schema.filter((text) => fits(text, max), {
    message: says(tooLong(field, max)),
    jsonSchema: { maxLength: max }
  }))

/** Anything that can be seen: neither space nor control nor zero-width characters. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A string of at most `max` characters, at least one of which is visible. */
export const visibleCharacters = (field: string, max: number): Schema.filter<typeof Schema.String> =>
  Schema.String.pipe(Schema.filter((text) => fits(text, max) && visible.test(text), {
    message: ({ actual }) => ({
      message: typeof actual === "string" && fits(actual, max)
        ? `The \`${field}\` field must not be blank.`
        : tooLong(field, max),
      override: true
    }),
    jsonSchema: { minLength: 1, maxLength: max, pattern: "\\S" }
  }))

/** `says` in place of whatever else is wrong with a field. */
export const must = (field: string, be: string) => ({ message: says(`The \`${field}\` field must be ${be}.`) })

/** A field of an input that must be there. */
export const required = <A, I, R>(
  field: string,
  schema: Schema.Schema<A, I, R>
): Schema.PropertySignature<":", A, never, ":", I, false, R> =>
  Schema.propertySignature(schema).annotations({ missingMessage: () => `Missing \`${field}\` field.` })

/** A field of an update: absent leaves it as it is. Not the same as `undefined`, which is refused. */
export const unchanged = <A, I, R>(
  schema: Schema.Schema<A, I, R>
): Schema.optionalWith<Schema.Schema<A, I, R>, { exact: true }> => Schema.optionalWith(schema, { exact: true })

export const text = (field: string): Schema.Schema<string> => Schema.String.annotations(must(field, "a string"))

/** A text that means nothing if it is blank: at least one of its characters is visible. */
export const visibleText = (field: string): Schema.Schema<string> =>
  Schema.String.pipe(Schema.filter((text) => visible.test(text), {
    message: ({ actual }) => ({
      message: `The \`${field}\` field must ${typeof actual === "string" ? "not be blank" : "be a string"}.`,
      override: true
    }),
    jsonSchema: { minLength: 1, pattern: "\\S" }
  }))

/** A text that becomes a header of an email: a line break would begin another one. */
export const singleLine = (field: string): Schema.Schema<string> =>
  Schema.String.pipe(Schema.filter((text) => !/[\r\n]/.test(text), {
    message: ({ actual }) => ({
      message: `The \`${field}\` field must ${typeof actual === "string" ? "have no line breaks" : "be a string"}.`,
      override: true
    }),
    jsonSchema: { pattern: "^[^\\r\\n]*$" }
  }))

export const nullableText = (field: string): Schema.Schema<string | null> =>
  Schema.NullOr(Schema.String).annotations(must(field, "a string, or null"))

export const flag = (field: string): Schema.Schema<boolean> => Schema.Boolean.annotations(must(field, "true or false"))

export const oneOf = <const Known extends readonly [string, ...Array<string>]>(
  field: string,
  ...known: Known
): Schema.Schema<Known[number]> =>
  Schema.Literal<Array<Known[number]>>(...known).annotations(
    must(field, alternatives(known.map((name) => `\`${name}\``)))
  )

const alternatives = (names: ReadonlyArray<string>): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} or ${names.at(-1)!}`

/** A quoted text, such as the name in `"Lovelace, Ada" <ada@example.com>`. */
const quoted = /"(?:[^"\\]|\\.)*"/u.source
const mailbox = `(?:${quoted}|[^\\s@<>"]+)@[^\\s@<>"]+`
const isAddress = new RegExp(`^(?:${mailbox}|(?:${quoted}\\s*|[^<>"]*)<${mailbox}>)$`, "u")

// Not within the function: bundlers make it anew for each call.
const control = /\p{Cc}/u

/** An address, or a name with an address: what is certainly neither is refused. */
export const address = (field: string): Schema.Schema<string> =>
  Schema.String.pipe(
    Schema.filter((text) => isAddress.test(text) && !control.test(text), {
      ...must(field, "an email address"),
      jsonSchema: {}
    })
  ).annotations(must(field, "an email address"))

/** A time, as a text that the API understands or as a value. */
export const moment = (field: string): Schema.Schema<string | Date | DateTime.DateTime> =>
  Schema.Union(visibleText(field), Schema.ValidDateFromSelf, Schema.DateTimeUtcFromSelf, Schema.DateTimeZonedFromSelf)
    .annotations({
      message: ({ actual }) => ({
        message: `The \`${field}\` field must ${
          typeof actual === "string" ? "not be blank" : "be a string or a date"
        }.`,
        override: true
      }),
      jsonSchema: { type: "string", minLength: 1, pattern: "\\S" }
    })

/** The input of a send with its times as the API reads them: a zone has no place in JSON. */
export const withTimes = (input: unknown): unknown =>
  Array.isArray(input)
    ? input.some(hasTime) ? input.map(withTimes) : input
    : hasTime(input)
    ? { ...input, scheduled_at: DateTime.formatIso(DateTime.unsafeMake(input.scheduled_at)) }
    : input

const hasTime = (input: unknown): input is { readonly scheduled_at: Date | DateTime.DateTime } =>
  Predicate.hasProperty(input, "scheduled_at") && Predicate.isObject(input.scheduled_at)

/** A value of a property or a variable. JSON has no NaN and no Infinity: they would be sent as null. */
export const scalar = (field: string): Schema.Schema<string | number | boolean | null> =>
  Schema.Union(Schema.String, Schema.Finite, Schema.Boolean, Schema.Null).annotations(
    must(field, "a string, a finite number, true, false, or null")
  )

/** One text or several. */
export const texts = (field: string): Schema.Schema<string | ReadonlyArray<string>> =>
  Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations(must(field, "a string or an array of strings"))

/** An array that must not be empty. What is wrong with one of its elements has its own message. */
export const some = <A, I, R>(message: string, schema: Schema.Schema<A, I, R>) =>
  Schema.NonEmptyArray(schema).annotations({
    message: ({ actual }) => ({ message, override: !Array.isArray(actual) || actual.length === 0 })
  })

/** A body whose fields are not all that is required of it. */
export const object = <Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Struct<Fields> =>
  Schema.Struct(fields).annotations({ message: () => "The body must be an object." })

/** The body of a request that creates something. */
export const input = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields): Schema.Struct<Fields> =>
  object(fields).annotations({ identifier })

/** The body of a request that changes something. It must change something. */
export const changes = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields
): Schema.filter<Schema.Struct<Fields>> =>
  object(fields).pipe(
    Schema.filter((changes) => Object.keys(changes).length > 0, {
      identifier,
      // What is wrong with a field has its own message.
      message: () => `Nothing to change: pass ${alternatives(Object.keys(fields).map((name) => `\`${name}\``))}.`,
      jsonSchema: { minProperties: 1 }
    })
  )

/** The API's response to a change: what was changed. */
export const acknowledged = <const Object extends string, Id extends string>(
  object: Object,
  id: Schema.Schema<Id, string>
): Acknowledged<Object, Id> => Schema.Struct({ object: kind(object), id })

export type Acknowledged<Object extends string, Id extends string> = Schema.Struct<{
  object: Kind<Object>
  id: Schema.Schema<Id, string>
}>

/** What kind of object a response is about. A change has been made, whatever the response calls it. */
export const kind = <const Object extends string>(object: Object): Kind<Object> => maybe(open(object))

type Kind<Object extends string> = ReturnType<typeof maybe<Object | (string & {}), Object | (string & {}), never>>

/** The API's response to a removal: what was removed. */
export const removed = <const Object extends string>(
  object: Object
): Schema.Struct<{
  object: Kind<Object>
  id: typeof Schema.String
  deleted: typeof Schema.Boolean
}> =>
  Schema.Struct({
    object: kind(object),
    id: Schema.String,
    deleted: Schema.Boolean
  })
