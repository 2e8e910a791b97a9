import * as Schema from "effect/Schema"

/** A field that the specification does not promise: it may be missing or null. */
export const maybe = <A, I, R>(
  schema: Schema.Schema<A, I, R>
): Schema.optionalWith<Schema.NullOr<Schema.Schema<A, I, R>>, { exact: true }> =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

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
