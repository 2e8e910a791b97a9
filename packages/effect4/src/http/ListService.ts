/**
 * The services of the lists: what they have in common, and how to make one from its entry in the table.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Arguments } from "../core/Filter.ts"
import type { RequestError } from "../core/index.ts"
import * as Page from "../core/Page.ts"
import * as PageRequest from "../core/PageRequest.ts"
import * as Resource from "../core/Resource.ts"
import type { ApiClient } from "./ApiClient.ts"
import { type OpenResponse } from "./ApiClient.ts"

/**
 * A service that lists.
 *
 * @since 1.0.0
 * @category models
 */
export interface ListService<Item extends { readonly id: string }, Filter> {
  /** The base URL of the API; undefined in tests without a network. A stored position belongs to it. */
  readonly baseUrl?: string | undefined
  /**
   * One page of the list, from one request, which is not retried. Input that the API would reject fails with the API's own
   * error, before any request.
   *
   * @example
   * ```ts
   * import { Contacts, isTransient, RetryPolicy } from "@mailstream/effect4"
   * import { Effect } from "effect"
   *
   * const page = Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 10 })).pipe(
   *   Effect.retry({ schedule: RetryPolicy.default, while: isTransient })
   * )
   * ```
   */
  readonly list: (
    ...options: Arguments<PageRequest.Input<Item["id"]>, Filter>
  ) => Effect.Effect<Page.Page<Item>, RequestError>
}

/**
 * A service whose list can be requested without a limit.
 *
 * @since 1.0.0
 * @category models
 */
export interface OptionalLimit<Item extends { readonly id: string }, Filter> extends ListService<Item, Filter> {
  /** All items in one response, whose body is decoded as it arrives, while the scope is open. */
  readonly open: (filter: Filter) => Effect.Effect<OpenResponse, RequestError, Scope.Scope>
}

/**
 * The service of a list, by its pagination.
 *
 * @since 1.0.0
 * @category models
 */
export type Of<Item extends { readonly id: string }, Filter, Kind extends Resource.Pagination> = Kind extends "optional"
  ? OptionalLimit<Item, Filter>
  : ListService<Item, Filter>

/**
 * The items that a list returns in a test, newest first; a function of the filter if they depend on it.
 *
 * @since 1.0.0
 * @category models
 */
export type Items<Item, Filter> = ReadonlyArray<Item> | ((filter: Filter) => ReadonlyArray<Item>)

/** What every list can do. The services declare the part of it that applies to them. */
interface Complete<Item extends { readonly id: string }, Filter> extends Pick<ListService<Item, Filter>, "baseUrl"> {
  readonly list: (
    options?: PageRequest.Input<Item["id"]> & { readonly filter?: Filter | undefined }
  ) => Effect.Effect<Page.Page<Item>, RequestError>
  readonly open: (filter: Filter) => Effect.Effect<OpenResponse, RequestError, Scope.Scope>
}

/** Checks the input of a list, wherever its pages come from. */
const make = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  pages: Pick<ListService<Item, Filter>, "baseUrl"> & {
    readonly page: (
      request: PageRequest.PageRequest<Item["id"]>,
      path: Resource.Path,
      filter: Filter
    ) => Effect.Effect<Page.Page<Item>, RequestError>
    readonly open: (path: Resource.Path, filter: Filter) => Effect.Effect<OpenResponse, RequestError, Scope.Scope>
  }
): Complete<Item, Filter> => {
  const located = <A, E, R>(
    filter: Filter | undefined,
    use: (path: Resource.Path, filter: Filter) => Effect.Effect<A, E, R>
  ) => {
    const path = Resource.path(resource, filter)
    // There is no path if the filter is not the list's.
    return Result.isSuccess(path) ? use(path.success, filter as Filter) : Effect.fail(path.failure)
  }
  return {
    baseUrl: pages.baseUrl,
    list: (options = {}) =>
      Effect.suspend(() => {
        const request = PageRequest.validate(resource.id)(options)
        return Result.isSuccess(request)
          ? located(options.filter, (path, filter) => pages.page(request.success, path, filter))
          : Effect.fail(request.failure)
      }),
    open: (filter) => Effect.suspend(() => located(filter, pages.open))
  }
}

/**
 * The service of a list of the API.
 *
 * @since 1.0.0
 * @category constructors
 */
export function fromClient<
  Item extends Encoded & { readonly id: string },
  Encoded,
  Filter,
  Kind extends Resource.Pagination
>(
  resource: Resource.Resource<string, Item, Encoded, Filter, Kind>,
  client: typeof ApiClient.Service
): Of<Item, Filter, Kind>
export function fromClient<Item extends Encoded & { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  client: typeof ApiClient.Service
): Complete<Item, Filter> {
  const name = `${resource.identifier}.list`
  const templateOf = (filter: Filter) => filter === undefined ? resource.path : resource.scope?.path ?? resource.path
  return make(resource, {
    baseUrl: client.baseUrl,
    page: ({ after, before, limit }, path, filter) =>
      client.call({
        name,
        method: "GET",
        path,
        template: templateOf(filter),
        query: { ...Resource.query(resource, filter), limit, after, before },
        schema: Page.schema(resource.item),
        attributes: (page) => ({ "mailstream.items": page.data.length, "mailstream.has_more": page.has_more })
      }),
    open: (path, filter) =>
      client.open({ name: `${resource.identifier}.open`, method: "GET", path, template: templateOf(filter) })
  })
}

/**
 * A list of the given items, by the API's paging rules, for tests without a network.
 *
 * @since 1.0.0
 * @category constructors
 */
export function fromItems<Item extends { readonly id: string }, Encoded, Filter, Kind extends Resource.Pagination>(
  resource: Resource.Resource<string, Item, Encoded, Filter, Kind>,
  items: Items<Item, Filter>
): Of<Item, Filter, Kind>
export function fromItems<Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  items: Items<Item, Filter>
): Complete<Item, Filter> {
  const select = (filter: Filter) => typeof items === "function" ? items(filter) : items
  return make(resource, {
    page: (request, _, filter) =>
      Effect.suspend(() =>
        Effect.fromResult(
          Page.fromItems(select(filter), { ...request, limit: request.limit ?? Resource.defaultLimit(resource) })
        )
      ),
    open: (path, filter) =>
      Effect.sync((): OpenResponse => ({
        from: { method: "GET", url: path, statusCode: 200 },
        contentType: "application/json",
        // As they are: the schemas of items do not transform.
        bytes: Stream.encodeText(Stream.make(JSON.stringify(Page.make(select(filter), false))))
      }))
  })
}
