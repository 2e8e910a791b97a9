import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as Operation from "@mailstream/core/Operation"
import * as Page from "@mailstream/core/Page"
import * as PageRequest from "@mailstream/core/PageRequest"
import * as Resource from "@mailstream/core/Resource"
import * as Schema from "effect/Schema"

const endpoint = <const Name extends string, Item extends { readonly id: string }, Encoded, Filter>(
  name: Name,
  path: Resource.Path,
  resource: Resource.Any<Item, Encoded, Filter>
) =>
  HttpApiEndpoint.get(name, path)
    .setUrlParams(
      Schema.extend(PageRequest.query(resource.id, Resource.defaultLimit(resource)), Schema.Struct(resource.query))
    )
    .addSuccess(Page.schema(resource.item))
    .annotate(OpenApi.Summary, `List ${resource.title}`)
    .annotate(
      OpenApi.Description,
      `One page of ${resource.title}. While \`has_more\` is true, pass the id of the last item as \`after\` to get the next one.`
    )

/** The group of a list, which is its tag in the document. */
const group = <const Name extends string>({ name, title }: { readonly name: Name; readonly title: string }) =>
  HttpApiGroup.make(name).annotate(
    OpenApi.Description,
    `${title.charAt(0).toUpperCase()}${title.slice(1)}, page by page.`
  )

/** A list without a filter. */
export const list = <const Name extends string, Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Resource<Name, Item, Encoded, Filter, Resource.Pagination>
) => group(resource).add(endpoint("list", resource.path, resource))

/** A list whose filter is required: it exists only within its owner. */
export const listWithin = <
  const Name extends string,
  Item extends { readonly id: string },
  Encoded,
  Filter,
  Owner,
  Params
>(
  resource: Resource.Resource<Name, Item, Encoded, Filter, Resource.Pagination>,
  scope: Resource.Scope<Owner, Params>
) => group(resource).add(endpoint("list", scope.path, resource).setPath(scope.params))

/** A list whose filter is optional: a second endpoint lists the items within an owner. */
export const listAlsoWithin = <
  const Name extends string,
  Item extends { readonly id: string },
  Encoded,
  Filter,
  Owner,
  const Endpoint extends string
>(
  resource: Resource.Resource<Name, Item, Encoded, Filter, Resource.Pagination>,
  name: Endpoint,
  scope: Resource.Scope<Owner>
) =>
  list(resource).add(
    endpoint(name, scope.path, resource)
      .setPath(scope.params)
      .annotate(OpenApi.Summary, `List ${resource.title} of a ${scope.noun}`)
  )

/** An operation on one object. What is in the path is text: the server reads it as the operation's schemas say. */
export const operation = <const Name extends string, Args extends ReadonlyArray<unknown>, Input, Output, Encoded>(
  name: Name,
  { method, params, path, status, success, summary }: Operation.Operation<Args, Input, Output, Encoded>
) =>
  HttpApiEndpoint.make(method)(name, path)
    .setPath(Schema.Struct(Object.fromEntries(params.map(({ field }) => [field, Schema.String]))))
    .addSuccess(success, { status })
    .annotate(OpenApi.Summary, summary.replace(/[.:,].*$/, ""))
    .annotate(OpenApi.Description, summary)

/** An operation whose request has a body: only for entries with a payload. */
export const operationWith = <const Name extends string, Args extends ReadonlyArray<unknown>, Input, Output, Encoded>(
  name: Name,
  entry: Operation.Operation<Args, Input, Output, Encoded>
) => operation(name, entry).setPayload(entry.payload!)
