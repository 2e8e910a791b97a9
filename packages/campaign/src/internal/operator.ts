/** What an operator decides about the people of a campaign that nobody is running. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CampaignBusy, CampaignTakenOver } from "../CampaignError.ts"
import * as Leases from "./lease.ts"
import { StoredPosition } from "./plan.ts"
import type { Entry } from "./rows.ts"
import * as Stores from "./store.ts"
import type { Store } from "./store.ts"
import * as Units from "./units.ts"

/** Decides about those who are undecided: all of them, or those with these ids. */
export const resolve = (
  store: Store,
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
      const replacement = decision === "assumeSent"
        ? undefined
        : Units.again(numbering, unit, decided.map(({ place }) => place))
      yield* store.commit(name, lease.fence, [{
        isDone: Effect.map(store.members(name, number), ({ length }) => length < members.length),
        isReopened: replacement !== undefined,
        counts: {
          undecided: -decided.length,
          [decision === "assumeSent" ? "accepted" : "planned"]: decided.length
        },
        update: decided.map(({ address, id, place }, index): Entry =>
          replacement === undefined
            ? { id, address, unit: number, place, state: "accepted", reason: "assumed to be sent" }
            : { id, address, unit: replacement.unit, place: index, state: "planned" }
        ),
        units: replacement === undefined ? [] : [replacement],
        conclude: decided.length === members.length ? { unit: number, state: "done" } : undefined
      }])
      count += decided.length
    }
    return count
  }))

/** Forgets those in a state who certainly were not written to. */
export const forget = (
  store: Store,
  name: string,
  state: "rejected" | "skipped" | "planned",
  duration: Duration.Duration
): Effect.Effect<number, SqlError | CampaignBusy | CampaignTakenOver> =>
  Effect.scoped(Effect.gen(function*() {
    const lease = yield* Leases.acquire(store, name, duration)
    return yield* store.forget(name, lease.fence, state, Schema.encodeSync(StoredPosition)(Position.start))
  }))
