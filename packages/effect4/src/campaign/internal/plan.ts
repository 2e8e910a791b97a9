/** From the audience to frozen units: who is written to, and with which bytes, in one transaction with the position of the walk. */
import { addressOf } from "@mailstream/kernel/campaign/Messages"
import * as Plans from "@mailstream/kernel/campaign/Plans"
import type { Moment } from "@mailstream/kernel/Moments"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { type ApiError, InvalidOption } from "../../core/index.ts"
import * as Position from "../../core/Position.ts"
import { now } from "../../internal/moment.ts"
import { PositionLost } from "../../stream/ListError.ts"
import type { CampaignPaused, CampaignTakenOver } from "../CampaignError.ts"
import { batches } from "./batches.ts"
import { type AudiencePage, type Definition, type Message, type Rendered, Skip } from "./definition.ts"
import { check, checkOnce } from "./message.ts"
import * as Positions from "./position.ts"
import type { Running } from "./running.ts"
import { patiently } from "./store.ts"

type Contact = Plans.Contact<ApiError, Position.Position>
type Step = Plans.Step<ApiError, Position.Position>

/** A unit, and who its emails go to. */
export interface Planned extends Plans.Planned {
  /** When it was stored as about to be sent; undefined if it was not. */
  readonly planned: Moment | undefined
}

/** How long a batch that is not full waits for more, in milliseconds. */
const longest = 1000

/**
 * Plans everybody in the audience who has no row yet, a batch at a time. Nothing is planned before `turn` allows it: the first unit of
 * each plan is about to be sent.
 */
export const planned = <E, R>(
  running: Running,
  definition: Definition<E, R>,
  turn: Effect.Effect<void>
): Stream.Stream<ReadonlyArray<Planned>, E | SqlError | CampaignTakenOver | CampaignPaused | InvalidOption, R> =>
  Stream.unwrap(Effect.map(Effect.orDie(Positions.decode(running.position)), (position) => {
    if (position._tag === "End") return Stream.empty
    /** Those who are decided upon, but not stored yet: an audience that changes may return somebody twice. */
    const pending = new Set<string>()
    const steps = pagesFrom(definition, definition.isResumable ? position : Position.start, 10).pipe(
      Stream.mapEffect((page) => decide(running, page, pending, definition.once)),
      Stream.flattenIterable
    )
    return Stream.concat(
      Stream.mapEffect(
        batches(steps, { cost: Plans.cost, max: Plans.maxCost(running.options.batchSize), longest }),
        (steps) =>
          Effect.tap(
            Effect.andThen(turn, commit(running, definition, steps)),
            () => Effect.sync(() => steps.forEach((step) => Plans.isContact(step) && pending.delete(step.id)))
          )
      ),
      Stream.fromEffectDrain(end(running))
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
  Stream.catch(
    // The position is one that these pages have led to.
    definition.pages(position as Position.Open<never>),
    (error) =>
      restarts > 0 && error instanceof PositionLost
        ? pagesFrom(definition, Position.start, restarts - 1)
        : Stream.fail(error)
  )

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
      if (!Plans.isStorable(item.id)) return yield* invalidId()
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

const invalidId = (): InvalidOption => new InvalidOption({ option: "audience", description: Plans.storable })

const contact = (id: string, address: string, message: Message, once: "contact" | "address"): Contact => {
  if (message instanceof Skip) return { id, address, decision: { state: "skipped", reason: message.reason } }
  return Result.match(once === "contact" ? check(message) : checkOnce(message), {
    onFailure: (error): Contact => ({
      id,
      address: addressOf(message),
      decision: { state: "rejected", reason: error.message, error }
    }),
    onSuccess: (draft): Contact => ({ id, address: draft.address, decision: draft })
  })
}

/** Stores a plan: the contacts, their emails in units, and the position of the walk. */
const commit = <E, R>(
  running: Running,
  { isResumable, once }: Definition<E, R>,
  steps: ReadonlyArray<Step>
): Effect.Effect<ReadonlyArray<Planned>, SqlError | CampaignTakenOver | CampaignPaused> =>
  Effect.gen(function*() {
    const { anchor, name, numbering, options: { batchSize }, store } = running
    const contacts = steps.filter(Plans.isContact)
    const holders = once === "contact"
      ? new Map<string, string>()
      : yield* patiently(store.holders(name, Plans.wanted(contacts)))
    const at = yield* now
    const { change, refusal, units } = Plans.plan(contacts, {
      numbering,
      once,
      batchSize,
      holders,
      anchor,
      at: at.wall
    })
    for (const { unit } of units.slice(0, 1)) running.unsent.set(unit.unit, unit)
    const position = Plans.positionAfter(steps)
    const first = contacts[0]
    const row = yield* running.commit({
      ...change,
      isDone: first === undefined ? undefined : Effect.map(store.known(name, [first.id]), ({ size }) => size > 0),
      // At the end, everybody is planned only when all of this is stored.
      position: position === undefined || position._tag === "End" || !isResumable
        ? undefined
        : Positions.encode(position)
    })
    yield* running.observe(row, refusal)
    return units.map((unit, index): Planned => ({ ...unit, planned: index === 0 ? at : undefined }))
  })

/** The audience has ended: later runs do not walk through it again. */
const end = ({ commit }: Running): Effect.Effect<void, SqlError | CampaignTakenOver> =>
  Effect.asVoid(commit({ counts: {}, position: Positions.end }))
