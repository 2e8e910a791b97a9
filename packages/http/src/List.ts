/**
 * What the services of all lists have in common.
 *
 * @since 0.1.0
 */
import type { RequestError } from "@mailstream/core"
import * as Page from "@mailstream/core/Page"
import * as PageRequest from "@mailstream/core/PageRequest"
import * as Resource from "@mailstream/core/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ApiClient, OpenResponse } from "./ApiClient.ts"

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
 * A service whose list can be asked for without a limit.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionalLimitList<Item extends { readonly id: string }, Filter> extends List<Item, Filter> {
  /**
   * All items in one answer, whose body is still to come while the scope is open: for whoever decodes it as it arrives.
   */
  readonly open: (filter: Filter) => Effect.Effect<OpenResponse, RequestError, Scope.Scope>
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

/** Checks the input of a list, whatever answers it. */
const make = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  answer: {
    readonly page: (
      request: PageRequest.PageRequest<Item["id"]>,
      path: Resource.Path,
      filter: Filter
    ) => Effect.Effect<Page.Page<Item>, RequestError>
    readonly open: (path: Resource.Path, filter: Filter) => Effect.Effect<OpenResponse, RequestError, Scope.Scope>
  }
): OptionalLimitList<Item, Filter> => {
  const validate = PageRequest.validate(resource.id)
  return {
    list: (...[given]) =>
      Effect.suspend(() => {
        // The options are left out only where nothing in them is required.
        const options = given ?? ({} as Options<Item, Filter>)
        return Either.flatMap(
          validate(options),
          (request) => Either.map(Resource.path(resource, options), (path) => answer.page(request, path, options))
        ).pipe(Either.getOrElse(Effect.fail))
      }),
    open: (filter) =>
      Effect.suspend(() =>
        Either.getOrElse(Either.map(Resource.path(resource, filter), (path) => answer.open(path, filter)), Effect.fail)
      )
  }
}

/**
 * A list of the API. `open` is for the lists that can do without a limit.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromClient = <Item extends Encoded & { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  client: typeof ApiClient.Service
): OptionalLimitList<Item, Filter> => {
  const name = `${resource.identifier}.list`
  const schema = Page.schema(resource.item)
  return make(resource, {
    page: ({ after, before, limit }, path) =>
      client.call({
        name,
        method: "GET",
        path,
        query: { limit, after, before },
        schema,
        attributes: (page) => ({ items: page.data.length, has_more: page.has_more })
      }),
    open: (path) => client.open({ name: `${resource.identifier}.open`, method: "GET", path })
  })
}

/**
 * A list that answers from values, by the API's paging rules, for tests without a network.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromItems = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  items: Items<Item, Filter>
): OptionalLimitList<Item, Filter> => {
  const select = (filter: Filter) => typeof items === "function" ? items(filter) : items
  return make(resource, {
    page: (request, _, filter) =>
      Effect.suspend(() =>
        Page.fromItems(select(filter), { ...request, limit: request.limit ?? Resource.defaultLimit(resource) })
      ),
    open: (path, filter) =>
      Effect.sync((): OpenResponse => ({
        from: { method: "GET", url: path, statusCode: 200 },
        contentType: "application/json",
        // As they are: the schemas of items change nothing.
        bytes: Stream.encodeText(Stream.make(JSON.stringify(Page.make(select(filter), false))))
      }))
  })
}
