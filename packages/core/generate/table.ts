/** The table of lists, with the names of each list in code, and how to write text from it. */
import * as ApiKeyOperations from "@mailstream/core/ApiKeyOperations"
import * as BroadcastOperations from "@mailstream/core/BroadcastOperations"
import * as ContactOperations from "@mailstream/core/ContactOperations"
import * as DomainOperations from "@mailstream/core/DomainOperations"
import * as EmailOperations from "@mailstream/core/EmailOperations"
import type * as Operation from "@mailstream/core/Operation"
import * as ReceivedEmailAttachmentOperations from "@mailstream/core/ReceivedEmailAttachmentOperations"
import * as ReceivedEmailOperations from "@mailstream/core/ReceivedEmailOperations"
import * as Resource from "@mailstream/core/Resource"
import * as SegmentOperations from "@mailstream/core/SegmentOperations"
import * as TemplateOperations from "@mailstream/core/TemplateOperations"
import * as TopicOperations from "@mailstream/core/TopicOperations"
import { Option, SchemaAST, String } from "effect"
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
  /** The module of its operations, as in `ApiKeyOperations`. */
  readonly operations: string
  /** The types of an item and of its id, as in `ApiKey` and `ApiKeyId`. */
  readonly item: string
  readonly id: string
  readonly filter: Filter | undefined
  /** Lists that can do more than list have a hand-written service. */
  readonly isHandWritten: boolean
  /** The same in `client`, for lists that can do more there. */
  readonly hasClient: boolean
  /** The same in `effect4`. */
  readonly hasEffect4: boolean
}

interface Filter {
  /** As in `SegmentFilter`. */
  readonly type: string
  readonly required: boolean
  /** As in `Resource.contactsOfSegment`. */
  readonly scope: string
  /** As in `listOfSegment`. */
  readonly endpoint: string
  readonly noun: string
}

export const root = fileURLToPath(new URL("../../..", import.meta.url))

const nameOf = (schema: { readonly ast: SchemaAST.AST }): string =>
  Option.getOrThrow(SchemaAST.getIdentifierAnnotation(schema.ast))

const filterOf = ({ scope }: AnyResource): Filter | undefined => {
  if (scope === undefined) return undefined
  const noun = String.capitalize(scope.noun)
  const [exported] = Object.entries(Resource).find(([, value]) => value === scope) ?? []
  if (exported === undefined) throw new Error(`The scope of ${scope.owner} must be exported from Resource.ts.`)
  return {
    type: `Resource.${noun}Filter`,
    required: scope.required,
    scope: `Resource.${exported}`,
    endpoint: `listOf${noun}`,
    noun: scope.noun
  }
}

export const entries: ReadonlyArray<Entry> = Resource.all.map((resource) => ({
  resource,
  name: String.uncapitalize(resource.identifier),
  service: resource.identifier,
  operations: `${nameOf(resource.item)}Operations`,
  item: nameOf(resource.item),
  id: nameOf(resource.id),
  filter: filterOf(resource),
  isHandWritten: existsSync(join(root, `packages/http/src/${resource.identifier}.ts`)),
  hasClient: existsSync(join(root, `packages/client/src/${resource.identifier}.ts`)),
  hasEffect4: existsSync(join(root, `packages/effect4/src/${resource.identifier}.ts`))
}))

/** The names of its operations, in the order of the table. */
export const operationsOf = ({ operations }: Entry): ReadonlyArray<Operation.Any> =>
  Object.values(tables[operations]!.operations)

const tables: { readonly [name: string]: { readonly operations: Operation.Table } } = {
  ApiKeyOperations,
  BroadcastOperations,
  ContactOperations,
  DomainOperations,
  EmailOperations,
  ReceivedEmailAttachmentOperations,
  ReceivedEmailOperations,
  SegmentOperations,
  TemplateOperations,
  TopicOperations
}

export const mark = "Generated from the table of lists by `npm run generate`"

export const sorted = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...names].sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1)

export const lines = (...parts: ReadonlyArray<string | ReadonlyArray<string>>): string => `${parts.flat().join("\n")}\n`

/** The id that the filter of a list holds: `SegmentId`. */
export const paramOf = ({ scope }: AnyResource): string => {
  const ast = scope?.params.ast
  const [field] = ast !== undefined && SchemaAST.isTypeLiteral(ast) ? ast.propertySignatures : []
  return field === undefined ? "string" : nameOf({ ast: field.type })
}

export const exampleFilter = ({ resource }: Entry): string =>
  `{ ${resource.scope?.field}: ${paramOf(resource)}.make("…") }`

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
