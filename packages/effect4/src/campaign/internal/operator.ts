/** What an operator decides about the people of a campaign that nobody is running. */
import * as Plans from "@mailstream/kernel/campaign/Plans"
import * as Units from "@mailstream/kernel/campaign/Units"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { CampaignBusy, CampaignTakenOver } from "../CampaignError.ts"
import * as Leases from "./lease.ts"
import { start } from "./position.ts"
import * as Stores from "./store.ts"

/** Decides about those who are undecided: all of them, or those with these ids. */
export const resolve = (
  store: Stores.Store,
  name: string,
  decision: "assumeSent" | "resend",
  { ids, lease: duration }: { readonly ids: ReadonlyArray<string> | undefined; readonly lease: Duration.Duration }
): Effect.Effect<number, SqlError | CampaignBusy | CampaignTakenOver> =>
  Effect.scoped(Effect.gen(function*() {
    const lease = yield* Leases.acquire(store, name, duration)
    const chosen = ids === undefined ? undefined : new Set(ids)
    const numbering = Units.numbering(name, lease.row.units)
    let count = 0
    for (const number of yield* Stores.patiently(store.undecided(name))) {
      const unit = yield* Stores.patiently(store.unitAt(name, number))
      if (unit === undefined) continue
      const members = yield* Stores.patiently(store.members(name, number))
      const decided = members.filter(({ id }) => chosen === undefined || chosen.has(id))
      if (decided.length === 0) continue
      yield* store.commit(name, lease.fence, [{
        ...Plans.resolved(numbering, unit, decided, { decision, isAll: decided.length === members.length }),
        isDone: Effect.map(store.members(name, number), ({ length }) => length < members.length)
      }])
      count += decided.length
    }
    return count
  }))

/** Forgets those in a state who certainly were not written to. */
export const forget = (
  store: Stores.Store,
  name: string,
  state: "rejected" | "skipped" | "planned",
  duration: Duration.Duration
): Effect.Effect<number, SqlError | CampaignBusy | CampaignTakenOver> =>
  Effect.scoped(Effect.gen(function*() {
    const lease = yield* Leases.acquire(store, name, duration)
    return yield* store.forget(name, lease.fence, state, start)
  }))
