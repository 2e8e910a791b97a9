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

/** A string of at most `max` characters. Counts code points, as JSON Schema does: an emoji is one, not two. */
export const maxCharacters = (field: string, max: number): Schema.filter<typeof Schema.String> =>
  Schema.String.pipe(Schema.filter((text) => text.length <= max || [...text].length <= max, {
    message: says(`The \`${field}\` field must be a string of at most ${max} characters.`),
    jsonSchema: { maxLength: max }
  }))
