import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as Operation from "@mailstream/core/Operation"
import * as Page from "@mailstream/core/Page"
import * as PageRequest from "@mailstream/core/PageRequest"
import * as Resource from "@mailstream/core/Resource"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

const endpoint = <const Name extends string, Item extends { readonly id: string }, Encoded, Filter>(
  name: Name,
  path: Resource.Path,
  resource: Resource.Any<Item, Encoded, Filter>
) =>
  HttpApiEndpoint.get(name, path)
    .setUrlParams(
      Schema.extend(PageRequest.query(resource.id, Resource.defaultLimit(resource)), filtering(resource))
    )
    .addSuccess(Page.schema(resource.item))
    .annotate(OpenApi.Summary, `List ${resource.title}`)
    .annotate(
      OpenApi.Description,
      `One page of ${resource.title}. While \`has_more\` is true, pass the id of the last item as \`after\` to get the next one.`
    )

/** The fields of a filter in the query: none has to be there if the filter is optional. */
const filtering = <Filter>({ isFilter, query }: Resource.Location<Filter>): Schema.Struct<Schema.Struct.Fields> =>
  Schema.Struct(
    isFilter(undefined)
      ? Record.map(query, (field) => Schema.isSchema(field) ? Schema.optional(field) : field)
      : query
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
) => group(resource).add(endpoint("list", scope.path, resource).setPath(ownerOf(scope)))

/** A list whose filter is optional: a second endpoint lists the items within an owner. */
export const listAlsoWithin = <
  const Name extends string,
  Item extends { readonly id: string },
  Encoded,
  Filter,
  Owner,
  Params,
  const Endpoint extends string
>(
  resource: Resource.Resource<Name, Item, Encoded, Filter, Resource.Pagination>,
  name: Endpoint,
  scope: Resource.Scope<Owner, Params>
) =>
  list(resource).add(
    endpoint(name, scope.path, resource)
      .setPath(ownerOf(scope))
      .annotate(OpenApi.Summary, `List ${resource.title} of a ${scope.noun}`)
  )

/** An operation without a path of its own, whose request has a body: only for entries with a payload. */
export const creation = <const Name extends string, Args extends ReadonlyArray<unknown>, Input, Output, Encoded>(
  name: Name,
  entry: Operation.Operation<Args, Input, Output, Encoded>
) => described(name, entry).setPayload(bodyOf(entry))

/** An operation on one object: `fields` are the parameters of its path. */
export const operation = <
  const Name extends string,
  Args extends ReadonlyArray<unknown>,
  Input,
  Output,
  Encoded,
  const Field extends string
>(
  name: Name,
  entry: Operation.Operation<Args, Input, Output, Encoded>,
  ...fields: ReadonlyArray<Field>
) => described(name, entry).setPath(pathOf(entry, fields))

/** An operation on one object whose request has a body: only for entries with a payload. */
export const operationWith = <
  const Name extends string,
  Args extends ReadonlyArray<unknown>,
  Input,
  Output,
  Encoded,
  const Field extends string
>(
  name: Name,
  entry: Operation.Operation<Args, Input, Output, Encoded>,
  ...fields: ReadonlyArray<Field>
) => operation(name, entry, ...fields).setPayload(bodyOf(entry))

const described = <const Name extends string, Args extends ReadonlyArray<unknown>, Input, Output, Encoded>(
  name: Name,
  { method, path, status, success, summary }: Operation.Operation<Args, Input, Output, Encoded>
) =>
  HttpApiEndpoint.make(method)(name, path)
    .addSuccess(success.annotations(HttpApiSchema.annotations({ status, identifier: nameOf(success) })))
    .annotate(OpenApi.Summary, summary.replace(/[.:,;].*$/, ""))
    .annotate(OpenApi.Description, summary)

/** Schemas of responses have names, which they keep in the document. */
const nameOf = ({ ast }: { readonly ast: AST.AST }): string => `${ast.annotations[AST.IdentifierAnnotationId]}`

/** The body as it is sent: one that can be omitted is sent as an empty object. */
const bodyOf = <Input>(
  { payload }: { readonly payload: Operation.Checked<Input> | undefined }
): Operation.Checked<Exclude<Input, undefined>> => {
  const ast = payload!.ast
  return Schema.make(
    AST.isUnion(ast) && ast.types.some(AST.isUndefinedKeyword)
      ? AST.Union.make(ast.types.filter((member) => !AST.isUndefinedKeyword(member)))
      : ast
  )
}

/** What is in a path is text: the server reads it as the operation's schemas say. */
const pathOf = <const Field extends string>(
  { params }: Operation.Any,
  fields: ReadonlyArray<Field>
): Schema.Schema<{ readonly [Name in Field]: string }> =>
  Schema.make(
    Schema.Struct(Record.fromIterableWith(fields, (field) => {
      const { ast } = params.find((param) => param.field === field)!.schema
      const [, other] = /`{ (\w+) }`/.exec(`${ast.annotations[AST.DescriptionAnnotationId]}`) ?? []
      return [field, other === undefined ? Schema.String : named(field, other)]
    })).ast
  )

/** An id, or another name of the same. */
const named = (field: string, other: string): Schema.Schema<string> =>
  Schema.String.annotations({ description: `The id of the ${field.replace(/_id$/, "")}, or its ${other}.` })

/** What names the owner of a list in its path. */
const ownerOf = <Owner, Params>(
  { field, other, params }: Resource.Scope<Owner, Params>
): Resource.Scope<Owner, Params>["params"] =>
  other === undefined ? params : Schema.make(Schema.Struct({ [field]: named(field, other) }).ast)
