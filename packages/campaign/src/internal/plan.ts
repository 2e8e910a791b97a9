/** From the audience to frozen units: who is written to, and with which bytes, in one transaction with the position of the walk. */
import type { SqlError } from "@effect/sql/SqlError"
import { type ApiError, InvalidOption } from "@mailstream/core"
import * as Position from "@mailstream/core/Position"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { CampaignPaused, CampaignTakenOver } from "../CampaignError.ts"
import { type AudiencePage, type Definition, type Message, type Rendered, Skip } from "./definition.ts"
import { now } from "./lease.ts"
import { addressOf, check, type Draft, freeze } from "./message.ts"
import type { Moment } from "./rules.ts"
import type { Running } from "./running.ts"
import type { Entry, Member, Unit } from "./store.ts"

export const StoredPosition = Schema.parseJson(Position.schema(Schema.String))

/** A contact of the audience that has no row yet. `position`: where the walk continues, after the last one of a page. */
interface Contact {
  readonly id: string
  readonly address: string
  readonly decision: Draft | Decided
  position?: Position.Position
}

/** Somebody who is not written to. */
interface Decided {
  readonly state: "skipped" | "rejected"
  readonly reason: string
  readonly error?: ApiError
}

/** A page without anybody new. */
interface Nobody {
  readonly position: Position.Position
}

type Step = Contact | Nobody

/** A unit, and who its emails go to. */
export interface Planned {
  readonly unit: Unit
  readonly members: ReadonlyArray<Member>
  /** When it was stored as about to be sent; undefined if it was not. */
  readonly planned: Moment | undefined
}

/** How long a batch that is not full waits for more. */
const longest = "1 second"

/**
 * Plans everybody in the audience who has no row yet, a batch at a time. Nothing is planned before `turn` allows it: the first unit of
 * each plan is about to be sent.
 */
export const planned = <E, R>(
  running: Running,
  definition: Definition<E, R>,
  turn: Effect.Effect<void>
): Stream.Stream<ReadonlyArray<Planned>, E | SqlError | CampaignTakenOver | CampaignPaused | InvalidOption, R> =>
  Stream.unwrap(Effect.map(Effect.orDie(Schema.decode(StoredPosition)(running.position)), (position) => {
    if (position._tag === "End") return Stream.empty
    /** Those who are decided upon, but not stored yet: an audience that changes may return somebody twice. */
    const pending = new Set<string>()
    const steps = definition.pages(definition.isResumable ? position as Position.Open<never> : Position.start).pipe(
      Stream.mapEffect((page) => decide(running, page, pending)),
      Stream.mapConcat((steps) => steps)
    )
    const batches = Stream.aggregateWithin(
      steps,
      Sink.foldWeighted<Array<Step>, Step>({
        initial: [],
        maxCost: running.options.batchSize,
        // Those who are not written to take no place in a batch, but some memory.
        cost: (_, step) => isDraft(step) ? 1 : 0.01,
        // The first of them is shared by all batches.
        body: (steps, step) => steps.length === 0 ? [step] : (steps.push(step), steps)
      }),
      Schedule.spaced(longest)
    )
    return Stream.concat(
      Stream.mapEffect(
        batches,
        (steps) =>
          Effect.zipLeft(
            Effect.zipRight(turn, commit(running, definition, steps)),
            Effect.sync(() => steps.forEach((step) => "decision" in step && pending.delete(step.id)))
          )
      ),
      Stream.execute(end(running))
    )
  }))

type WithDraft = Contact & { readonly decision: Draft }

const isDraft = (step: Step): step is WithDraft => "decision" in step && "fields" in step.decision

/** Who of a page has no row yet, with what becomes of them. */
const decide = <E, R>(
  { name, options: { concurrency }, store }: Running,
  { data, next }: AudiencePage<Rendered<E, R>>,
  pending: Set<string>
): Effect.Effect<ReadonlyArray<Step>, E | SqlError | InvalidOption, R> =>
  Effect.gen(function*() {
    const all = new Map<string, Rendered<E, R>>()
    for (const item of data) {
      if (!isStorable(item.id)) return yield* invalidId
      if (!pending.has(item.id)) all.set(item.id, item)
    }
    const known = all.size === 0 ? new Set<string>() : yield* store.known(name, [...all.keys()])
    const contacts = yield* Effect.forEach(
      [...all].filter(([id]) => !known.has(id)),
      ([id, { message }]) => {
        // Most messages are not effects: there is no fiber for each.
        const made = message()
        return Effect.isEffect(made)
          ? Effect.map(made, (made) => contact(id, made))
          : Effect.succeed(contact(id, made))
      },
      { concurrency }
    )
    for (const { id } of contacts) pending.add(id)
    if (contacts.length === 0) return [{ position: next }]
    contacts[contacts.length - 1]!.position = next
    return contacts
  })

