/** The lists of one account in memory. */
import * as Either from "effect/Either"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { StoreError } from "../StoreError.ts"
import type { Entry, List } from "../StoreService.ts"
import { Log } from "./Log.ts"

export class Logs {
  private readonly logs = new Map<string, Log>()

  get(list: List): Log | undefined {
    return this.logs.get(Lists.keyOf(list))
  }

  /** The list, which is created if it does not exist. */
  of(list: List): Log {
    const log = this.get(list) ?? new Log()
    this.logs.set(Lists.keyOf(list), log)
    return log
  }

  hasOwner(list: List): boolean {
    const owner = Lists.ownerOf(list)
    return owner === undefined || this.get({ name: owner.list })?.get(owner.id) !== undefined
  }

  append(list: List, entries: ReadonlyArray<Entry>): Either.Either<void, StoreError> {
    const home = this.of(Lists.isMembership(list) ? Lists.contacts : list)
    const used = entries.find(({ id }) => home.place(id) !== undefined)?.id
    return Either.map(Rules.mayInsert(list, { hasOwner: this.hasOwner(list), used }), () => {
      // A contact in a segment is also in the list of all contacts.
      for (const log of new Set([home, this.of(list)])) for (const { id, json } of entries) log.append(id, json)
    })
  }

  /** Replaces the text of an item wherever it is. */
  replace(list: List, id: string, json: string): void {
    for (const log of this.homes(list)) if (log?.get(id) !== undefined) log.put(id, json)
  }

  /** Empties the places of items, and deletes what the items own. */
  remove(list: List, ids: ReadonlyArray<string>): void {
    for (const log of this.homes(list)) ids.forEach((id) => log?.empty(id))
    Lists.ownedBy(list.name, ids).forEach((owned) => this.logs.delete(Lists.keyOf(owned)))
  }

  /** Where the items of a list are kept: contacts also in each of their segments. */
  private homes(list: List): ReadonlyArray<Log | undefined> {
    return list.name === Lists.contacts.name
      ? [...this.logs].filter(([key]) => isOfContacts(key)).map(([, log]) => log)
      : [this.get(list)]
  }
}

/** The list of all contacts, or those of a segment. */
const isOfContacts = (key: string): boolean => key.split("/")[0] === Lists.contacts.name
