/** The lists of one account in memory. */
import * as Either from "effect/Either"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { StoreError } from "../StoreError.ts"
import type { Entry, Fields, List } from "../StoreService.ts"
import { Campaigns } from "./Campaigns.ts"
import { Details } from "./Details.ts"
import { Log } from "./Log.ts"

export class Logs {
  private readonly logs = new Map<string, Log>()
  private readonly details = new Details()
  readonly campaigns = new Campaigns()

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

  object(list: List, id: string): Fields | undefined {
    const json = this.get(list)?.get(id)
    return json === undefined ? undefined : Rules.toFields({ json, details: this.details.get(list, id) })
  }

  /** The id of the object with a name. */
  find(list: List, name: string): string | undefined {
    return this.details.find(list, name, this.get(list)?.all() ?? [])
  }

  due(list: List, now: number): ReadonlyArray<string> {
    return this.details.due(list, now)
  }

  /** When something is due, for each list. */
  earliest(): Iterable<readonly [list: string, time: number]> {
    return this.details.earliest()
  }

  append(list: List, entries: ReadonlyArray<Entry>): Either.Either<void, StoreError> {
    const home = Lists.homeOf(list)
    const log = this.of(home)
    const used = entries.find(({ id }) => log.place(id) !== undefined)?.id
    return Either.map(Rules.mayInsert(list, { hasOwner: this.hasOwner(list), used }), () => {
      for (const entry of Lists.placed(list, entries)) {
        log.append(entry.id, entry.json)
        this.details.set(home, entry, undefined)
        // A contact in a segment is also in the list of all contacts.
        if (Lists.isMembership(list)) this.of(list).append(entry.id, entry.json)
        if (Lists.isOfContact(list)) this.join(entry.id, list.within!)
        if (entry.campaign !== null) {
          this.of({ ...home, campaign: entry.campaign }).append(entry.id, entry.json)
          this.campaigns.add(entry.campaign, entry)
        }
      }
    })
  }

  /** Makes a contact a member of a segment. */
  join(segment: string, contact: string): void {
    this.of(Lists.membersOf(segment)).put(contact, this.get(Lists.contacts)?.get(contact) ?? "")
  }

  /** Replaces an item wherever it is, and its details if it has new ones. */
  replace(list: List, entry: Entry, withDetails: boolean): void {
    const before = this.get(list)?.get(entry.id)
    if (before === undefined) return
    if (withDetails) this.details.set(list, entry, before)
    else this.details.rename(list, entry, before)
    for (const log of this.homes(list)) if (log?.get(entry.id) !== undefined) log.put(entry.id, entry.json)
    this.inCampaign(list, entry.id)?.put(entry.id, entry.json)
    if (list.name === Lists.emails.name) this.campaigns.replace(entry)
  }

  /** Empties the places of items, and deletes what the items own. */
  remove(list: List, ids: ReadonlyArray<string>): void {
    for (const id of ids) this.details.remove(list, id, this.get(list)?.get(id))
    for (const log of this.homes(list)) ids.forEach((id) => log?.empty(id))
    for (const id of ids) this.inCampaign(list, id)?.empty(id)
    if (list.name === Lists.emails.name) ids.forEach((id) => this.campaigns.remove(id))
    Lists.ownedBy(list.name, ids).forEach((owned) => {
      this.logs.delete(Lists.keyOf(owned))
      this.details.clear(owned)
    })
  }

  /** Whether a list shows an item of its home; undefined: it shows all of them. */
  filterOf(list: List): ((json: string) => boolean) | undefined {
    if (Lists.isOfContact(list)) {
      return (json) => this.get(Lists.membersOf(JSON.parse(json).id))?.get(list.within!) !== undefined
    }
    const where = Lists.conditionsOf(list)
    if (where === undefined) return undefined
    const home = Lists.homeOf(list)
    return (json) => {
      const fields = Rules.toFields({ json, details: this.details.get(home, JSON.parse(json).id) })
      return Object.entries(where).every(([field, value]) => fields[field] === value)
    }
  }

  /** Where an email is kept beside the list of all emails. */
  private inCampaign(list: List, id: string): Log | undefined {
    const campaign = list.name === Lists.emails.name ? this.campaigns.of(id) : undefined
    return campaign === undefined ? undefined : this.get({ ...Lists.emails, campaign })
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
