/**
 * The `filter` among the options of a list: its types, and the error for one that is not the list's.
 *
 * @since 1.0.0
 */
import type * as Schema from "effect/Schema"
import { ValidationError } from "./ApiError.ts"
import { valuesOf } from "./internal/values.ts"
import type { Conflict } from "./PageRequest.ts"

/**
 * Options plus the `filter` of a list: absent if the list has no filter, required if the list requires one.
 *
 * @since 1.0.0
 * @category models
 */
export type Filtered<Options, Filter> = [Filter] extends [undefined]
  ? Options & { readonly filter?: Conflict<"this list has no filter"> | undefined }
  :
    & Options
    & Misplaced<Exclude<Filter, undefined>>
    & (undefined extends Filter ? {
        /** Selects the items of one owner, such as the contacts of one segment; default: all items. */
        readonly filter?: Filter
      }
      : {
        /** Selects the items of one owner, such as the attachments of one email. */
        readonly filter: Filter
      })

/**
 * A filter's field at the top level would be ignored, and the list would not be filtered. So the compiler rejects it,
 * even where it does not check for excess properties.
 *
 * @since 1.0.0
 * @category models
 */
export type Misplaced<Filter> = {
  readonly [Field in keyof Filter & string]?: Conflict<`pass it as \`filter: { ${Field} }\``> | undefined
}

/**
 * The arguments of a function that takes options with the filter of a list. They can be omitted unless the filter is
 * required.
 *
 * @since 1.0.0
 * @category models
 */
export type Arguments<Options, Filter> = undefined extends Filter ? [options?: Filtered<Options, Filter>]
  : [options: Filtered<Options, Filter>]

/**
 * The error for a filter that is not one of the list's: missing, empty, not the id of an owner, or not one of its values.
 *
 * @since 1.0.0
 * @category errors
 */
export const invalid = ({ query, scope }: {
  readonly scope: { readonly field: string; readonly noun: string; readonly other?: string } | undefined
  readonly query: Schema.Struct.Fields
}): ValidationError => {
  const rules = Object.entries(query).map(([field, schema]) => `\`${field}\` must be ${expected(schema)}`)
  if (scope !== undefined) {
    const other = scope.other === undefined ? "" : `, or \`{ ${scope.other} }\``
    rules.unshift(`\`${scope.field}\` must be the id of one ${scope.noun}${other}`)
  }
  return ValidationError.because(
    rules.length === 0 ? "This list has no filter." : `The filter ${rules.join(", ")}.`
  )
}

/** What a field may be: one of its values, or any string. */
const expected = (field: Schema.Struct.Fields[string]): string => {
  const values = valuesOf(field)
  return values.length === 0 ? "a string" : `one of ${values.join(", ")}`
}
