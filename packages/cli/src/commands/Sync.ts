/**
 * `mailstream sync`, with `status`, `purge` and `prune`: a copy of the lists in a database.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Copy from "../mirror/Copy.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import type { Page } from "../usage/Page.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Values from "../usage/Values.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const optional = <A>(option: Options.Options<A>, description: string) =>
  option.pipe(Options.withDescription(description), Options.optional, Options.map(Option.getOrUndefined))

const interval = (text: string): Either.Either<Duration.Duration, string> =>
  Either.filterOrLeft(
    OptionParser.duration(text),
    Duration.greaterThanOrEqualTo("1 second"),
    () => "must be a time of a second or more, such as 1m or 1h"
  )

const options = {
  ...Copy.options,
  lists: optional(
    Options.withPseudoName(Options.text("lists"), "LISTS"),
    "The lists to copy, separated by commas, such as contacts,topics. Default: all."
  ),
  every: optional(
    OptionParser.option("every", "TIME", interval),
    "Keep the copy current until Ctrl+C: a pass at this interval, such as 1h, and new items in between."
  ),
  full: Options.boolean("full").pipe(
    Options.withDescription("Compare every row, to repair those that other programs have edited.")
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Write nothing: only count what would change.")),
  lanes: optional(
    OptionParser.option("lanes", "N", OptionParser.integer(1, 100)),
    "Parts of a long list to walk at once, from 1 to 100. Default: 1."
  ),
  maxDeleted: optional(
    OptionParser.option("max-deleted", "SHARE", OptionParser.share),
    "Share of a list that one pass may mark as deleted, from 0 to 1. Default: 0.5."
  ),
  retry: Retry.option,
  format: ItemWriter.format,
  baseUrl: Connection.baseUrl
}

interface Given extends Documented.Given<typeof options> {}

/**
 * @since 1.0.0
 * @category commands
 */
export const command = (page: Page): Documented.Documented<Documented.Requirements, Failure, Given> =>
  Documented.make(page, {
    options,
    values: { ...Copy.values, lists: Values.several(Copy.lists), retry: Retry.values },
    run: (given) =>
      Effect.gen(function*() {
        const { dryRun, every } = given
        if (dryRun && every !== undefined) return yield* UsageError.fail("--dry-run cannot be combined with --every.")
        const copy = yield* Copy.fromOptions(given)
        const Sync = yield* Effect.promise(() => import("../mirror/Sync.ts"))
        const lists = yield* Sync.chosen(given.lists?.split(",").map((name) => name.trim()))
        yield* Sync.run(copy, lists, given).pipe(
          every === undefined ? identity : endless,
          Effect.provide(Connection.layer(given.baseUrl))
        )
      })
  })

const statusOptions = { ...Copy.options, format: ItemWriter.format }

/**
 * @since 1.0.0
 * @category commands
 */
export const status = (
  page: Page
): Documented.Documented<Documented.Requirements, Failure, Documented.Given<typeof statusOptions>> =>
  Documented.make(page, {
    options: statusOptions,
    values: Copy.values,
    run: (given) =>
      Effect.gen(function*() {
        const copy = yield* Copy.fromOptions(given)
        const Status = yield* Effect.promise(() => import("../mirror/Status.ts"))
        yield* Status.status(copy, given.format)
      })
  })

const dropOptions = {
  ...Copy.options,
  olderThan: OptionParser.option("older-than", "TIME", OptionParser.duration).pipe(
    Options.withDescription("Required. How old it must be, such as 12h or 30d.")
  ),
  format: ItemWriter.format
}

/**
 * `purge` drops items, `prune` changes.
 *
 * @since 1.0.0
 * @category commands
 */
export const drop = (
  page: Page,
  what: "purge" | "prune"
): Documented.Documented<Documented.Requirements, Failure, Documented.Given<typeof dropOptions>> =>
  Documented.make(page, {
    options: dropOptions,
    values: Copy.values,
    run: (given) =>
      Effect.gen(function*() {
        const copy = yield* Copy.fromOptions(given)
        const Status = yield* Effect.promise(() => import("../mirror/Status.ts"))
        yield* Status[what](copy, given.olderThan, given.format)
      })
  })
