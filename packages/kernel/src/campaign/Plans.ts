/** What is stored of a campaign when something becomes known: its changes, as data. */
import type { Draft } from "./Messages.ts"
import {
  type Change,
  type Entry,
  type Member,
  type Row,
  sameAddressAs,
  type State,
  type StoredMember,
  type Unit
} from "./Rows.ts"
import { afterLooking, type Doubt, type Looked, obstacleOf } from "./Rules.ts"
import * as Units from "./Units.ts"

// The beginning

/** What a campaign is begun with, and stays with. */
export interface Begun {
  readonly service: string
  readonly once: "contact" | "address"
  readonly scope: string | undefined
}

/** What differs from how a campaign was begun. */
export interface Mismatch {
  readonly campaign: string
  readonly reason: "Service" | "Account" | "Once" | "Scope"
  readonly begunWith?: string | undefined
  readonly description: string
}

/** What differs from how a campaign was begun, if anything does. */
export const mismatchOf = (row: Row, { once, scope, service }: Begun): Mismatch | undefined => {
  const campaign = row.name
  if (row.service !== service) {
    return {
      campaign,
      reason: "Service",
      begunWith: row.service,
      description: `was begun at ${row.service}, not at ${service}. To continue it, use the base URL of then`
    }
  }
  if (row.once !== once) {
    return {
      campaign,
      reason: "Once",
      begunWith: row.once,
      description: `was begun with once: "${row.once}". To continue it, use the same`
    }
  }
  return row.scope === scope ? undefined : {
    campaign,
    reason: "Scope",
    begunWith: row.scope,
    description: `was begun ${scoped(row.scope)}, not ${scoped(scope)}. To continue it, use the same`
  }
}

const scoped = (scope: string | undefined): string =>
  scope === undefined ? "without a scope" : `with the scope "${scope}"`

/** The mismatch of an API key that does not know the emails of a campaign. */
export const otherAccount = (row: Row): Mismatch => ({
  campaign: row.name,
  reason: "Account",
  description: `was begun with another account: this API key does not know its last email, ${
    row.newest ?? row.anchor
  }. To continue it, use a key of the account of then`
})

/** Whether nobody has been dealt with, ever. */
export const isUntouched = ({ accepted, owner, planned, rejected, skipped, undecided, units }: Row): boolean =>
  owner === undefined && units === 0 && accepted + planned + rejected + skipped + undecided === 0

// The audience

/** PostgreSQL has an index of ids; neither database holds everything that a string can. */
export const isStorable = (id: unknown): id is string =>
  typeof id === "string" && id !== "" && id.length <= 500 && !/[\0\p{Cs}]/u.test(id)

/** What ids must be. */
export const storable = "must emit items whose `id` is text of 1 to 500 characters, without U+0000 and lone surrogates"

/** Somebody who is not written to. */
export interface Decided<out E> {
  readonly state: "skipped" | "rejected"
  readonly reason: string
  readonly error?: E
}

/** A contact of the audience that has no row yet. `position`: where the walk continues, after the last one of a page. */
export interface Contact<out E, P> {
  readonly id: string
  readonly address: string
  readonly decision: Draft | Decided<E>
  position?: P
}

/** A contact of a page, or the end of one without anybody new. */
export type Step<E, P> = Contact<E, P> | { readonly position: P }

export const isContact = <E, P>(step: Step<E, P>): step is Contact<E, P> => "decision" in step

const isDraft = <E, P>(contact: Contact<E, P>): contact is Contact<E, P> & { readonly decision: Draft } =>
  "json" in contact.decision

/** What a step takes of a batch. Those who are skipped take no place in it, but some memory; a page without anybody new as well. */
export const cost = <E, P>(step: Step<E, P>): number =>
  !isContact(step) || "state" in step.decision && step.decision.state === "skipped" ? 0.0001 : 1

/** What the steps of a batch may cost together. */
export const maxCost = (batchSize: number): number => batchSize + 0.99

/** A unit, and who its emails go to. */
export interface Planned {
  readonly unit: Unit
  readonly members: ReadonlyArray<Member>
}

/** The addresses of those who are to be written to. */
export const wanted = <E, P>(contacts: ReadonlyArray<Contact<E, P>>): ReadonlyArray<string> =>
  contacts.filter(isDraft).map(({ address }) => address)

/** A plan: how it is stored, the units of those who are written to, and why somebody is rejected, if anybody is. */
export interface Plan<out E> {
  readonly change: Pick<Change, "counts" | "insert" | "units">
  readonly units: ReadonlyArray<Planned>
  readonly refusal: E | undefined
}

