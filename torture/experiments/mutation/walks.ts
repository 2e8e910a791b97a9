/** Ways to walk a list that changes, and the expected outcome of each. */
import { KeyValueStore } from "@effect/platform"
import { ContactId, Position } from "@mailstream/core"
import type { Contacts } from "@mailstream/http"
import { type Commit, contacts, type ListError, RetryPolicy } from "@mailstream/stream"
import type { Dice } from "@mailstream/testing/Dice"
import { idOf, numberOf } from "@mailstream/testing/Sample"
import { Effect, Either, Ref, Schedule, Stream } from "effect"
import type { Gone, Round } from "./world.ts"

/** Walks a list to its end, and judges the result. */
export interface Walk {
  (round: Round, dice: Dice, gone: Gone): Effect.Effect<Verdict, unknown, Contacts>
}

/** The error in a walk, if any. */
export interface Verdict {
  readonly wrong?: string
  readonly items: number
  /** Whether it failed because its position was lost. */
  readonly isLost: boolean
}

type Seen = ReadonlyArray<number>

const retry = RetryPolicy.none

/** More stops and starts than any walk needs. */
const enough = 200

/** To lower numbers, or to higher ones. */
type Direction = -1 | 1

const isMonotone = (numbers: Seen, direction: Direction): boolean =>
  numbers.every((n, index) => index === 0 || Math.sign(n - numbers[index - 1]!) === direction)

/**
 * Items that were present throughout must be emitted exactly once, in order, and none twice; if the position was lost,
 * those before it. A position may be lost only if deleted cursors are rejected, and everything that could replace one
 * was deleted.
 */
const judge = (
  round: Round,
  seen: Seen,
  end: Either.Either<void, ListError | Commit.CommitError>,
  options: { readonly direction: Direction; readonly gone: Gone; readonly beyond?: number }
): Verdict => {
  const { beyond, direction, gone } = options
  const verdict: Verdict = { items: seen.length, isLost: Either.isLeft(end) }
  if (!isMonotone(seen, direction)) return { ...verdict, wrong: `came twice or out of order: ${seen}` }
  const position = Either.match(end, { onRight: () => undefined, onLeft: placeOf })
  if (verdict.isLost && (position === undefined || gone === "stands")) return { ...verdict, wrong: `failed: ${end}` }
  const once = new Set(seen)
  const missed = round.kept().filter((n) =>
    (beyond === undefined || Math.sign(n - beyond) === direction) &&
    (position === undefined || Math.sign(n - position) !== direction) &&
    !once.has(n)
  )
  return missed.length === 0 ? verdict : { ...verdict, wrong: `missed ${missed}; came: ${seen}; ${end}` }
}

/** The number at the lost position. */
const placeOf = (error: ListError | Commit.CommitError): number | undefined =>
  error._tag === "PositionLost" && "id" in error.position ? numberOf(error.position.id) : undefined

/** Collects a stream, and reports its items to the round. */
const collect = <E extends ListError | Commit.CommitError, R>(
  round: Round,
  stream: Stream.Stream<{ readonly id: string }, E, R>
) =>
  Effect.gen(function*() {
    const seen: Array<number> = []
    const end = yield* Effect.either(Stream.runForEach(stream, ({ id }) =>
      Effect.sync(() => {
        const number = numberOf(id)
        seen.push(number)
        round.passed(number)
      })))
    return { seen, end }
  })

const paging = (dice: Dice) => ({ pageSize: 1 + dice.below(10), prefetch: dice.below(2), retry })

/** A backward walk begins at an item that must not be deleted. */
const anchored = (round: Round) => {
  const oldest = round.first[0]!
  round.protect(oldest)
  return { anchor: oldest, from: Position.before(ContactId.make(idOf(oldest))) }
}

/** Items that are created during a walk need not be part of it. */
const ofBeginning = (round: Round): Round => {
  const first = new Set(round.first)
  return { ...round, kept: () => round.kept().filter((n) => first.has(n)) }
}

const forward: Walk = (round, dice, gone) =>
  Effect.map(
    collect(round, contacts.items({ filter: round.filter, ...paging(dice) })),
    ({ end, seen }) => judge(ofBeginning(round), seen, end, { direction: -1, gone })
  )

