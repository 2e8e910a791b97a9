/** Changes that arrive at the same time are committed together: most of what a transaction costs is making it durable. */
import type { Row } from "@mailstream/kernel/campaign/Rows"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import type { CampaignTakenOver } from "../CampaignError.ts"
import type { Change, Store } from "./store.ts"

/** Commits a change; the row of the campaign afterwards. `onQueued` runs as soon as no later change can be committed before it. */
export type Commit = (
  change: Change,
  onQueued?: Effect.Effect<void>
) => Effect.Effect<Row, SqlError | CampaignTakenOver>

interface Pending {
  readonly change: Change
  readonly done: Deferred.Deferred<Row, SqlError | CampaignTakenOver>
}

/** How many changes are committed together at most. */
const most = 16

/** Lets fibers that are about to commit something do so. */
const nextTurn: Effect.Effect<void> = Effect.callback((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/** Commits changes in the order in which they arrive, while the scope is open. */
export const make = (store: Store, name: string, fence: number): Effect.Effect<Commit, never, Scope.Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Pending>()
    const together = Effect.gen(function*() {
      const all = [yield* Queue.take(queue)]
      yield* nextTurn
      while (all.length < most) {
        const next = yield* Queue.poll(queue)
        if (Option.isNone(next)) break
        all.push(next.value)
      }
      const exit = yield* Effect.exit(store.commit(name, fence, all.map(({ change }) => change)))
      yield* Effect.forEach(
        all,
        ({ done }, index) => Deferred.done(done, Exit.map(exit, (rows) => rows[index]!)),
        { discard: true }
      )
    })
    yield* Effect.forkScoped(Effect.interruptible(Effect.forever(together)))
    return (change, onQueued = Effect.void) =>
      Effect.gen(function*() {
        const done = yield* Deferred.make<Row, SqlError | CampaignTakenOver>()
        yield* Queue.offer(queue, { change, done })
        yield* onQueued
        return yield* Deferred.await(done)
      })
  })
