/** Makes passes over lists, and writes what they did. */
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Waiting from "@mailstream/kernel/Waiting"
import { Mirror } from "@mailstream/mirror"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as Table from "../output/Table.ts"
import { type OutputError, type PipeClosed, Reported } from "../terminal/Errors.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio, type Target } from "../terminal/Stdio.ts"
import type { Given } from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"
import * as Passing from "./Passing.ts"

type Options = Given<typeof Flags.sync>

/** Makes a pass over every list, once or until it is interrupted. */
export const run = (options: Options): Running =>
  Effect.gen(function*() {
    const { dryRun, every, lists } = options
    if (dryRun && every !== undefined) return yield* UsageError.fail("--dry-run cannot be combined with --every")
    const copy = yield* Flags.copyOf(options)
    const { out } = yield* Stdio
    const format = options.format ?? Format.fallback(out)
    const formatter = format === "table" ? table(lists, out) : Format.make(format, { known: fields }, out)
    yield* passes(options, formatter).pipe(
      Effect.provide(dryRun ? Database.orEmpty(copy) : Database.created(copy)),
      Effect.provide(Connection.layer(options))
    )
  })

interface Row extends Mirror.Counts {
  readonly list: Mirror.Name
}

const fields: ReadonlyArray<keyof Row> = ["list", "created", "updated", "deleted", "unchanged"]

/** Rows come one by one, so that the names of all lists decide the layout, and numbers have room to grow. */
const table = (lists: ReadonlyArray<Mirror.Name>, target: Target): Format.Formatter => {
  const count = 999_999_999
  const widest = lists.map((list): Row => ({ list, created: count, updated: count, deleted: count, unchanged: count }))
  const window = target.isTerminal ? target.columns : Infinity
  const layout = Table.layout(fields, widest, { window })
  if (layout.hidden.length > 0) return Format.vertical(fields, window)
  return {
    begin: Format.headerOf(layout, target),
    items: (rows) => rows.map(Table.row(layout)).join(""),
    end: ""
  }
}

const passes = (options: Options, formatter: Format.Formatter) =>
  Effect.gen(function*() {
    const { dryRun, every, full, lanes, lists, maxDeleted } = options
    const { out } = yield* Stdio
    const mirror = yield* Mirror.Mirror
    const noted = Retry.noting()
    const passing = yield* Passing.make(every, noted.reason)
    let isReached = false
    let hasFailed = false
    let rows = 0
    const begin = () => rows === 0 ? formatter.begin : ""
    const write = (row: Row) => {
      const text = begin() + formatter.items([row], rows === 0)
      rows++
      return out.write(text)
    }
    const report = ({ list, result }: Mirror.Report) =>
      Effect.gen(function*() {
        isReached = isReached || (yield* passing.hasResponded)
        hasFailed = hasFailed || Either.isLeft(result)
        if (Either.isLeft(result)) yield* passing.failed(list, result.left)
        else yield* Effect.zipRight(passing.flush, write({ list, ...result.right }))
        // What failed in the last list of a pass is not followed by another list.
        if (list === lists.at(-1)) yield* passing.flush
      }).pipe(passing.done)
    const hasResponded = Effect.suspend(() => isReached ? Effect.succeed(true) : passing.hasResponded)
    const retry = noted.by(options.retry ?? Retry.once(hasResponded)(RetryPolicy.default))
    const { progress } = passing
    if (every === undefined) {
      for (const list of lists) {
        progress(list)
        const reports = yield* mirror.syncEither({ lists: [list], lanes, maxDeleted, full, dryRun, retry, progress })
        yield* Effect.forEach(reports, report)
      }
      yield* out.write(begin() + formatter.end)
      return hasFailed ? yield* new Reported() : undefined
    }
    const broken = yield* Deferred.make<never, PipeClosed | OutputError>()
    const onReport = (given: Mirror.Report) =>
      Effect.catchAllCause(report(given), (cause) => Deferred.failCause(broken, cause))
    return yield* Waiting.raceFirst(
      mirror.run({ lists, every, lanes, maxDeleted, retry, progress, onReport }),
      Deferred.await(broken)
    )
  }).pipe(Effect.scoped)
