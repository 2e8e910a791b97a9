/** The table of lists, with the names of each list in code, and how to write text from it. */
import * as Core from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"
import * as Resource from "@mailstream/core/Resource"
import { Option, type Schema, SchemaAST, String } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

type AnyResource = (typeof Resource.all)[number]

/** A list, with its names in code. */
export interface Entry {
  readonly resource: AnyResource
  /** As in `apiKeys`. */
  readonly name: string
  /** As in `ApiKeys`. */
  readonly service: string
  /** The module of its operations, as in `ApiKeyOperations`; `undefined` for a list of what cannot be named. */
  readonly operations: string | undefined
  /** The types of an item and of its id, as in `ApiKey` and `ApiKeyId`. */
  readonly item: string
  readonly id: string
  readonly filter: Filter | undefined
  /** Lists that can do more than list have a hand-written service. */
  readonly isHandWritten: boolean
}

interface Filter {
  /** As in `Resource.SegmentFilter`. */
  readonly type: string
  readonly required: boolean
  /** What one of its values is called, as in `segment`. */
  readonly noun: string
  /** A filter, as in `{ segment_id: SegmentId.make("…") }`. */
  readonly example: string
  /** The id of the owner, as in `SegmentId`. */
  readonly id: string | undefined
  readonly scope: Scope | undefined
}

interface Scope {
  /** As in `Resource.contactsOfSegment`. */
  readonly name: string
  /** As in `listOfSegment`. */
  readonly endpoint: string
}

export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** The type of the only parameter of a path. */
const paramOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  const [field] = SchemaAST.isTypeLiteral(ast) ? ast.propertySignatures : []
  if (field === undefined) throw new Error("The parameters of a scope must be a struct with one field.")
  return field.type
}

const nameOf = (schema: { readonly ast: SchemaAST.AST }): string =>
  Option.getOrThrow(SchemaAST.getIdentifierAnnotation(schema.ast))

const scopeOf = ({ scope }: AnyResource): Scope | undefined => {
  if (scope === undefined) return undefined
  const [exported] = Object.entries(Resource).find(([, value]) => value === scope) ?? []
  if (exported === undefined) throw new Error(`The scope of ${scope.owner} must be exported from Resource.ts.`)
  return { name: `Resource.${exported}`, endpoint: `listOf${String.capitalize(scope.noun)}` }
}

/** The type of a field, and whether it can be omitted. */
const partsOf = ({ ast }: Schema.Struct.Field): { readonly type: SchemaAST.AST; readonly isOptional: boolean } =>
  ast._tag === "PropertySignatureTransformation"
    ? ast.to
    : ast._tag === "PropertySignatureDeclaration"
    ? ast
    : { type: ast, isOptional: false }

/** The values that a field is known to have. */
export const valuesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(ast)
    ? ast.types.flatMap((member) => SchemaAST.isLiteral(member) ? [`${member.literal}`] : [])
    : Option.match(SchemaAST.getJSONSchemaAnnotation(ast), {
      onNone: () => [],
      onSome: (schema) =>
        "anyOf" in schema && Array.isArray(schema.anyOf)
          ? schema.anyOf.flatMap((member) => "enum" in member ? member.enum : [])
          : []
    })

/** The fields of a filter that are sent in the query of the URL. */
export const queryOf = ({ query }: AnyResource) =>
  Object.entries(query as Schema.Struct.Fields).map(([field, schema]) => ({ field, ...partsOf(schema) }))

const filterOf = (resource: AnyResource): Filter | undefined => {
  const { item, scope } = resource
  const query = queryOf(resource)
  const noun = scope?.noun ?? query[0]?.field
  if (noun === undefined) return undefined
  const id = scope === undefined ? undefined : nameOf({ ast: paramOf(scope.params.ast) })
  const owner = scope === undefined ? [] : [`${scope.field}: ${id}.make("…")`]
  const fields = query.flatMap(({ field, isOptional, type }) =>
    isOptional ? [] : [`${field}: ${JSON.stringify(valuesOf(type)[0] ?? "…")}`]
  )
  return {
    type: `Resource.${id === undefined || query.length > 0 ? nameOf(item) : id.replace(/Id$/, "")}Filter`,
    required: !resource.isFilter(undefined),
    noun,
    example: `{ ${[...owner, ...fields].join(", ")} }`,
    id,
    scope: scopeOf(resource)
  }
}

interface Module {
  readonly operations?: Operation.Table
  readonly descriptions?: Operation.Descriptions
}

function moduleOf({ item }: AnyResource): Module {
  return (Core as unknown as { readonly [name: string]: Module })[`${nameOf(item)}Operations`] ?? {}
}

/** The operations on the objects of a list. */
function tableOf(resource: AnyResource): Operation.Table | undefined {
  return moduleOf(resource).operations
}

/** What the fields of their inputs are. */
export const descriptionsOf = (resource: AnyResource): Operation.Descriptions | undefined =>
  moduleOf(resource).descriptions

export const entries: ReadonlyArray<Entry> = Resource.all.map((resource) => ({
  resource,
  name: String.uncapitalize(resource.identifier),
  service: resource.identifier,
  operations: tableOf(resource) === undefined ? undefined : `${nameOf(resource.item)}Operations`,
  item: nameOf(resource.item),
  id: nameOf(resource.id),
  filter: filterOf(resource),
  isHandWritten: existsSync(join(root, `packages/http/src/${resource.identifier}.ts`))
}))

/** Its operations, in the order of the table. */
export const operationsOf = ({ resource }: Entry): ReadonlyArray<Operation.Any> =>
  Object.values(tableOf(resource) ?? {})

export const mark = "Generated from the table of lists by `npm run generate`"

export const sorted = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...names].sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1)

export const lines = (...parts: ReadonlyArray<string | ReadonlyArray<string>>): string => `${parts.flat().join("\n")}\n`

/** With commas between them, but not after the last. */
export const separated = (parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.map((part, index) => index === parts.length - 1 ? part : `${part},`)

/** On one line if it fits, as the formatter does it. */
export const joined = (head: string, tail: string): ReadonlyArray<string> =>
  head.length + 1 + tail.length <= 120 ? [`${head} ${tail}`] : [head, `  ${tail}`]

export const filterTypeOf = ({ filter }: Entry): string =>
  filter === undefined ? "undefined" : filter.required ? filter.type : `${filter.type} | undefined`

/** As in `All contacts, or those of one segment`. */
export const titleOf = ({ filter, resource: { title } }: Entry): string =>
  filter === undefined
    ? `All ${title}`
    : filter.required
    ? `The ${title} of one ${filter.noun}`
    : `All ${title}, or those of one ${filter.noun}`
