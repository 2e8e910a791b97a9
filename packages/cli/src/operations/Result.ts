/** Prints what an operation returned. */
import type * as Operation from "@mailstream/core/Operation"
import * as Operations from "@mailstream/core/Operations"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as AST from "effect/SchemaAST"
import * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { type Output, Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import * as Fields from "./Fields.ts"
import * as Flags from "./Flags.ts"

/** `--format`, with the id alone for scripts. */
export const format: Flag.Flag<Format.Format | "id" | undefined> = Flag.optional(
  Value.choice([...Format.all, "id"]),
  "Output format; id is the id alone, for scripts. Default: table on a terminal, otherwise ndjson."
)

/** A secret that is shown once must not get lost. */
export const checkFormat = (operation: Operation.Any, format: Format.Format | "id" | undefined) => {
  const [secret] = operation.repetition === "read" ? [] : Fields.secretsOf([operation])
  return secret === undefined || format !== "id"
    ? Effect.void
    : UsageError.fail(
      `--format id would leave out the ${secret}, which only this command shows`,
      "Use --format ndjson."
    )
}

interface Row {
  readonly [field: string]: unknown
}

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null

/** The objects in a response: it is one, or it holds several as `data`. */
const rowsOf = (result: unknown): ReadonlyArray<Row> => {
  const row = isRow(result) ? result : {}
  return Object.keys(row).every((field) => field === "data" || field === "object") && Array.isArray(row["data"])
    ? row["data"].filter(isRow)
    : [row]
}

/** The fields of such an object, in order. */
const fieldsOf = ({ success }: Operation.Any): ReadonlyArray<string> => {
  const data = AST.getPropertySignatures(success.ast).find(({ name }) => name === "data")?.type
  const [element] = data !== undefined && AST.isTupleType(data) ? data.rest : []
  return Format.fieldsOf(element === undefined ? success : { ast: element.type })
}

/** Secrets are shown once: by the command that makes them, whose response promises them. Others leave them out. */
const shown = (secrets: ReadonlyArray<string>) => (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([field]) => !secrets.includes(field)).map(([field, value]) => [
      field,
      Redacted.isRedacted(value) ? Redacted.value(value) : value
    ])
  )

/** What an object is known by; a membership and a removal may name it in another way, or not at all. */
const idOf = (row: Row, args: ReadonlyArray<unknown>): string =>
  [row["id"], row["contact"], row["contact_id"], ...args.map(Flags.textOf)].find((id) =>
    typeof id === "string" && id !== ""
  )
    ?.toString() ?? ""

/** On a terminal, one object is a line for each of its fields. A secret is never cut. */
const formatterOf = (
  operation: Operation.Any,
  { format, hasSecret, out }: {
    readonly format: Format.Format | undefined
    readonly hasSecret: boolean
    readonly out: Output
  }
): Format.Formatter => {
  const known = fieldsOf(operation)
  const isTable = (format ?? Format.fallback(out)) === "table"
  if (isTable && hasSecret) return Format.vertical(Format.idFirst(known), Infinity)
  if (isTable && out.isTerminal && operation.method === "GET") {
    return Format.vertical(Format.idFirst(known), out.columns)
  }
  return Format.make(format, { known }, out)
}

/** Writes the result to standard output. */
export const print = (
  operation: Operation.Any,
  { args, format, list, result }: {
    readonly list: string
    readonly args: ReadonlyArray<unknown>
    readonly result: unknown
    readonly format: Format.Format | "id" | undefined
  }
) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const rows = rowsOf(result)
    if (format === "id") {
      return yield* out.write(rows.map((row) => `${Text.printable(idOf(row, args))}\n`).join(""))
    }
    const hasSecret = operation.repetition !== "read" &&
      rows.some((row) => Object.values(row).some(Redacted.isRedacted))
    const hidden = hasSecret ? [] : Fields.secretsOf(Object.values(Operations.all[list] ?? {}))
    const formatter = formatterOf(operation, { format, hasSecret, out })
    yield* ItemWriter.run(Stream.fromIterable(rows.map(shown(hidden))), formatter, out.write)
    yield* ItemWriter.tellHidden(formatter, "--format json")
  })
