/** The emails of campaigns in memory, counted as they come, change and go. */
import type { Campaign } from "../Campaigns.ts"
import * as Rules from "../Rules.ts"
import type { Entry } from "../StoreService.ts"

/** What an email counts as. */
type Counted = Pick<Entry, "id" | "recipient" | "state">

interface Tally {
  readonly events: Map<string | null, number>
  readonly recipients: Map<string, number>
  repeated: number
}

export class Campaigns {
  /** By the id of the email. Deleted emails have none. */
  private readonly members = new Map<string, Counted & { readonly campaign: string }>()
  private readonly tallies = new Map<string, Tally>()

  /** The campaign of an email. */
  of(id: string): string | undefined {
    return this.members.get(id)?.campaign
  }

  names(): ReadonlyArray<string> {
    return [...this.tallies.keys()]
  }

  count(name: string): Pick<Campaign, "emails" | "events" | "repeated"> | undefined {
    const tally = this.tallies.get(name)
    if (tally === undefined) return undefined
    const { events, repeated } = tally
    return {
      emails: [...events.values()].reduce((sum, count) => sum + count, 0),
      events: Rules.counts(events),
      repeated
    }
  }

  add(campaign: string, { id, recipient, state }: Counted): void {
    const tally = this.tallies.get(campaign) ?? { events: new Map(), recipients: new Map(), repeated: 0 }
    this.tallies.set(campaign, tally)
    this.members.set(id, { id, campaign, recipient, state })
    step(tally.events, state, 1)
    if (recipient !== null && step(tally.recipients, recipient, 1) === 2) tally.repeated++
  }

  remove(id: string): void {
    const member = this.members.get(id)
    const tally = member === undefined ? undefined : this.tallies.get(member.campaign)
    if (member === undefined || tally === undefined) return
    this.members.delete(id)
    step(tally.events, member.state, -1)
    if (member.recipient !== null && step(tally.recipients, member.recipient, -1) === 1) tally.repeated--
    if (tally.events.size === 0) this.tallies.delete(member.campaign)
  }

  /** Counts an email as what it is now. */
  replace(entry: Counted): void {
    const campaign = this.of(entry.id)
    if (campaign === undefined) return
    this.remove(entry.id)
    this.add(campaign, entry)
  }
}

/** Counts up or down, and returns the new count. */
const step = <Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): number => {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
  return count
}
