/** What each account has of something that all of them share. */
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

/** The store that each account sees in its own way. */
export const toStore = (viewOf: (account: string) => Omit<StoreService, "forAccount">): StoreService => {
  const forAccount = once((account): StoreService => ({ ...viewOf(account), forAccount }))
  return forAccount(Account.defaultId)
}
