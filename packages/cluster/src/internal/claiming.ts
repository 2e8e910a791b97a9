/** Claims accounts that are due, again and again, for the places that are free. */
import type { SqlError } from "@effect/sql/SqlError"
import type { Transport } from "@mailstream/http/Transport"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import type { Accounts } from "../Accounts.ts"
import type { Ledger } from "./ledger.ts"
import * as Places from "./places.ts"
import * as Tables from "./tables.ts"
import type { Turns } from "./turns.ts"

export interface Options {
  readonly worker: string
  readonly settings: Places.Settings
  readonly ledger: Ledger
  readonly turns: Turns
  /** Says that a turn has ended. */
  readonly ended: Queue.Dequeue<void>
  /** Gives up a statement that takes too long. */
  readonly bounded: <A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
}

export interface Claiming {
  readonly run: Effect.Effect<never, never, Accounts | Transport>
  /** Whether a claim is under way, which the database may know of already. */
  readonly isUnderWay: () => boolean
}

/** How many milliseconds to wait before looking for accounts that are due: not all workers at once. */
const nextLook = Random.nextIntBetween(800, 1200)

export const make = ({ bounded, ended, ledger, settings, turns, worker }: Options): Claiming => {
  let isUnderWay = false

  const claimed = (counts: Places.Counts) =>
    Effect.suspend(() => {
      isUnderWay = true
      return bounded(ledger.claim(worker, counts))
    }).pipe(Effect.ensuring(Effect.sync(() => {
      isUnderWay = false
    })))

  /** Claims accounts, and returns whether others may be waiting for their places. */
  const claim = Effect.gen(function*() {
    const due = yield* bounded(ledger.look(settings.size))
    const counts = Places.claims(settings, turns.running(), due)
    const all = Places.sum(Places.each((kind) => due[kind].count))
    if (Places.sum(counts) === 0) return all > 0
    const claims = yield* claimed(counts)
    const taken = Places.each((kind) => claims.filter((claim) => claim.kind === kind).length)
    const leaving = Places.yielding(settings, turns.running(), taken)
    yield* Effect.forEach(leaving, ({ stop }) => stop("Yielded"), { discard: true })
    yield* Effect.forEach(claims, turns.start, { discard: true })
    return all > claims.length || all >= settings.size
  })

  /** Looks again after a while, and as soon as a turn has ended if others wait for its place. */
  const run = Effect.gen(function*() {
    const isMore = yield* Effect.catchAll(
      claim,
      (error) => Effect.as(Effect.logDebug(`Could not claim accounts: ${Tables.reasonOf(error)}`), false)
    )
    const wait = Duration.millis(yield* nextLook)
    yield* (isMore ? Effect.asVoid(Effect.timeoutOption(Queue.take(ended), wait)) : Effect.sleep(wait))
  })

  return { run: Effect.forever(run), isUnderWay: () => isUnderWay }
}
