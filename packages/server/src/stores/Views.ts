/** What each account has of something that all of them share. */
import * as Effect from "effect/Effect"
import * as Account from "./Account.ts"
import type { StoreService } from "./StoreService.ts"

/** Makes something once for each account. */
export const once = <A>(make: (account: string) => A): (account: string) => A => {
  const made = new Map<string, A>()
  return (account) => {
    const value = made.get(account) ?? make(account)
    made.set(account, value)
    return value
  }
}

/** What an account sees of a store, before others can be told of what changes in it. */
type View = Omit<StoreService, "forAccount" | "changed">

/** The store that each account sees in its own way. */
export const toStore = (
  viewOf: (account: string) => View & { readonly changed?: StoreService["changed"] | undefined }
): StoreService => {
  const forAccount = once((account): StoreService => {
    const { changed, ...view } = viewOf(account)
    return changed === undefined ? { ...watched(view), forAccount } : { ...view, changed, forAccount }
  })
  return forAccount(Account.defaultId)
}

/** Counts the changes, and wakes whoever waits for the next one. */
const watched = (view: View): Omit<StoreService, "forAccount"> => {
  let count = 0
  const waiting = new Set<() => void>()
  const change = Effect.sync(() => {
    count++
    for (const wake of waiting) wake()
    waiting.clear()
  })
  // However it ends: a change that was interrupted may have happened.
  const changing = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> => Effect.ensuring(work, change)
  return {
    ...view,
    atomically: (work) => changing(view.atomically(work)),
    insert: (resource, items, ...into) => changing(view.insert(resource, items, ...into)),
    update: (resource, id, change, ...from) => changing(view.update(resource, id, change, ...from)),
    delete: (resource, ids, ...from) => changing(view.delete(resource, ids, ...from)),
    join: (segment, contacts) => changing(view.join(segment, contacts)),
    leave: (segment, contacts) => changing(view.leave(segment, contacts)),
    changed: (since) =>
      Effect.async<number>((resume) => {
        if (count > since) return resume(Effect.succeed(count))
        const wake = () => resume(Effect.sync(() => count))
        waiting.add(wake)
        return Effect.sync(() => waiting.delete(wake))
      })
  }
}
