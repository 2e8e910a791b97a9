/** What is to be done in the accounts in memory. */
import { Resource } from "@mailstream/core"
import { type Agenda, nothingToDo } from "../Journal.ts"
import type { Books } from "./Books.ts"
import type { Logs } from "./Logs.ts"

export interface Accounts extends ReadonlyMap<string, { readonly logs: Logs; readonly books: Books }> {}

export const make = (accounts: Accounts, now: number): Agenda => {
  const webhooks: Array<Agenda["webhooks"][number]> = []
  const lists: Array<Agenda["lists"][number]> = []
  let hasWebhooks = false
  let next = Infinity
  for (const [account, { books, logs }] of accounts) {
    const hasOwn = logs.get({ name: Resource.webhooks.name })?.walk(0, 1, 1).texts.length === 1
    hasWebhooks ||= hasOwn
    const due = new Set<string>()
    for (const { about, at } of books.all("deliveries")) {
      if (at > now) next = Math.min(next, at)
      else if (about !== null) due.add(about)
    }
    for (const webhook of due) webhooks.push({ account, webhook })
    for (const [list, time] of logs.earliest()) {
      if (time > now) next = Math.min(next, time)
      else lists.push({ account, list })
    }
  }
  if (!hasWebhooks) return nothingToDo
  return { hasWebhooks, webhooks, lists, next: Number.isFinite(next) ? next : undefined }
}
