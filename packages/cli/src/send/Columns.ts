/** Which field of an email a column of CSV stands for. */
import { descriptions, operations } from "@mailstream/core/EmailOperations"
import * as Either from "effect/Either"
import { own } from "../import/Columns.ts"
import * as Fields from "../operations/Fields.ts"
import * as Flags from "../operations/Flags.ts"
import type { UsageError } from "../usage/UsageError.ts"
import type * as Row from "./Row.ts"

/** What becomes of a cell. */
export type Column =
  | {
    readonly _tag: "Field"
    readonly name: string
    readonly read: (cell: string) => Either.Either<unknown, UsageError>
  }
  | { readonly _tag: "Variable"; readonly key: string }
  | { readonly _tag: "Ignored" }

/** The fields that a column can stand for: attachments are not sent in a batch. */
const fields = Fields.bodyOf(operations.send.payload!, descriptions).fields.filter(({ name }) => name !== "attachments")

export const names: ReadonlyArray<string> = fields.map(({ name }) => name)

const plain = (name: string): string => name.normalize("NFKC").toLowerCase().replace(/[\s_-]/g, "")

/** A cell is what the option of the field takes. Several values are separated by semicolons, or a JSON array. */
const columnOf = (name: string): Column | undefined => {
  const [, key] = /^(?:template\.)?variables\.(.+)$/.exec(name) ?? []
  if (key !== undefined) return { _tag: "Variable", key }
  if (name === "" || name === own.line || name === own.reason) return { _tag: "Ignored" }
  const field = fields.find((field) => plain(field.name) === plain(name))
  if (field === undefined) return undefined
  const { read, readAll } = Flags.flagOf(field)
  const label = `\`${name}\``
  return {
    _tag: "Field",
    name: field.name,
    read: (cell) =>
      readAll === undefined || cell.startsWith("[")
        ? read(cell, label)
        : readAll(cell.split(";").map((part) => part.trim()).filter((part) => part !== ""), label)
  }
}

const listed = (names: ReadonlyArray<string>): string => names.map((name) => `'${name}'`).join(", ")

/** What the columns of a header stand for. Left says what is wrong with them. */
export const assign = (
  header: ReadonlyArray<string>,
  { ignoreOtherColumns }: { readonly ignoreOtherColumns: boolean }
): Either.Either<ReadonlyArray<Column>, string> => {
  const found = header.map(columnOf)
  const unknown = header.filter((_, index) => found[index] === undefined)
  if (unknown.length > 0 && !ignoreOtherColumns) {
    return Either.left(
      `${listed(unknown)}: no field of an email has this name. Columns can be ${
        names.join(", ")
      }, or variables.NAME for a ` +
        "variable of the template. Rename the column, or add --ignore-other-columns"
    )
  }
  const columns = found.map((column): Column => column ?? { _tag: "Ignored" })
  const keys = columns.map((column) =>
    column._tag === "Field" ? column.name : column._tag === "Variable" ? `variables.${column.key}` : undefined
  )
  const twice = keys.find((key, index) => key !== undefined && keys.indexOf(key) !== index)
  return twice === undefined
    ? Either.right(columns)
    : Either.left(
      `${listed(header.filter((_, index) => keys[index] === twice))} are all ${twice}; leave all but one out`
    )
}

/** The fields of a record. An empty cell is absent. */
export const fieldsOf = (
  columns: ReadonlyArray<Column>,
  cells: ReadonlyArray<string>
): Either.Either<Row.Given, string> => {
  const found: Record<string, unknown> = {}
  const variables: Array<readonly [string, string]> = []
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]?.trim() ?? ""
    if (cell === "" || column._tag === "Ignored") continue
    if (column._tag === "Variable") {
      variables.push([column.key, cell])
      continue
    }
    const value = column.read(cell)
    if (Either.isLeft(value)) return Either.left(value.left.message)
    found[column.name] = value.right
  }
  return Either.right({ fields: found, variables: Object.fromEntries(variables) })
}