/** Plans contacts, and freezes their emails. The first unit is about to be sent. `holders`: who has which address, with `once: "address"`. */
export const plan = <E, P>(
  contacts: ReadonlyArray<Contact<E, P>>,
  { anchor, at, batchSize, holders, numbering, once }: {
    readonly numbering: Units.Numbering
    readonly once: "contact" | "address"
    readonly batchSize: number
    readonly holders: ReadonlyMap<string, string>
    /** When the first unit is about to be sent, in milliseconds. */
    readonly at: number
    /** The newest email that is known to be accepted. */
    readonly anchor: string | undefined
  }
): Plan<E> => {
  const held = new Map(holders)
  const insert: Array<Entry> = []
  const drafts: Array<Contact<E, P> & { readonly decision: Draft }> = []
  let refusal: E | undefined
  for (const contact of contacts) {
    const { address, decision, id } = contact
    const holder = held.get(address)
    if (!isDraft(contact)) {
      const { error, reason, state } = decision as Decided<E>
      insert.push({ id, address, state, reason })
      refusal ??= error
    } else if (holder !== undefined) {
      insert.push({ id, address, oncePer: address, state: "skipped", reason: sameAddressAs(holder) })
    } else {
      if (once === "address") held.set(address, id)
      drafts.push(contact)
    }
  }
  const groups = [
    ...chunksOf(drafts.filter(({ decision }) => !decision.isAlone), batchSize),
    ...drafts.filter(({ decision }) => decision.isAlone).map((contact) => [contact])
  ]
  const units = groups.map((group, index): Planned => {
    const unit = Units.make(numbering, group.map(({ decision }) => decision), group[0]?.decision.isAlone !== true)
    return {
      unit: index === 0 ? { ...unit, firstAttemptAt: at, anchor } : unit,
      members: group.map(({ address, id }) => ({ id, address }))
    }
  })
  for (const { members, unit: { unit } } of units) {
    for (const [place, { address, id }] of members.entries()) {
      insert.push({ id, address, oncePer: once === "address" ? address : undefined, state: "planned", unit, place })
    }
  }
  const count = (state: State) => insert.filter((entry) => entry.state === state).length
  return {
    change: {
      counts: { planned: count("planned"), rejected: count("rejected"), skipped: count("skipped") },
      insert,
      units: units.map(({ unit }) => unit)
    },
    units,
    refusal
  }
}

const chunksOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** Where the walk continues after some steps. */
export const positionAfter = <E, P>(steps: ReadonlyArray<Step<E, P>>): P | undefined =>
  steps.reduce<P | undefined>((last, { position }) => position ?? last, undefined)

// Units

/** What became of one member of a unit. `reason`: why it was rejected. */
export type Fate =
  | { readonly state: "accepted"; readonly emailId: string }
  | { readonly state: "rejected"; readonly reason: string }

/** What became of the members of a unit. */
export const settled = (
  { unit }: Pick<Unit, "unit">,
  members: ReadonlyArray<Member>,
  fates: ReadonlyArray<Fate>
): Change & { readonly newest: string | undefined } => {
  const update = members.map(({ address, id }, place): Entry => ({ id, address, ...fates[place]!, unit, place }))
  const accepted = update.filter(({ state }) => state === "accepted")
  return {
    newest: accepted[accepted.length - 1]?.emailId,
    counts: { planned: -update.length, accepted: accepted.length, rejected: update.length - accepted.length },
    update,
    conclude: { unit, state: "done" }
  }
}

/** The parts of a unit are sent under keys of their own. */
export const divided = ({ unit }: Pick<Unit, "unit">, parts: ReadonlyArray<Planned>): Change => ({
  counts: {},
  units: parts.map(({ unit }) => unit),
  update: parts.flatMap(({ members, unit: { unit } }) =>
    members.map(({ address, id }, place): Entry => ({ id, address, state: "planned", unit, place }))
  ),
  conclude: { unit, state: "done" }
})

const conflict = "The service says that the idempotency key was used with other content."

/** Why the emails of the account could not be looked at. */
export const unseen = (reason: string): string => `The emails of the account could not be looked at: ${reason}`

/** What became of the members of a doubtful unit. */
export interface Conclusion {
  readonly change: Change
  /** How many nobody can tell about, and why. */
  readonly undecided: number
  readonly doubt: string | undefined
}

