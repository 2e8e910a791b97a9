import * as Core from "@mailstream/core"
import { type Operation, Resource } from "@mailstream/core"
import { SchemaAST } from "effect"

interface Modules {
  readonly [name: string]: { readonly operations?: Operation.Table } | undefined
}

/** The operations on the items of a list. */
const operationsOf = ({ item }: (typeof Resource.all)[number]): Operation.Table =>
  (Core as unknown as Modules)[`${item.ast.annotations[SchemaAST.IdentifierAnnotationId]}Operations`]?.operations ?? {}

/** The lists, with the operations on their items: `{ resource: Resource.contacts, operations: ContactOperations.operations }`. */
export const lists = Resource.all.map((resource) => ({ resource, operations: operationsOf(resource) }))

/** Every operation, with the name of its service: `{ service: "Contacts", name: "get", operation }`. */
export const operations = lists.flatMap(({ operations, resource }) =>
  Object.entries(operations).map(([name, operation]) => ({
    service: resource.identifier as string,
    group: resource.name as string,
    name,
    operation
  }))
)

/** A response that can be the one to this input: a batch has one result for each of its emails. */
export const responseTo = ({ fits }: Operation.Any, input: unknown, response: unknown): unknown =>
  fits === undefined || !Array.isArray(input) || !Array.isArray(response)
    ? response
    : input.map((_, index): unknown => response[index] ?? { _tag: "Accepted", id: `e-${index}` })
