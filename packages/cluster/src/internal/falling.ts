/** Says that most accounts are gone from where they are read: an empty file may be a mistake. */
import * as Effect from "effect/Effect"
import type { Accounts } from "../Accounts.ts"

/** Whether none is left, or less than half. */
const isFall = (before: number, now: number): boolean => now < before && (now === 0 || now < before / 2)

/** The same accounts, of which is known how many there were when they were read last. */
export const watched = (accounts: Accounts["Type"]): Accounts["Type"] => {
  let before = 0
  return {
    ...accounts,
    ids: Effect.tap(accounts.ids, ({ length }) => {
      const last = before
      before = length
      if (!isFall(last, length)) return Effect.void
      const source = accounts.source === undefined ? "" : `: ${accounts.source}`
      return Effect.logWarning(
        `Accounts: ${length}, after ${last} before${source}. Those that are gone are not copied any more; their copies stay.`
      )
    })
  }
}