/** Concludes what became of a doubtful unit. `found`: the ids of the emails that were found, by place; `looked`: what else was seen, or why nothing was. */
export const concluded = (
  numbering: Units.Numbering,
  { found, members, unit }: {
    readonly unit: Unit
    readonly members: ReadonlyArray<StoredMember>
    readonly found: ReadonlyMap<number, string>
  },
  looked: Looked | { readonly reason: string }
): Conclusion => {
  const doubt: Doubt = unit.doubt ?? "Expired"
  const update: Array<Entry> = []
  const again: Array<StoredMember> = []
  let doubted: string | undefined
  for (const member of members) {
    const { address, id, place } = member
    const emailId = found.get(place)
    const why = emailId !== undefined
      ? undefined
      : "reason" in looked
      ? unseen(looked.reason)
      : obstacleOf(unit.anchor, address, looked)
    const finding = emailId !== undefined ? "Found" : why === undefined ? "Absent" : "CannotLook"
    const next = afterLooking(doubt, finding)
    if (next === "planned") again.push(member)
    else {
      update.push({
        id,
        address,
        unit: unit.unit,
        place,
        state: next,
        emailId,
        reason: next === "accepted" ? undefined : why ?? conflict
      })
      if (next === "undecided") doubted ??= why
    }
  }
  const replacement = again.length === 0 ? undefined : Units.again(numbering, unit, again.map(({ place }) => place))
  const after = [...update.map(({ state }) => state), ...again.map(() => "planned")]
  const count = (state: State) =>
    after.filter((other) => other === state).length - members.filter((member) => member.state === state).length
  const undecided = update.filter(({ state }) => state === "undecided").length
  return {
    undecided,
    doubt: undecided > 0 ? doubted ?? conflict : undefined,
    change: {
      counts: { planned: count("planned"), accepted: count("accepted"), undecided: count("undecided") },
      update: [
        ...update,
        ...again.map(({ address, id }, place): Entry => ({
          id,
          address,
          state: "planned",
          unit: replacement!.unit,
          place
        }))
      ],
      units: replacement === undefined ? [] : [replacement],
      conclude: { unit: unit.unit, state: undecided > 0 ? "undecided" : "done" }
    }
  }
}

/** What an operator decides about some of the members of a unit that nobody can tell about. */
export const resolved = (
  numbering: Units.Numbering,
  unit: Unit,
  decided: ReadonlyArray<StoredMember>,
  { decision, isAll }: { readonly decision: "assumeSent" | "resend"; readonly isAll: boolean }
): Change => {
  const replacement = decision === "assumeSent"
    ? undefined
    : Units.again(numbering, unit, decided.map(({ place }) => place))
  return {
    isReopened: replacement !== undefined,
    counts: {
      undecided: -decided.length,
      [decision === "assumeSent" ? "accepted" : "planned"]: decided.length
    },
    update: decided.map(({ address, id, place }, index): Entry =>
      replacement === undefined
        ? { id, address, unit: unit.unit, place, state: "accepted", reason: "assumed to be sent" }
        : { id, address, unit: replacement.unit, place: index, state: "planned" }
    ),
    units: replacement === undefined ? [] : [replacement],
    conclude: isAll ? { unit: unit.unit, state: "done" } : undefined
  }
}

/** The addresses of those who were skipped or rejected by a change: with them, others are rejected who were skipped for somebody who is. */
export const affected = ({ insert = [], update = [] }: Change): ReadonlyArray<string> =>
  [
    ...insert.filter(({ oncePer, state }) => state === "skipped" && oncePer !== undefined),
    ...update.filter(({ state }) => state === "rejected")
  ].map(({ address }) => address)

// Events

/** Later events have higher numbers: webhooks deliver them in any order, and a list may lag behind. */
const ranks: { readonly [event: string]: number } = {
  queued: 0,
  scheduled: 0,
  sent: 1,
  delivery_delayed: 2,
  delivered: 3,
  opened: 4,
  clicked: 5,
  canceled: 6,
  failed: 6,
  suppressed: 6,
  bounced: 7,
  complained: 8
}

const rankOf = (event: string): number => ranks[event] ?? 3

/** Whether an event says more about an email than the last one that is known. */
const isLater = (known: string | undefined, event: string): boolean =>
  known === undefined || rankOf(event) > rankOf(known)

/** The events that say more about emails than what is known. */
export const later = (
  known: ReadonlyArray<readonly [id: string, lastEvent: string | undefined]>,
  events: ReadonlyMap<string, string>
): ReadonlyArray<readonly [id: string, event: string]> =>
  known.flatMap(([id, lastEvent]) => {
    const event = events.get(id)
    return event !== undefined && isLater(lastEvent, event) ? [[id, event] as const] : []
  })

/** The email that an event of a webhook is about, and what it says; undefined if it is about something else. */
export const eventOf = (
  { data, type }: { readonly type: string; readonly data?: unknown }
): readonly [id: string, event: string] | undefined => {
  const id = typeof data === "object" && data !== null && "email_id" in data ? data.email_id : undefined
  return type.startsWith("email.") && typeof id === "string" ? [id, type.slice("email.".length)] : undefined
}
