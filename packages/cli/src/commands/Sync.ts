/**
 * `mailstream sync`, with `status`, `purge` and `prune`: a copy of the lists in a database.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Connection from "../api/Connection.ts"
import * as Copy from "../mirror/Copy.ts"
import * as Pass from "../mirror/Pass.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import type { Action } from "./Action.ts"

const flags = {
  ...Copy.flags,
  ...Pass.flags,
  every: Flag.optional(
    "every",
    Value.durationFrom("1 second", "a second"),
    "Keep the copy current until Ctrl+C: a pass at this interval, such as 1h, and new items in between."
  ),
  full: Flag.boolean("full", "Compare every row, to repair those that other programs have edited."),
  dryRun: Flag.boolean("dry-run", "Write nothing: only count what would change."),
  format: ItemWriter.format
}

/**
 * @since 1.0.0
 * @category actions
 */
export const action: Action = Command.action(flags, (given) =>
  Effect.gen(function*() {
    const { dryRun, every } = given
    if (dryRun && every !== undefined) return yield* UsageError.fail("--dry-run cannot be combined with --every.")
    const copy = yield* Copy.fromFlags(given)
    const Sync = yield* Effect.promise(() => import("../mirror/Sync.ts"))
    yield* Sync.run(copy, given.lists, given).pipe(
      every === undefined ? identity : endless,
      Effect.provide(Connection.layer(given.baseUrl))
    )
  }))

/**
 * @since 1.0.0
 * @category actions
 */
export const status: Action = Command.action(
  { ...Copy.flags, format: ItemWriter.format },
  (given) =>
    Effect.gen(function*() {
      const copy = yield* Copy.fromFlags(given)
      const Status = yield* Effect.promise(() => import("../mirror/Status.ts"))
      yield* Status.status(copy, given.format)
    })
)

const dropFlags = {
  ...Copy.flags,
  olderThan: Flag.required("older-than", Value.duration, "Minimum age, such as 12h or 30d."),
  format: ItemWriter.format
}

/**
 * `purge` drops items, `prune` changes.
 *
 * @since 1.0.0
 * @category actions
 */
export const drop = (what: "purge" | "prune"): Action =>
  Command.action(dropFlags, (given) =>
    Effect.gen(function*() {
      const copy = yield* Copy.fromFlags(given)
      const Status = yield* Effect.promise(() => import("../mirror/Status.ts"))
      yield* Status[what](copy, given.olderThan, given.format)
    }))
