/**
 * Makes passes over lists, and writes what they did.
 *
 * @since 1.0.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Mailstream from "@mailstream/http/Mailstream"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { Mirror } from "@mailstream/mirror"
import * as Progress from "@mailstream/stream/Progress"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Retry from "../api/Retry.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Table from "../output/Table.ts"
import * as Live from "../terminal/Live.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import { Reported } from "../terminal/Reported.ts"
import { type PipeClosed, Stdio, type Target } from "../terminal/Stdio.ts"
import type { Copy } from "./Copy.ts"
import * as Database from "./Database.ts"
import * as Failures from "./Failures.ts"
import * as Passing from "./Passing.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  readonly every: Duration.Duration | undefined
  readonly full: boolean
  readonly dryRun: boolean
  readonly lanes: number | undefined
  readonly maxDeleted: number | undefined
  readonly retry: RetryPolicy.RetryPolicy | undefined
  readonly format: Format.Format | undefined
}

/**
 * Makes a pass over every list, once or until it is interrupted.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = (
  copy: Copy,
  lists: ReadonlyArray<Mirror.Name>,
  options: Options
): Effect.Effect<
  void,
  Database.OpenError | PipeClosed | OutputError | Reported,
  Mailstream.Mailstream | Stdio | FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const format = options.format ?? Format.fallback(out)
    const formatter = format === "table" ? table(lists, out) : Format.make(format, { known: fields }, out)
    yield* options.every === undefined
      ? once(lists, options, formatter)
      : always(lists, options, options.every, formatter)
  }).pipe(
    Effect.catchTag("InvalidOption", (error) => Effect.fail(Database.usage(error))),
    Effect.provide(options.dryRun ? Database.orEmpty(copy) : Database.created(copy))
  )

interface Row extends Mirror.Counts {
  readonly list: Mirror.Name
}

const fields: ReadonlyArray<keyof Row> = ["list", "created", "updated", "deleted", "unchanged"]

/** Rows come one by one, so that the names of all lists decide the layout, and numbers have room to grow. */
const table = (lists: ReadonlyArray<Mirror.Name>, target: Target): Format.Formatter => {
  const count = 999_999_999
  const widest = lists.map((list): Row => ({ list, created: count, updated: count, deleted: count, unchanged: count }))
  const layout = Table.layout(fields, widest, target.isTerminal ? target.columns : undefined)
  return {
    begin: Format.headerOf(layout, target),
    items: (rows) => rows.map(Table.row(layout)).join(""),
    end: "",
    hidden: () => layout.hidden
  }
}

const once = (lists: ReadonlyArray<Mirror.Name>, options: Options, formatter: Format.Formatter) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const mirror = yield* Mirror.Mirror
    const failures = yield* Failures.make
    let isReached = false
    let hasFailed = false
    const pass = (list: Mirror.Name) =>
      Effect.gen(function*() {
        const progress = yield* Progress.make
        const [report] = yield* mirror.syncEither({
          lists: [list],
          lanes: options.lanes,
          maxDeleted: options.maxDeleted,
          full: options.full,
          dryRun: options.dryRun,
          retry: options.retry ??
            (isReached ? RetryPolicy.default : Retry.reached(progress)(RetryPolicy.default)),
          progress: () => progress
        }).pipe(Live.show({ name: list, progress }))
        if (report === undefined) return Option.none()
        if (Either.isLeft(report.result)) {
          hasFailed = true
          yield* failures.add(list, report.result.left)
          return Option.none()
        }
        isReached = true
        yield* failures.flush
        return Option.some<Row>({ list, ...report.result.right })
      })
    const rows = Stream.filterMap(Stream.mapEffect(Stream.fromIterable(lists), pass), (row) => row)
    yield* Effect.ensuring(ItemWriter.run(rows, formatter, out.write), failures.flush)
    if (hasFailed) return yield* new Reported()
  })

const always = (
  lists: ReadonlyArray<Mirror.Name>,
  options: Options,
  every: Duration.Duration,
  formatter: Format.Formatter
) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const mirror = yield* Mirror.Mirror
    const failures = yield* Failures.make
    const passing = yield* Passing.make(lists, `a pass every ${Live.interval(every)}, new items in between`)
    const broken = yield* Deferred.make<never, PipeClosed | OutputError>()
    let isFirst = true
    let isReached = false
    const write = (row: Row) => {
      const text = (isFirst ? formatter.begin : "") + formatter.items([row], isFirst)
      isFirst = false
      return out.write(text)
    }
    const report = ({ list, result }: Mirror.Report) =>
      Effect.gen(function*() {
        isReached = isReached || (yield* passing.hasResponded)
        if (Either.isLeft(result)) yield* failures.add(list, result.left)
        else {
          yield* failures.flush
          yield* write({ list, ...result.right })
        }
        // What failed in the last list of a pass is not followed by another list.
        if (list === lists.at(-1)) yield* failures.flush
      })
    const hasResponded = Effect.suspend(() => isReached ? Effect.succeed(true) : passing.hasResponded)
    const passes = mirror.run({
      lists,
      every,
      lanes: options.lanes,
      maxDeleted: options.maxDeleted,
      retry: options.retry ?? Retry.once(hasResponded)(RetryPolicy.default),
      progress: passing.progress,
      onReport: (given) =>
        passing.done(given.list, report(given)).pipe(
          Effect.catchAllCause((cause) => Deferred.failCause(broken, cause))
        )
    })
    return yield* Effect.raceFirst(passes, Deferred.await(broken))
  }).pipe(Effect.scoped)
