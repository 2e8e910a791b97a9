/** What a copy holds, and dropping what is no longer needed. The database is enough for all of it. */
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import { Mirror } from "@mailstream/mirror"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio, tell } from "../terminal/Stdio.ts"
import type { Given } from "../usage/Flag.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"

/** Writes rows about a copy. */
const print = <A extends object>(
  given: Given<typeof Flags.status>,
  isReadonly: boolean,
  rows: (
    format: Format.Format,
    account: string | undefined
  ) => Effect.Effect<ReadonlyArray<A>, SqlError | InvalidOption, Mirror.Mirror | Stdio>
): Running =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const copy = yield* Flags.copyOf(given)
    const format = given.format ?? Format.fallback(out)
    const items = yield* Effect.mapError(rows(format, copy.account), Database.failing(copy)).pipe(
      Effect.provide(Database.existing(copy, { readonly: isReadonly }))
    )
    yield* ItemWriter.rows(items, format)
  })

/** Writes what the copy holds, how old it is, and what is under way. */
export const status = (given: Given<typeof Flags.status>): Running =>
  print<object>(given, true, (format, account) =>
    Effect.gen(function*() {
      const statuses = yield* (yield* Mirror.Mirror).status
      if (account !== undefined && statuses.every(isUnknown)) {
        yield* tell(`Nothing has been copied for account "${account}".`)
      }
      if (format !== "table") return statuses.map(row)
      const now = yield* Clock.currentTimeMillis
      return withoutEmpty(statuses.map((status) => shown(status, now)))
    }))

const isUnknown = ({ completedAt, error, items, pass }: Mirror.Status): boolean =>
  completedAt === undefined && error === undefined && pass === undefined && items === 0

/** The rows without columns that are empty in all of them, for which a table has no room. */
const withoutEmpty = (rows: ReadonlyArray<ReturnType<typeof shown>>): ReadonlyArray<object> => {
  const isFilled = ([, value]: readonly [string, string | ReadonlyArray<string> | undefined]) =>
    (value ?? "").length > 0
  const filled = new Set(rows.flatMap((row) => Object.entries(row).filter(isFilled).map(([name]) => name)))
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => filled.has(name))))
}

/** For other programs. */
const row = (
  { changes, completedAt, consumers, deleted, error, isCostly, items, lastPass, list, pass }: Mirror.Status
) => ({
  list,
  costly: isCostly,
  items,
  deleted,
  completed_at: completedAt ?? null,
  last_pass: lastPass ?? null,
  pass: pass === undefined
    ? null
    : { began_at: pass.beganAt, interrupted: pass.isInterrupted, attempts: pass.attempts, ...pass.counts },
  changes,
  consumers,
  error: error ?? null
})

/** For the terminal. */
const shown = (
  { changes, completedAt, consumers, deleted, error, isCostly, items, list, pass }: Mirror.Status,
  now: number
) => ({
  list,
  items: Live.count(items),
  deleted: Live.count(deleted),
  completed: completedAt !== undefined ? ago(completedAt, now) : isCostly ? "only if named in --lists" : "never",
  error,
  pass: pass === undefined
    ? ""
    : `${pass.isInterrupted ? "interrupted after" : "under way:"} ${
      Live.count(pass.counts.created + pass.counts.updated + pass.counts.unchanged)
    } items, began ${ago(pass.beganAt, now)}`,
  changes: Live.count(changes),
  consumers: Object.entries(consumers).map(([name, seq]) => `${name} ${Live.count(seq)}`)
})

const ago = (time: string, now: number): string => `${Live.age((now - Date.parse(time)) / 1000)} ago`

const dropping = (drop: "purge" | "prune", dropped: string) => (given: Given<typeof Flags.drop>): Running =>
  print(
    given,
    false,
    () =>
      Effect.map(Effect.flatMap(Mirror.Mirror, (mirror) => mirror[drop](given.olderThan)), (n) => [{ [dropped]: n }])
  )

/** Drops the rows of items that were deleted longer ago than this. */
export const purge = dropping("purge", "purged")

/** Drops changes that were observed longer ago than this, and that all consumers have read. */
export const prune = dropping("prune", "pruned")