const backward: Walk = (round, dice, gone) => {
  const { anchor, from } = anchored(round)
  return Effect.map(
    collect(round, contacts.items({ filter: round.filter, ...paging(dice), from })),
    ({ end, seen }) => judge(ofBeginning(round), seen, end, { direction: 1, gone, beyond: anchor })
  )
}

/** Stopped between pages and started again where it was committed, as a program that writes a file does it. */
const committed: Walk = (round, dice, gone) =>
  Effect.gen(function*() {
    const isBackward = dice.chance(0.5)
    const { anchor, from } = isBackward ? anchored(round) : { anchor: undefined, from: undefined }
    const options = { filter: round.filter, ...paging(dice), from }
    const seen: Array<number> = []
    const isDone = yield* Ref.make(false)
    const part = contacts.processPages("walk", (pages) =>
      pages.pipe(
        Stream.tap((page) => {
          const numbers = page.data.map(({ id }) => numberOf(id))
          seen.push(...numbers)
          numbers.forEach(round.passed)
          return Effect.zipRight(page.commit, Ref.set(isDone, page.next._tag === "End"))
        }),
        Stream.take(1 + dice.below(3)),
        Stream.runDrain
      ), options)
    const end = yield* Effect.either(Effect.repeat(part, { until: () => Ref.get(isDone), times: enough }))
    return judge(ofBeginning(round), seen, Either.map(end, () => {}), {
      direction: isBackward ? 1 : -1,
      gone,
      ...(anchor === undefined ? {} : { beyond: anchor })
    })
  }).pipe(Effect.provide(KeyValueStore.layerMemory))

/** Stopped anywhere and started again: at most one page is repeated each time. */
const processed: Walk = (round, dice, gone) =>
  Effect.gen(function*() {
    const options = { filter: round.filter, ...paging(dice) }
    let all: Array<number> = []
    for (let part = 0; part < enough; part++) {
      const take = 1 + dice.below(12)
      const seen: Array<number> = []
      const end = yield* contacts.process("walk", ({ id }) => {
        if (seen.length === take) return Effect.fail("stopped" as const)
        const number = numberOf(id)
        seen.push(number)
        round.passed(number)
        return Effect.void
      }, options).pipe(Effect.either)
      const again = seen.findIndex((n) => n < (all.at(-1) ?? Infinity))
      const repeated = again === -1 ? seen.length : again
      const twice = seen.slice(0, repeated).filter((n) => all.includes(n)).length
      if (twice > options.pageSize) {
        return { items: all.length, isLost: false, wrong: `${twice} of a page of ${options.pageSize} came twice` }
      }
      // If not even the first page was done, newer items are handled before it.
      const newest = Math.max(...all)
      const late = seen.slice(0, repeated).filter((n) => n < newest && !all.includes(n))
      if (late.length > 0 || !isMonotone(seen, -1)) {
        return { items: all.length, isLost: false, wrong: `came late or out of order: ${seen} after ${all}` }
      }
      all = [...all, ...seen.slice(repeated)]
      const outcome = Either.isRight(end) ? Either.void : end.left === "stopped" ? undefined : Either.left(end.left)
      if (outcome !== undefined) return judge(ofBeginning(round), all, outcome, { direction: -1, gone })
    }
    return { items: all.length, isLost: false, wrong: `never ends: ${all}` }
  }).pipe(Effect.provide(KeyValueStore.layerMemory))

/** Items that are created, until the list has been at rest for two polls. */
const follow: Walk = (round, dice, gone) => {
  const since = dice.chance(0.5) ? dice.pick(round.first) : undefined
  if (since !== undefined) round.protect(since)
  const stream = contacts.follow({
    filter: round.filter,
    pageSize: 1 + dice.below(10),
    retry,
    since: since === undefined ? undefined : ContactId.make(idOf(since)),
    poll: Schedule.recurs(12)
  })
  return Effect.map(
    collect(round, stream),
    ({ end, seen }) => judge(round, seen, end, { direction: 1, gone, beyond: since ?? round.newestAtFirst() })
  )
}

export const walks = { forward, backward, committed, processed, follow }

/** How often a list may change: a follower must find it at rest in the end. */
export const changes = { forward: 40, backward: 12, committed: 12, processed: 40, follow: 8 }
