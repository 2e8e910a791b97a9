/**
 * The envelope of every list.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { NotFound } from "./ApiError.ts"
import type { PageRequest } from "./PageRequest.ts"

/**
 * One page: newest item first, even if it was requested with `before`. `has_more` means that the list continues in the
 * requested direction.
 *
 * @since 1.0.0
 * @category models
 */
export interface Page<out Item> {
  readonly object: "list"
  readonly has_more: boolean
  readonly data: ReadonlyArray<Item>
}

/** Every client needs those of all lists: one for each would be a tenth of a megabyte. */
const schemas = new WeakMap<object, unknown>()

/**
 * The schema of a page of the given items; for the same schema of items, the same.
 *
 * @since 1.0.0
 * @category schemas
 */
export const schema = <Item, Encoded, R>(
  item: Schema.Codec<Item, Encoded, R>
): Schema.Codec<Page<Item>, Page<Encoded>, R> => {
  const known = schemas.get(item)
  // Each entry is built from the schema that is its key.
  if (known !== undefined) return known as Schema.Codec<Page<Item>, Page<Encoded>, R>
  const made = Schema.Struct({
    object: Schema.Literal("list"),
    has_more: Schema.Boolean,
    data: Schema.Array(item)
  }).annotate({ title: "list" })
  schemas.set(item, made)
  return made
}

/**
 * @since 1.0.0
 * @category constructors
 */
export const make = <Item>(data: ReadonlyArray<Item>, has_more: boolean): Page<Item> => ({
  object: "list",
  has_more,
  data
})

/**
 * The page of a complete list, newest item first: the API's paging rules, on an array.
 *
 * A cursor that matches no item fails with `not_found`, as in the API.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromItems: {
  <Id extends string>(
    request: PageRequest<Id>
  ): <Item extends { readonly id: Id }>(items: ReadonlyArray<Item>) => Result.Result<Page<Item>, NotFound>
  <Item extends { readonly id: string }>(
    items: ReadonlyArray<Item>,
    request: PageRequest<Item["id"]>
  ): Result.Result<Page<Item>, NotFound>
} = /* #__PURE__ */ dual(2, <Item extends { readonly id: string }>(
  items: ReadonlyArray<Item>,
  request: PageRequest<Item["id"]>
): Result.Result<Page<Item>, NotFound> => {
  const { after, before, limit = items.length } = request
  const cursor = after ?? before
  const place = items.findIndex((item) => item.id === cursor)
  if (cursor !== undefined && place === -1) return Result.fail(NotFound.ofCursor)
  // Without a cursor, the page starts as if after an imaginary item at index -1.
  const backwards = after === undefined && before !== undefined
  const start = backwards ? Math.max(0, place - limit) : place + 1
  const end = backwards ? place : start + limit
  return Result.succeed(make(items.slice(start, end), backwards ? start > 0 : end < items.length))
})
