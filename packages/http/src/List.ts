/**
 * What the services of all lists have in common.
 *
 * @since 0.1.0
 */
import { Page, PageRequest, type RequestError, Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ApiClient } from "./ApiClient.ts"

/**
 * A service that lists.
 *
 * @since 0.1.0
 * @category models
 */
export interface List<Item extends { readonly id: string }, Filter> {
  /**
   * One page of the list. Input that the API would refuse is refused with the API's own error, before any request.
   */
  readonly list: (...options: Arguments<Item, Filter>) => Effect.Effect<Page.Page<Item>, RequestError>
}

/**
 * Which page of which list.
 *
 * @since 0.1.0
 * @category models
 */
export type Options<Item extends { readonly id: string }, Filter> = PageRequest.PageRequest<Item["id"]> & Filter

/**
 * The options can be left out where no filter is required.
 *
 * @since 0.1.0
 * @category models
 */
export type Arguments<Item extends { readonly id: string }, Filter> = {} extends Filter
  ? [options?: Options<Item, Filter>]
  : [options: Options<Item, Filter>]

/**
 * The items that a list answers with in a test, the newest first; where it has a filter, perhaps by that.
 *
 * @since 0.1.0
 * @category models
 */
export type Items<Item, Filter> = ReadonlyArray<Item> | ((filter: Filter) => ReadonlyArray<Item>)

type AnyResource<Item extends { readonly id: string }, Encoded, Filter> = Resource.Resource<
  string,
  Item,
  Encoded,
  Filter,
  Resource.Pagination
>

/** Checks the input of a list, whatever answers it. */
const make = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: AnyResource<Item, Encoded, Filter>,
  answer: (
    request: PageRequest.PageRequest<Item["id"]>,
    path: Resource.Path,
    filter: Filter
  ) => Effect.Effect<Page.Page<Item>, RequestError>
): List<Item, Filter> => {
  const validate = PageRequest.validate(resource.id)
  return {
    list: (...[given]) =>
      Effect.suspend(() => {
        // The options are left out only where nothing in them is required.
        const options = given ?? ({} as Options<Item, Filter>)
        return Either.match(Either.all([validate(options), Resource.path(resource, options)]), {
          onLeft: Effect.fail,
          onRight: ([request, path]) => answer(request, path, options)
        })
      })
  }
}

/**
 * A list of the API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromClient = <Item extends Encoded & { readonly id: string }, Encoded, Filter>(
  resource: AnyResource<Item, Encoded, Filter>,
  client: typeof ApiClient.Service
): List<Item, Filter> => {
  const name = `${resource.identifier}.list`
  const schema = Page.schema(resource.item)
  return make(resource, ({ after, before, limit }, path) =>
    client.call({
      name,
      method: "GET",
      path,
      query: { limit, after, before },
      schema,
      attributes: (page) => ({ items: page.data.length, has_more: page.has_more })
    }))
}

/**
 * A list that answers from values, by the API's paging rules, for tests without a network.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromItems = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: AnyResource<Item, Encoded, Filter>,
  items: Items<Item, Filter>
): List<Item, Filter> =>
  make(resource, (request, _, filter) =>
    Effect.suspend(() =>
      Page.fromItems(
        typeof items === "function" ? items(filter) : items,
        { ...request, limit: request.limit ?? Resource.defaultLimit(resource) }
      )
    ))
