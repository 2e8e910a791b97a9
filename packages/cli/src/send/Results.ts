/** One line for each email, in the order of the input. */
import type { LockError } from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import type { Prefix } from "../import/Pipeline.ts"
import * as Refusal from "../import/Refusal.ts"
import type { RefusedFile } from "../import/RefusedFile.ts"
import * as Format from "../output/Format.ts"
import { OutputError } from "../terminal/Errors.ts"
import { type Output, Stdio } from "../terminal/Stdio.ts"
import type { Outcome } from "./Attempt.ts"
import type { Batch } from "./Batches.ts"
import type { Ledger } from "./Ledger.ts"
import * as SendState from "./SendState.ts"

/** A result as it is printed. */
type Row = { readonly line: number } & SendState.Result

/** A result, and what it is about. */
interface Entry {
  readonly row: Row
  readonly original: Refusal.Original
}

/** The results of a batch: what was refused here has its place among what the service said. */
const entriesOf = ({ items }: Batch, results: ReadonlyArray<SendState.Result>): ReadonlyArray<Entry> => {
  let index = 0
  return items.flatMap(({ read }): ReadonlyArray<Entry> => {
    if (read._tag === "Refused") {
      const { line, original, reason } = read.refusal
      return [{ row: { line, status: "rejected", reason }, original }]
    }
    const result = read._tag === "Email" ? results[index++] : undefined
    return read._tag === "Email" && result !== undefined
      ? [{ row: { line: read.line, ...result }, original: read.original }]
      : []
  })
}

const counted = (entries: ReadonlyArray<Entry>, status: SendState.Result["status"]): number =>
  entries.filter(({ row }) => row.status === status).length

/** What is done, with these results. */
const adding = (entries: ReadonlyArray<Entry>) => (done: SendState.Done): SendState.Done => ({
  ...done,
  accepted: done.accepted + counted(entries, "accepted"),
  unknown: done.unknown + counted(entries, "unknown"),
  refusals: done.refusals + counted(entries, "rejected")
})

export type Commit = (
  outcome: Extract<Outcome, { readonly _tag: "Settled" }>
) => Effect.Effect<void, OutputError | LockError>

/** Prints what became of a batch, writes what was rejected, and stores that the batch is done. */
export const committing = ({ file, header, input, ledger, prefix, printer }: {
  readonly ledger: Ledger
  readonly printer: Printer
  readonly file: RefusedFile
  readonly prefix: Prefix
  readonly input: Refusal.Input
  readonly header: () => ReadonlyArray<string>
}): Commit =>
({ batch, results }) =>
  Effect.gen(function*() {
    const entries = entriesOf(batch, results)
    yield* printer.print(entries.map(({ row }) => row))
    const refusals = entries.flatMap(({ original, row }) =>
      row.status === "rejected"
        ? [Refusal.line(input, header(), { line: row.line, reason: row.reason, original })]
        : []
    )
    let { refusedBytes } = ledger.done()
    if (refusals.length > 0) {
      const begin = refusedBytes === 0 ? Refusal.begin(input, header()) : ""
      refusedBytes = yield* file.append(begin + refusals.join(""))
    }
    for (const { record } of batch.items) prefix.add(record)
    ledger.update((done) => ({
      ...adding(entries)(SendState.withdraw(done, batch.number)),
      refusedBytes,
      records: prefix.records(),
      bytes: prefix.bytes(),
      hash: prefix.digest(),
      batches: batch.number + 1
    }))
    yield* ledger.save
  })

export type Tell = (outcome: Outcome) => Effect.Effect<void, OutputError>

/** Prints what became of a batch after one that has stopped the work, or that it may have been sent. */
export const telling =
  ({ ledger, printer }: { readonly ledger: Ledger; readonly printer: Printer }): Tell => (outcome) =>
    Effect.suspend(() => {
      if (outcome._tag === "Stopped" && !outcome.isUnknown) return Effect.void
      const { batch } = outcome
      const results = outcome._tag === "Settled"
        ? outcome.results
        : batch.items.map((): SendState.Result => ({ status: "unknown" }))
      const entries = entriesOf(batch, results)
      ledger.update(adding(entries))
      return printer.print(entries.map(({ row }) => row))
    })

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

const idsOf = (rows: ReadonlyArray<Row>): string =>
  rows.map((row) => row.status === "accepted" ? `${row.id}\n` : "").join("")

export const makePrinter = (format: Format.Format | "id" | undefined): Effect.Effect<Printer, never, Stdio> =>
  Effect.map(Stdio, ({ out }) => {
    if (format === "id") return { print: (rows) => write(out, idsOf(rows)), end: Effect.void }
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
