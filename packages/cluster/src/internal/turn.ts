/**
 * A turn is one stretch of work on one account: a pass, or a part of one. Here is decided what follows from how it ended.
 * Nothing here has effects.
 */
import { SqlError } from "@effect/sql/SqlError"
import { reasonOf } from "@mailstream/core"
import type * as Mirror from "@mailstream/mirror/Mirror"
import * as Availability from "@mailstream/sql/Availability"
import * as Database from "@mailstream/sql/Database"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { AccountsError } from "../ClusterError.ts"
import * as Command from "./command.ts"
import * as Reasons from "./reasons.ts"

/** Turns of an account are numbered. */
export interface Turn {
  readonly id: string
  readonly turn: number
}

/** How many items a pass found to have changed, in all lists. */
export interface Changed {
  readonly created: number
  readonly updated: number
  readonly deleted: number
}

export type Ended =
  | { readonly _tag: "Done"; readonly counts: Changed }
  /** The pass was interrupted to make room, and continues with the next turn. */
  | { readonly _tag: "Yielded" }
  /** The account was paused or removed. */
  | { readonly _tag: "Stopped" }
  /** The database was not available, which is no failure of the account: the pass continues with the next turn. */
  | { readonly _tag: "CutOff"; readonly error: string }
  | { readonly _tag: "Failed"; readonly error: string }

/** Whether the next turn begins another pass. */
export const endsPass = ({ _tag }: Ended): boolean => _tag === "Done" || _tag === "Failed"

/** Ends after which the next turn has to wait. */
type Broken = Extract<Ended, { readonly error: string }>

/** What is recorded about it. */
export type Outcome = Exclude<Ended, Broken> | Broken & { readonly retryIn: Duration.Duration }

/** What to do now that a turn has ended. */
export interface Decision {
  readonly outcome: Outcome
  readonly log: { readonly level: "Debug" | "Info" | "Warning"; readonly text: string } | undefined
}

export interface Backoff {
  readonly minBackoff: Duration.Duration
  readonly maxBackoff: Duration.Duration
}

/** How much of an error is kept. */
const maxErrorLength = 500

/** The least that is left of an error in front of what ends it. */
const minErrorLength = 200

/** A service's own words may be in it: PostgreSQL has no U+0000, and terminals obey other control characters. The `end` is kept whole. */
const textOf = (error: string, end = ""): string => {
  const room = maxErrorLength - end.length
  const text = error.replaceAll(/\p{Cc}/gu, " ")
  return room < minErrorLength ? Database.toText(text, maxErrorLength) : `${Database.toText(text, room)}${end}`
}

export const failed = (error: string): Ended => ({ _tag: "Failed", error: textOf(error) })

/** How a turn ends whose pass could not begin. */
export const fromError = (error: Error): Ended =>
  isTransient(error) ? { _tag: "CutOff", error: textOf(error.message) } : failed(error.message)

/** Whether waiting is all that it takes. */
const isTransient = (error: Error): boolean =>
  error instanceof AccountsError ? error.isTransient : error instanceof SqlError && Availability.isUnavailable(error)

/** What an operator can do about it, behind the error. */
const adviceOn = (reports: ReadonlyArray<Mirror.Report>, prefix: string): string => {
  for (const { result } of reports) {
    if (Either.isLeft(result) && result.left._tag === "TooManyDeletions") {
      return ` (To let one pass delete them: ${Command.allowDeletions(result.left.account, prefix)})`
    }
  }
  return ""
}

const messageOf = (error: Mirror.SyncError): string =>
  error._tag === "SqlError" ? `the database failed: ${Reasons.describe(error)}` : error.message

const total = (reports: ReadonlyArray<Mirror.Report>): Changed => {
  const all = reports.flatMap(({ result }) => Option.toArray(Either.getRight(result)))
  const sum = (name: keyof Changed) => all.reduce((sum, counts) => sum + counts[name], 0)
  return { created: sum("created"), updated: sum("updated"), deleted: sum("deleted") }
}

/** A pass fails with what went wrong, once for all lists that it went wrong with. The `prefix` is that of the cluster. */
export const fromReports = (reports: ReadonlyArray<Mirror.Report>, prefix = ""): Ended => {
  const failures = new Map<string, { readonly message: string; readonly lists: ReadonlyArray<string> }>()
  for (const { list, result } of reports) {
    if (Either.isRight(result)) continue
    const reason = reasonOf(result.left)
    const { lists, message } = failures.get(reason) ?? { lists: [], message: messageOf(result.left) }
    failures.set(reason, { message, lists: [...lists, list] })
  }
  if (failures.size === 0) return { _tag: "Done", counts: total(reports) }
  const isCutOff = reports.every(({ result }) => Either.isRight(result) || isTransient(result.left))
  const error = Array.from(failures.values(), ({ lists, message }) => `${lists.join(", ")}: ${message}`).join(" ")
  return { _tag: isCutOff ? "CutOff" : "Failed", error: textOf(error, adviceOn(reports, prefix)) }
}

/** When to try again: exponentially later, and not all at once. `random` is from 0 to 1. */
const backoff = (attempts: number, random: number, { maxBackoff, minBackoff }: Backoff): Duration.Duration => {
  const longest = Duration.min(Duration.times(minBackoff, 2 ** Math.min(attempts, 30)), maxBackoff)
  return Duration.millis(Math.round(Duration.toMillis(longest) * (1 + random) / 2))
}

/** The shortest time after which a pass continues that the database has cut off: those of all accounts were. */
const recovery = Duration.seconds(1)

/** What follows from the end of a turn of an account that has failed this often in a row before. */
export const decide = (ended: Ended, attempts: number, random: number, limits: Backoff): Decision => {
  if (ended._tag === "CutOff") {
    const retryIn = Duration.millis(Math.round(Duration.toMillis(recovery) * (1 + 2 * random)))
    return { outcome: { ...ended, retryIn }, log: { level: "Debug", text: ended.error } }
  }
  if (ended._tag !== "Failed") return { outcome: ended, log: undefined }
  const retryIn = backoff(attempts, random, limits)
  const text = `${ended.error.replace(/[^.!?]$/, "$&.")} Next attempt in ${Duration.format(retryIn)}.`
  // What fails once may have been removed just now, or have a service that is being restarted.
  return {
    outcome: { ...ended, retryIn },
    log: { level: attempts === 0 ? "Info" : "Warning", text }
  }
}

const keyOf = ({ id, turn }: Turn): string => `${turn} ${id}`

/** Those turns that are not among the others. */
export const without = <T extends Turn>(turns: ReadonlyArray<T>, others: Iterable<Turn>): ReadonlyArray<T> => {
  const keys = new Set(Array.from(others, keyOf))
  return turns.filter((turn) => !keys.has(keyOf(turn)))
}
