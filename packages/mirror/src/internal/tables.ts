/** The tables of the copy, derived from the table of lists. */
import type * as Resource from "@mailstream/core/Resource"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { type Name, names } from "../Lists.ts"

export type ColumnType = "text" | "boolean" | "number" | "timestamp" | "json"

export interface Column {
  /** The name on the wire. */
  readonly name: string
  readonly type: ColumnType
}

const isName = (name: string): name is Name => names.some((known) => known === name)

/** The copy of one list. */
export interface Table {
  readonly name: Name
  /** The table in the database: `api_keys`. */
  readonly table: string
  /** What one row is, in sentences. */
  readonly title: string
  /** The column of the id. */
  readonly id: string
  /** The column of the owner's id, if the list is only read within an owner: `email_id`. */
  readonly owner: Owner | undefined
  /** The columns besides those that every table has. */
  readonly columns: ReadonlyArray<Column>
}

/** The copy of a list that is read within its owners. */
export interface OwnedTable extends Table {
  readonly owner: Owner
}

export interface Owner {
  readonly column: string
  /** The table that the owners are rows of. */
  readonly table: string
}

const identifier = (name: string): string => name.replaceAll("-", "_")

const withoutNull = (ast: AST.AST): AST.AST => {
  if (!AST.isUnion(ast)) return ast
  const types = ast.types.filter((type) =>
    !(AST.isLiteral(type) && type.literal === null) && !AST.isUndefinedKeyword(type)
  )
  return types.length === 1 ? types[0]! : ast
}

const typeOf = (ast: AST.AST): ColumnType => {
  const type = withoutNull(ast)
  if (Option.contains(AST.getIdentifierAnnotation(type), "Timestamp")) return "timestamp"
  if (AST.isRefinement(type)) return typeOf(type.from)
  if (AST.isBooleanKeyword(type)) return "boolean"
  if (AST.isNumberKeyword(type)) return "number"
  return AST.isStringKeyword(type) || AST.isLiteral(type) || AST.isTemplateLiteral(type) ? "text" : "json"
}

/** The names of the columns that every table has, which a field cannot take. */
const own: ReadonlySet<string> = new Set([
  "account",
  "json",
  "ordinal",
  "last_change",
  "first_seen_at",
  "changed_at",
  "deleted_at"
])

const columnsOf = (ast: AST.AST, taken: ReadonlyArray<string>): ReadonlyArray<Column> =>
  AST.getPropertySignatures(ast)
    .map(({ name, type }) => ({ name: String(name), type: typeOf(type) }))
    .filter(({ name }) => !own.has(name) && !taken.includes(name))

/** The table of a list; `undefined` for a list that is only read within an owner. */
export const ofList = <Item extends { readonly id: string }, Encoded, Filter>(
  { item, name, scope, title }: Resource.Any<Item, Encoded, Filter>
): Table | undefined =>
  scope?.required === true || !isName(name) ? undefined : {
    name,
    table: identifier(name),
    title,
    id: "id",
    owner: undefined,
    columns: columnsOf(item.ast, ["id"])
  }

/**
 * The table of a list within its owners. If the items have a table of their own, it only holds which of them belong to
 * which owner.
 */
export const ofOwners = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>
): OwnedTable | undefined => {
  const { scope } = resource
  if (scope === undefined) return undefined
  const name = scope.required ? resource.name : `${scope.noun}-${resource.name}`
  if (!isName(name)) return undefined
  const own = { name, table: identifier(name), owner: { column: scope.field, table: identifier(scope.owner) } }
  return scope.required
    ? { ...own, title: resource.title, id: "id", columns: columnsOf(resource.item.ast, ["id", scope.field]) }
    : {
      ...own,
      title: `${resource.title} of ${scope.owner}`,
      id: `${resource.name.replace(/s$/, "")}_id`,
      columns: []
    }
}
