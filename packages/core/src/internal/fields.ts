import * as Schema from "effect/Schema"

/**
 * A field that the specification does not promise: it may be absent or null without breaking a list.
 */
export const maybe = <A, I, R>(
  schema: Schema.Schema<A, I, R>
): Schema.optionalWith<Schema.NullOr<Schema.Schema<A, I, R>>, { exact: true }> =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/**
 * An enumeration that may grow: the known values are offered by the type, any other text passes.
 */
export const open = <const Known extends ReadonlyArray<string>>(
  ...known: Known
): Schema.Schema<Known[number] | (string & {})> =>
  Schema.String.annotations({ jsonSchema: { anyOf: [{ enum: known }, { type: "string" }] } })

/** The message for a value that is refused, whatever is wrong with it. */
export const says = (message: string) => () => ({ message, override: true })

/** At most so many characters. Characters are code points, as in JSON Schema: an emoji is one, not two. */
export const maxCharacters = (field: string, max: number): Schema.filter<typeof Schema.String> =>
  Schema.String.pipe(Schema.filter((text) => text.length <= max || [...text].length <= max, {
    message: says(`The \`${field}\` field must be a string of at most ${max} characters.`),
    jsonSchema: { maxLength: max }
  }))