/** PostgreSQL has an index of these; neither database holds everything that a string can. */
const isStorable = (id: unknown): id is string =>
  Predicate.isString(id) && id !== "" && id.length <= 500 && !/[\0\p{Cs}]/u.test(id)

const invalidId = new InvalidOption({
  option: "audience",
  description: "must emit items whose `id` is text of 1 to 500 characters"
})

const contact = (id: string, message: Message): Contact => {
  if (message instanceof Skip) return { id, address: "", decision: { state: "skipped", reason: message.reason } }
  return Either.match(check(message), {
    onLeft: (error) => ({
      id,
      address: addressOf(message),
      decision: { state: "rejected", reason: error.message, error }
    }),
    onRight: (draft) => ({ id, address: draft.address, decision: draft })
  })
}

/** Stores a plan: the contacts, their emails in units, and the position of the walk. */
const commit = <E, R>(
  running: Running,
  { isResumable, once }: Definition<E, R>,
  steps: ReadonlyArray<Step>
): Effect.Effect<ReadonlyArray<Planned>, SqlError | CampaignTakenOver | CampaignPaused> =>
  Effect.gen(function*() {
    const { name, options: { batchSize }, store } = running
    const contacts = new Map(steps.flatMap((step) => "decision" in step ? [[step.id, step]] : []))
    const holders = once === "contact"
      ? new Map<string, string>()
      : yield* store.holders(name, [...contacts.values()].filter(isDraft).map(({ address }) => address))
    const entries: Array<Entry> = []
    const drafts: Array<WithDraft> = []
    let refusal: ApiError | undefined
    for (const contact of contacts.values()) {
      const { address, id } = contact
      if ("state" in contact.decision) {
        const { error, reason, state } = contact.decision
        entries.push({ id, address, state, reason })
        refusal ??= error
        continue
      }
      const holder = holders.get(address)
      if (holder !== undefined) {
        entries.push({ id, address, state: "skipped", reason: `same address as ${holder}` })
        continue
      }
      if (once === "address") holders.set(address, id)
      drafts.push({ ...contact, decision: contact.decision })
    }
    const together = drafts.filter(({ decision }) => !decision.isAlone)
    const groups = [
      ...chunksOf(together, batchSize),
      ...drafts.filter(({ decision }) => decision.isAlone).map((contact) => [contact])
    ]
    const at = yield* now
    const units = groups.map((contacts, index) => {
      const isBatch = !contacts[0]!.decision.isAlone
      const key = running.freshKey()
      const unit: Unit = {
        unit: running.nextUnit(),
        key,
        isBatch,
        size: contacts.length,
        body: freeze(contacts.map(({ decision }) => decision), key, isBatch),
        // The first one is about to be sent.
        firstAttemptAt: index === 0 ? at.wall : undefined,
        anchor: index === 0 ? running.anchor : undefined,
        doubt: undefined
      }
      for (const [place, { address, id }] of contacts.entries()) {
        entries.push({
          id,
          address,
          oncePer: once === "address" ? address : undefined,
          state: "planned",
          unit: unit.unit,
          place
        })
      }
      return {
        unit,
        members: contacts.map(({ address, id }) => ({ id, address })),
        planned: index === 0 ? at : undefined
      }
    })
    const count = (state: Entry["state"]) => entries.filter((entry) => entry.state === state).length
    const position = steps.reduce<Position.Position | undefined>((last, { position }) => position ?? last, undefined)
    const first = entries[0]
    const row = yield* store.commit(name, running.lease.fence, {
      isDone: ({ known }) =>
        first === undefined ? Effect.succeed(false) : Effect.map(known(name, [first.id]), ({ size }) => size > 0),
      counts: { planned: count("planned"), rejected: count("rejected"), skipped: count("skipped") },
      insert: entries,
      units: units.map(({ unit }) => unit),
      position: position === undefined || position._tag === "End" || !isResumable
        ? undefined
        : yield* Effect.orDie(Schema.encode(StoredPosition)(position))
    })
    yield* running.observe(row, refusal)
    return units
  })

const chunksOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  all.length === 0
    ? []
    : Chunk.toReadonlyArray(Chunk.chunksOf(Chunk.unsafeFromArray(all), size)).map(Chunk.toReadonlyArray)

/** The audience has ended: later runs do not walk through it again. */
const end = ({ lease: { fence }, name, store }: Running): Effect.Effect<void, SqlError | CampaignTakenOver> =>
  Effect.asVoid(store.commit(name, fence, {
    isDone: () => Effect.succeed(false),
    counts: {},
    position: Schema.encodeSync(StoredPosition)(Position.end)
  }))
