/**
 * Makes passes over lists, and writes what they did.
 *
 * @since 0.1.0
 */
import type * as ValidationError from "@effect/cli/ValidationError"
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
import * as Text from "../terminal/Text.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Copy } from "./Copy.ts"
import * as Database from "./Database.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly every: Duration.Duration | undefined
  readonly dryRun: boolean
  readonly lanes: number | undefined
  readonly maxDeleted: number | undefined
  readonly format: Option.Option<Format.Format>
}

/**
 * The lists of the names that the user gave.
 *
 * @since 0.1.0
 * @category getters
 */
export const chosen = (
  lists: ReadonlyArray<string> | undefined
): Effect.Effect<ReadonlyArray<Mirror.Name>, ValidationError.ValidationError> => {
  const unknown = lists?.filter((list) => !Mirror.names.some((name) => name === list)) ?? []
  return unknown.length === 0
    ? Effect.succeed(Mirror.names.filter((name) => lists === undefined || lists.includes(name)))
    : UsageError.fail(
      `--lists must not name ${unknown.map((list) => `'${list}'`).join(", ")}: the lists are ${
        Mirror.names.join(", ")
      }.`
    )
}

/**
 * Makes a pass over every list, once or until it is interrupted.
 *
 * @since 0.1.0
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
    const format = Option.getOrElse(options.format, () => Format.fallback(out))
    const formatter = format === "table" ? table(lists, out) : Format.make(format, fields, out)
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
  const header = Table.header(layout)
  return {
    begin: target.hasColors ? `${Text.bold(header.trimEnd())}\n` : header,
    items: (rows) => rows.map((row) => Table.row(layout, row)).join(""),
    end: ""
  }
}

/** The row of a list; none if it failed, which is said. */
const rowOf = ({ list, result }: Mirror.Report): Effect.Effect<Option.Option<Row>, never, Stdio> =>
  Either.match(result, {
    onLeft: (error) => Effect.flatMap(Stdio, ({ say }) => Effect.as(say(problem(list, error)), Option.none())),
    onRight: (counts) => Effect.succeed(Option.some({ list, ...counts }))
  })

/** Why a list was not copied, and what to do. */
const problem = (list: Mirror.Name, error: Mirror.SyncError): string => {
  const line = (message: string) => Text.ofError({ _tag: error._tag, message: `${list}: ${message}` })
  switch (error._tag) {
    case "TooManyDeletions":
      return line(
        `the service no longer lists ${Live.count(error.missing)} of ${Live.count(error.known)} items in the copy, ` +
          `which is more than the allowed share of ${error.maxDeleted}. Nothing was marked as deleted. Check the API key; ` +
          "if the items really are gone, raise --max-deleted, up to 1."
      )
    case "OtherService":
      return line(
        `the copy of account "${error.account}" was made from ${error.stored}, not from ${error.current}. ` +
          "Choose another --account, or another database."
      )
    case "SqlError":
      return line(Database.reasonOf(error))
    default:
      return line(error.message)
  }
}

const once = (lists: ReadonlyArray<Mirror.Name>, options: Options, formatter: Format.Formatter) =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    let isReached = false
    let hasFailed = false
    const pass = (list: Mirror.Name) =>
      Effect.gen(function*() {
        const progress = yield* Progress.make
        const [report] = yield* Mirror.sync({
          lists: [list],
          lanes: options.lanes,
          maxDeleted: options.maxDeleted,
          dryRun: options.dryRun,
          retry: isReached ? RetryPolicy.default : Retry.reached(progress)(RetryPolicy.default),
          progress: () => progress
        }).pipe(Live.show({ name: list, progress }))
        if (report === undefined) return Option.none()
        const row = yield* rowOf(report)
        if (Option.isSome(row)) isReached = true
        else hasFailed = true
        return row
      })
    const rows = Stream.filterMap(Stream.mapEffect(Stream.fromIterable(lists), pass), (row) => row)
    yield* ItemWriter.run(rows, formatter, out.write)
    if (hasFailed) return yield* new Reported()
  })

const always = (
  lists: ReadonlyArray<Mirror.Name>,
  options: Options,
  every: Duration.Duration,
  formatter: Format.Formatter
) =>
  Effect.gen(function*() {
    const stdio = yield* Stdio
    const progress = yield* Progress.make
    const broken = yield* Deferred.make<never, PipeClosed | OutputError>()
    let isFirst = true
    const write = (row: Row) => {
      const text = (isFirst ? formatter.begin : "") + formatter.items([row], isFirst)
      isFirst = false
      return stdio.out.write(text)
    }
    const passes = Mirror.run({
      lists,
      every,
      lanes: options.lanes,
      maxDeleted: options.maxDeleted,
      retry: Retry.reached(progress)(RetryPolicy.default),
      progress: () => progress,
      onReport: (report) =>
        rowOf(report).pipe(
          Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: write })),
          Effect.catchAllCause((cause) => Deferred.failCause(broken, cause)),
          Effect.provideService(Stdio, stdio)
        )
    })
    return yield* Effect.raceFirst(passes, Deferred.await(broken))
  })
