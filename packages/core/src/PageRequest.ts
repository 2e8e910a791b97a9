/**
 * What is asked of a list: how many items, and after or before which one.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ValidationError } from "./ApiError.ts"
import { says } from "./internal/fields.ts"
import * as Wire from "./Wire.ts"

/**
 * `after` goes on to older items, `before` to newer ones. The two exclude each other, in the type as in the API.
 *
 * @since 0.1.0
 * @category models
 */
export type PageRequest<Id extends string = string> = Limited & (After<Id> | Before<Id>)

/**
 * @since 0.1.0
 * @category models
 */
export interface Limited {
  /**
   * How many items at the most, from 1 to 100. Without it, optional-limit lists answer all items at once and
   * always-paginated lists 20.
   */
  readonly limit?: number | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface After<Id extends string = string> {
  /** The id of an item: the page starts after it, with older items. */
  readonly after?: Id | undefined
  readonly before?: undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Before<Id extends string = string> {
  readonly after?: undefined
  /** The id of an item: the page ends before it, with newer items. */
  readonly before?: Id | undefined
}

/**
 * What the API says of a limit that is no whole number from 1 to 100.
 *
 * @since 0.1.0
 * @category messages
 */
export const limitMessage = "The pagination limit must be a number between 1 and 100."

/**
 * What the API says when both cursors are given.
 *
 * @since 0.1.0
 * @category messages
 */
export const cursorsMessage = "You can only pass one of `before` or `after` for pagination."

/**
 * What is said of a cursor in a wrong format.
 *
 * @since 0.1.0
 * @category messages
 */
export const cursorMessage = (parameter: "after" | "before"): string =>
  `The pagination cursor \`${parameter}\` has an invalid format: pass the id of an item.`

/**
 * How many items a page holds at the most: a whole number from 1 to 100.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Limit: Schema.filter<typeof Schema.Number> = Schema.Number.pipe(
  Schema.filter((limit) => Number.isInteger(limit) && limit >= 1 && limit <= 100, {
    identifier: "Limit",
    message: says(limitMessage),
    jsonSchema: { type: "integer", minimum: 1, maximum: 100 },
    arbitrary: () => (fc) => fc.integer({ min: 1, max: 100 })
  })
)

/**
 * A request before it is known that not both cursors are given.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageRequestEncoded extends Limited {
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/**
 * A request as the query of a URL.
 *
 * @since 0.1.0
 * @category models
 */
export type Query = {
  readonly limit?: string | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

const fields = <Id extends string, Limit>(
  id: Schema.Schema<Id, string>,
  limit: Schema.Schema<number, Limit>,
  annotations: { readonly [parameter: string]: { readonly description: string } } = {}
) => {
  const cursor = (parameter: "after" | "before") =>
    Schema.optional(id.annotations({ message: says(cursorMessage(parameter)), ...annotations[parameter] }))
  return Schema.Struct({
    limit: Schema.optional(limit),
    after: cursor("after"),
    before: cursor("before")
  }).annotations({ message: () => "The request for a page must be an object." }).pipe(
    Schema.filter(
      (request): request is typeof request & PageRequest<Id> =>
        request.after === undefined || request.before === undefined,
      { message: () => cursorsMessage }
    )
  )
}

/**
 * The request for a page of a list whose ids have the given schema. Both cursors at once are refused.
 *
 * @since 0.1.0
 * @category schemas
 */
export const schema = <Id extends string>(
  id: Schema.Schema<Id, string>
): Schema.Schema<PageRequest<Id>, PageRequestEncoded> => fields(id, Limit)

/**
 * The same request as the query of a URL. A limit is the digits of a whole number: `1e2` and `0x10` are refused.
 *
 * @since 0.1.0
 * @category schemas
 */
export const query = <Id extends string>(
  id: Schema.Schema<Id, string>,
  defaultLimit?: number | undefined
): Schema.Schema<PageRequest<Id>, Query> =>
  fields(
    id,
    Schema.transform(
      Schema.String.pipe(Schema.filter((text) => /^\d{1,3}$/.test(text), { message: says(limitMessage) })),
      Limit,
      { strict: true, decode: Number, encode: String }
    ).annotations({
      jsonSchema: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        ...(defaultLimit === undefined
          ? { description: "How many items at the most. Without it, all items are in one response." }
          : { description: "How many items at the most.", default: defaultLimit })
      }
    }),
    {
      after: { description: "The id of an item: the page starts after it, with older items. Excludes `before`." },
      before: { description: "The id of an item: the page ends before it, with newer items. Excludes `after`." }
    }
  )

/**
 * Checks a request as the API would, and answers the API's own error where it would be refused.
 *
 * @since 0.1.0
 * @category combinators
 * @example
 * ```ts
 * import { ContactId, PageRequest } from "@mailstream/core"
 *
 * const validate = PageRequest.validate(ContactId)
 *
 * validate({ limit: 101 }) // left(validation_error: The pagination limit must be a number between 1 and 100.)
 * ```
 */
export const validate = <Id extends string>(
  id: Schema.Schema<Id, string>
): (request: PageRequest<Id>) => Either.Either<PageRequest<Id>, ValidationError> => {
  const check = Wire.check(schema(id))
  return (request) => Either.mapLeft(check(request), ValidationError.fromParseError)
}
