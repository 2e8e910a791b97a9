/** One line for each email, in the order of the input. */
import * as Effect from "effect/Effect"
import * as Refusal from "../import/Refusal.ts"
import * as Format from "../output/Format.ts"
import { OutputError } from "../terminal/Errors.ts"
import { type Output, Stdio } from "../terminal/Stdio.ts"
import type { Batch } from "./Batches.ts"
import type * as SendState from "./SendState.ts"

/** A result as it is printed. */
export type Row = { readonly line: number } & SendState.Result

/** The results of a batch: what was refused here has its place among what the service said. */
export const rowsOf = ({ items }: Batch, results: ReadonlyArray<SendState.Result>): ReadonlyArray<Row> => {
  let index = 0
  return items.flatMap(({ read }): ReadonlyArray<Row> => {
    if (read._tag === "Refused") {
      const { line, reason } = read.refusal
      return [{ line, status: "rejected", reason }]
    }
    const result = read._tag === "Email" ? results[index++] : undefined
    return read._tag === "Email" && result !== undefined ? [{ line: read.line, ...result }] : []
  })
}

/** The emails of a batch that were rejected, as they are written to the file of these. */
export const refusalsOf = (
  { items }: Batch,
  rows: ReadonlyArray<Row>,
  input: Refusal.Input,
  header: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const originals = new Map(items.flatMap(({ read }) =>
    read._tag === "Email"
      ? [[read.line, read.original] as const]
      : read._tag === "Refused"
      ? [[read.refusal.line, read.refusal.original] as const]
      : []
  ))
  return rows.flatMap((row) =>
    row.status === "rejected"
      ? [Refusal.line(input, header, { line: row.line, reason: row.reason, original: originals.get(row.line) ?? "" })]
      : []
  )
}

/** A reader that leaves does not mean that all was sent. */
const write = ({ write }: Output, text: string): Effect.Effect<void, OutputError> =>
  Effect.catchTag(
    write(text),
    "PipeClosed",
    () => new OutputError({ subject: "standard output", description: "was closed before all results were written" })
  )

export interface Printer {
  readonly print: (rows: ReadonlyArray<Row>) => Effect.Effect<void, OutputError>
  /** Ends what was printed. */
  readonly end: Effect.Effect<void, OutputError>
}

export const makePrinter = (format: Format.Format | "id" | undefined): Effect.Effect<Printer, never, Stdio> =>
  Effect.map(Stdio, ({ out }) => {
    if (format === "id") {
      const ids = (rows: ReadonlyArray<Row>) => rows.map((row) => row.status === "accepted" ? `${row.id}\n` : "").join("")
      return { print: (rows) => write(out, ids(rows)), end: Effect.void }
    }
    const formatter = Format.make(format, { known: ["line", "status", "id", "reason"] }, out)
    let [begin, isFirst] = [formatter.begin, true]
    return {
      print: (rows) =>
        Effect.suspend(() => {
          if (rows.length === 0) return Effect.void
          const text = begin + formatter.items(rows, isFirst)
          begin = ""
          isFirst = false
          return write(out, text)
        }),
      end: Effect.suspend(() => write(out, begin + formatter.end))
    }
  })
