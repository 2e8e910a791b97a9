/** From the audience to frozen units: who is written to, and with which bytes, in one transaction with the position of the walk. */
import type { SqlError } from "@effect/sql/SqlError"
import { type ApiError, InvalidOption, ValidationError } from "@mailstream/core"
import * as Position from "@mailstream/core/Position"
import * as Moment from "@mailstream/kernel/Moment"
import { PositionLost } from "@mailstream/stream/ListError"
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
import { addressOf, check, type Draft } from "./message.ts"
import { type Entry, type Member, sameAddressAs, type Unit } from "./rows.ts"
import type { Running } from "./running.ts"
import { patiently } from "./store.ts"
import * as Units from "./units.ts"

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
  readonly planned: Moment.Moment | undefined
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
    const steps = pagesFrom(definition, definition.isResumable ? position : Position.start, 10).pipe(
      Stream.mapEffect((page) => decide(running, page, pending, definition.once)),
      Stream.mapConcat((steps) => steps)
    )
    const batches = Stream.aggregateWithin(
      steps,
      Sink.foldWeighted<Array<Step>, Step>({
        initial: [],
        maxCost: running.options.batchSize + 0.99,
        // Those who are skipped take no place in a batch, but some memory.
        cost: (_, step) => isSkipped(step) ? 0.0001 : 1,
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

/**
 * The audience from a position. If so much of it was deleted that the position is lost, it begins again: those who are planned
 * already are left out.
 */
const pagesFrom = <E, R>(
  definition: Definition<E, R>,
  position: Position.Open,
  restarts: number
): ReturnType<Definition<E, R>["pages"]> =>
  Stream.catchAll(
    // The position is one that these pages have led to.
    definition.pages(position as Position.Open<never>),
    (error) =>
      restarts > 0 && error instanceof PositionLost
        ? pagesFrom(definition, Position.start, restarts - 1)
        : Stream.fail(error)
  )

type WithDraft = Contact & { readonly decision: Draft }

/** A page without anybody new is skipped, too. */
const isSkipped = (step: Step): boolean =>
  !("decision" in step) || "state" in step.decision && step.decision.state === "skipped"

const isDraft = (step: Step): step is WithDraft => "decision" in step && "json" in step.decision

/** Who of a page has no row yet, with what becomes of them. */
const decide = <E, R>(
  { name, options: { concurrency }, store }: Running,
  { data, next }: AudiencePage<Rendered<E, R>>,
  pending: Set<string>,
  once: "contact" | "address"
): Effect.Effect<ReadonlyArray<Step>, E | SqlError | InvalidOption, R> =>
  Effect.gen(function*() {
    const all = new Map<string, Rendered<E, R>>()
    for (const item of data) {
      if (!isStorable(item.id)) return yield* invalidId
      if (!pending.has(item.id) && !all.has(item.id)) all.set(item.id, item)
    }
    const known = all.size === 0 ? new Set<string>() : yield* patiently(store.known(name, [...all.keys()]))
    const fresh = [...all].filter(([id]) => !known.has(id))
    // Each is frozen before the next one is made. Most are not effects, and need no fibers.
    const made = fresh.map(([id, { address, message }]) => {
      const made = message()
      return Effect.isEffect(made)
        ? Effect.map(made, (made) => contact(id, address, made, once))
        : contact(id, address, made, once)
    })
    const contacts = yield* Effect.forEach(
      made,
      (made) => Effect.isEffect(made) ? made : Effect.succeed(made),
      made.some(Effect.isEffect) ? { concurrency } : undefined
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
  description: "must emit items whose `id` is text of 1 to 500 characters, without U+0000 and lone surrogates"
})

const contact = (id: string, address: string, message: Message, once: "contact" | "address"): Contact => {
  if (message instanceof Skip) return { id, address, decision: { state: "skipped", reason: message.reason } }
  return Either.match(
    Either.flatMap(check(message), (draft) => once === "contact" ? Either.right(draft) : onceFor(draft)),
    {
      onLeft: (error) => ({
        id,
        address: addressOf(message),
        decision: { state: "rejected", reason: error.message, error }
      }),
      onRight: (draft) => ({ id, address: draft.address, decision: draft })
    }
  )
}

const oneAddress = ValidationError.because("With once: \"address\", an email goes to one address.")
const longAddress = ValidationError.because("With once: \"address\", an address has at most 500 characters.")

/** PostgreSQL has an index of these addresses. */
const onceFor = (draft: Draft): Either.Either<Draft, ApiError> =>
  draft.addresses !== 1
    ? Either.left(oneAddress)
    : draft.address.length > 500
    ? Either.left(longAddress)
    : Either.right(draft)

/** A plan: what the rows of some contacts hold, and the units of those who are written to. */
interface Plan {
  readonly entries: ReadonlyArray<Entry>
  readonly units: ReadonlyArray<Planned>
  /** Why somebody is rejected, if anybody is. */
  readonly refusal: ApiError | undefined
}

/** Plans contacts, and freezes their emails. */
const plan = (
  running: Running,
  contacts: Iterable<Contact>,
  once: "contact" | "address",
  holders: Map<string, string>,
  at: Moment.Moment
): Plan => {
  const entries: Array<Entry> = []
  const drafts: Array<WithDraft> = []
  let refusal: ApiError | undefined
  for (const contact of contacts) {
    const { address, decision, id } = contact
    const holder = holders.get(address)
    if ("state" in decision) {
      entries.push({ id, address, state: decision.state, reason: decision.reason })
      refusal ??= decision.error
    } else if (holder !== undefined) {
      entries.push({ id, address, oncePer: address, state: "skipped", reason: sameAddressAs(holder) })
    } else {
      if (once === "address") holders.set(address, id)
      drafts.push({ ...contact, decision })
    }
  }
  const groups = [
    ...chunksOf(drafts.filter(({ decision }) => !decision.isAlone), running.options.batchSize),
    ...drafts.filter(({ decision }) => decision.isAlone).map((contact) => [contact])
  ]
  const units = groups.map((group, index) => freezeUnit(running, group, index === 0 ? at : undefined))
  for (const { members, unit: { unit } } of units) {
    for (const [place, { address, id }] of members.entries()) {
      entries.push({ id, address, oncePer: once === "address" ? address : undefined, state: "planned", unit, place })
    }
  }
  return { entries, units, refusal }
}

/** A unit, which may be about to be sent. */
const freezeUnit = (
  running: Running,
  contacts: ReadonlyArray<WithDraft>,
  planned: Moment.Moment | undefined
): Planned => {
  const drafts = contacts.map(({ decision }) => decision)
  const unit = Units.make(running.numbering, drafts, drafts[0]?.isAlone !== true)
  return {
    unit: planned === undefined ? unit : { ...unit, firstAttemptAt: planned.wall, anchor: running.anchor },
    members: contacts.map(({ address, id }) => ({ id, address })),
    planned
  }
}

/** Stores a plan: the contacts, their emails in units, and the position of the walk. */
const commit = <E, R>(
  running: Running,
  { isResumable, once }: Definition<E, R>,
  steps: ReadonlyArray<Step>
): Effect.Effect<ReadonlyArray<Planned>, SqlError | CampaignTakenOver | CampaignPaused> =>
  Effect.gen(function*() {
    const { name, store } = running
    const contacts = steps.filter((step) => "decision" in step)
    const holders = once === "contact"
      ? new Map<string, string>()
      : yield* patiently(store.holders(name, contacts.filter(isDraft).map(({ address }) => address)))
    const { entries, refusal, units } = plan(running, contacts, once, holders, yield* Moment.now)
    for (const { planned, unit } of units) if (planned !== undefined) running.unsent.set(unit.unit, unit)
    const count = (state: Entry["state"]) => entries.filter((entry) => entry.state === state).length
    const position = steps.reduce<Position.Position | undefined>((last, { position }) => position ?? last, undefined)
    const first = entries[0]
    const row = yield* running.commit({
      isDone: first === undefined ? undefined : Effect.map(store.known(name, [first.id]), ({ size }) => size > 0),
      counts: { planned: count("planned"), rejected: count("rejected"), skipped: count("skipped") },
      insert: entries,
      units: units.map(({ unit }) => unit),
      // At the end, everybody is planned only when all of this is stored.
      position: position === undefined || position._tag === "End" || !isResumable
        ? undefined
        : Schema.encodeSync(StoredPosition)(position)
    })
    yield* running.observe(row, refusal)
    return units
  })

const chunksOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  all.length === 0
    ? []
    : Chunk.toReadonlyArray(Chunk.chunksOf(Chunk.unsafeFromArray(all), size)).map(Chunk.toReadonlyArray)

/** The audience has ended: later runs do not walk through it again. */
const end = ({ commit }: Running): Effect.Effect<void, SqlError | CampaignTakenOver> =>
  Effect.asVoid(commit({
    counts: {},
    position: Schema.encodeSync(StoredPosition)(Position.end)
  }))
