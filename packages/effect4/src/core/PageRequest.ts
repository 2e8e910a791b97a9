/**
 * Requests for one page of a list: how many items, and after or before which one.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { ValidationError } from "./ApiError.ts"
import * as Checks from "./internal/checks.ts"
import { says, told } from "./internal/fields.ts"
import * as Wire from "./Wire.ts"

/**
 * `after` continues to older items, `before` to newer ones. Passing both is an error, in the types as in the API.
 *
 * @since 1.0.0
 * @category models
 */
export type PageRequest<Id extends string = string> = Limited & (After<Id> | Before<Id>)

/**
 * @since 1.0.0
 * @category models
 */
export interface Limited {
  /**
   * At most this many items, from 1 to 100. Without it, optional-limit lists return all items in one response, and
   * always-paginated lists return 20.
   */
  readonly limit?: number | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface After<Id extends string = string> {
  /** The id of an item: the page starts after it, with older items. */
  readonly after?: Id | undefined
  readonly before?: undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Before<Id extends string = string> {
  readonly after?: undefined
  /** The id of an item: the page ends before it, with newer items. */
  readonly before?: Id | undefined
}

/**
 * A request as callers write it. The same as `PageRequest`, except that the compiler explains why two cursors are
 * rejected.
 *
 * @since 1.0.0
 * @category models
 */
export type Input<Id extends string = string> =
  & Limited
  & (
    | Before<Id>
    | (Pick<After<Id>, "after"> & {
      readonly before?: Conflict<"pass either `after` or `before`, not both"> | undefined
    })
  )

declare const conflict: unique symbol

/**
 * A type without values. Its message shows up in the compile error for a field that must be omitted.
 *
 * @since 1.0.0
 * @category models
 */
export interface Conflict<Message extends string> {
  readonly [conflict]: Message
}

/**
 * The API's message for a limit that is not an integer from 1 to 100.
 *
 * @since 1.0.0
 * @category messages
 */
export const limitMessage = "The pagination limit must be a number between 1 and 100."

/**
 * The API's message for two cursors.
 *
 * @since 1.0.0
 * @category messages
 */
export const cursorsMessage = "You can only pass one of `before` or `after` for pagination."

/**
 * The message for a cursor in an invalid format.
 *
 * @since 1.0.0
 * @category messages
 */
export const cursorMessage = (parameter: "after" | "before"): string =>
  `The pagination cursor \`${parameter}\` has an invalid format: pass the id of an item.`

/**
 * The maximum number of items in a page: an integer from 1 to 100.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Limit: typeof Schema.Number = Schema.Number.pipe(
  Checks.filter((limit) => Number.isInteger(limit) && limit >= 1 && limit <= 100, {
    identifier: "Limit",
    message: says(limitMessage)
  })
)

/**
 * A request that may still have both cursors. In the query of a URL, its limit is text.
 *
 * @since 1.0.0
 * @category models
 */
export type Encoded<Limit extends number | string = number> = {
  readonly limit?: Limit | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

const fields = <Id extends string, Limit>(
  id: Schema.Codec<Id, string>,
  limit: Schema.Codec<number, Limit>,
  annotations: { readonly [parameter: string]: { readonly description: string } } = {}
) => {
  const cursor = (parameter: "after" | "before") =>
    Schema.optional(id.annotate(told({ message: says(cursorMessage(parameter)), ...annotations[parameter] })))
  return Schema.Struct({
    limit: Schema.optional(limit),
    after: cursor("after"),
    before: cursor("before")
  }).annotate(told({ message: () => "The request for a page must be an object." })).pipe(
    Checks.filter(
      (request): request is typeof request & PageRequest<Id> =>
        request.after === undefined || request.before === undefined,
      { message: () => cursorsMessage }
    )
  )
}

/**
 * The request for a page of a list whose ids have the given schema. Both cursors at once are rejected.
 *
 * @since 1.0.0
 * @category schemas
 */
export const schema = <Id extends string>(
  id: Schema.Codec<Id, string>
): Schema.Codec<PageRequest<Id>, Encoded> => fields(id, Limit)

/**
 * The same request as the query of a URL. A limit consists of decimal digits only: `1e2` and `0x10` are rejected.
 *
 * @since 1.0.0
 * @category schemas
 */
export const query = <Id extends string>(
  id: Schema.Codec<Id, string>,
  defaultLimit?: number | undefined
): Schema.Codec<PageRequest<Id>, Encoded<string>> => {
  const description = `The maximum number of items.${
    defaultLimit === undefined ? " Without it, all items are in one response." : ""
  }`
  return fields(
    id,
    Schema.String.pipe(Checks.filter((text) => /^\d{1,3}$/.test(text), { message: says(limitMessage) })).pipe(
      Schema.decodeTo(Limit, SchemaTransformation.transform({ decode: Number, encode: String }))
    ).annotate({
      description
    }),
    {
      after: {
        description: "The id of an item: the page starts after it, with older items. Cannot be combined with `before`."
      },
      before: {
        description: "The id of an item: the page ends before it, with newer items. Cannot be combined with `after`."
      }
    }
  )
}

type Validate<Id extends string> = (request: Input<Id>) => Result.Result<PageRequest<Id>, ValidationError>

/** Every client needs those of all lists. */
const validations = new WeakMap<object, unknown>()

/**
 * Checks a request as the API does, and fails with the API's own error if the API would reject it.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { ContactId, PageRequest } from "@mailstream/effect4"
 *
 * const validate = PageRequest.validate(ContactId)
 *
 * validate({ limit: 101 }) // failure(validation_error: The pagination limit must be a number between 1 and 100.)
 * ```
 */
export const validate = <Id extends string>(
  id: Schema.Codec<Id, string>
): (request: Input<Id>) => Result.Result<PageRequest<Id>, ValidationError> => {
  const known = validations.get(id)
  // Each entry is built from the schema that is its key.
  if (known !== undefined) return known as Validate<Id>
  const check = Wire.check(schema(id))
  const made: Validate<Id> = (request) => Result.mapError(check(request), ValidationError.fromSchemaError)
  validations.set(id, made)
  return made
}
