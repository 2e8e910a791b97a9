/**
 * `mailstream sync`, with `status`, `purge` and `prune`: a copy of the lists in a database.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Connection from "../api/Connection.ts"
import * as Copy from "../mirror/Copy.ts"
import * as Pass from "../mirror/Pass.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import type { Page } from "../usage/Page.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const options = {
  ...Copy.options,
  ...Pass.options,
  every: OptionParser.optional(
    OptionParser.option("every", "TIME", OptionParser.durationFrom("1 second", "a second")),
    "Keep the copy current until Ctrl+C: a pass at this interval, such as 1h, and new items in between."
  ),
  full: Options.boolean("full").pipe(
    Options.withDescription("Compare every row, to repair those that other programs have edited.")
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Write nothing: only count what would change.")),
  format: ItemWriter.format
}

interface Given extends Documented.Given<typeof options> {}

/**
 * @since 1.0.0
 * @category commands
 */
export const command = (page: Page): Documented.Documented<Documented.Requirements, Failure, Given> =>
  Documented.make(page, {
    options,
    values: { ...Copy.values, ...Pass.values },
    run: (given) =>
      Effect.gen(function*() {
        const { dryRun, every } = given
        if (dryRun && every !== undefined) return yield* UsageError.fail("--dry-run cannot be combined with --every.")
        const copy = yield* Copy.fromOptions(given)
        const Sync = yield* Effect.promise(() => import("../mirror/Sync.ts"))
        const lists = yield* Pass.lists(given)
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
