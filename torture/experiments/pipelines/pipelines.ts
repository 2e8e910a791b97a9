/** Random pipelines over committable pages: any operators, any order of commits. */
import type { Contact } from "@mailstream/core"
import type { Contacts } from "@mailstream/http"
import { Commit, contacts, type ListError } from "@mailstream/stream"
import type { Dice } from "@mailstream/testing/Dice"
import { Array, Chunk, Effect, GroupBy, Schedule, Sink, Stream } from "effect"

type Page = Commit.CommittablePage<Contact>

/** What is handled and committed together. */
type Batch = ReadonlyArray<Page>

type Batches = Stream.Stream<Batch, ListError, Contacts>

/** What a pipeline does with its items and commits. */
export interface Work {
  /** A walk begins where the last one has left the checkpoint. */
  readonly begins: Effect.Effect<void>
  readonly handle: (contact: Contact) => Effect.Effect<void, "broken">
  readonly committed: (page: Page) => Effect.Effect<void>
}

interface Stage {
  readonly name: string
  readonly apply: (batches: Batches) => Batches
}

const regroup = (groups: Stream.Stream<Chunk.Chunk<Batch>, ListError, Contacts>): Batches =>
  Stream.map(groups, (group) => Chunk.toReadonlyArray(group).flat())

const pause = (dice: Dice) => Effect.suspend(() => dice.chance(0.3) ? Effect.sleep(dice.below(4)) : Effect.yieldNow())

/** Operators that keep every page, however they delay, reorder, regroup or copy it. */
const stages: ReadonlyArray<(dice: Dice) => Stage> = [
  (dice) => {
    const capacity = 1 + dice.below(16)
    return { name: `buffer ${capacity}`, apply: Stream.buffer({ capacity }) }
  },
  (dice) => {
    const size = 1 + dice.below(6)
    return { name: `grouped ${size}`, apply: (batches) => regroup(Stream.grouped(batches, size)) }
  },
  (dice) => {
    const size = 1 + dice.below(6)
    return {
      name: `groupedWithin ${size}`,
      apply: (batches) => regroup(Stream.groupedWithin(batches, size, "3 millis"))
    }
  },
  (dice) => {
    const size = 1 + dice.below(4)
    return {
      name: `aggregateWithin ${size}`,
      apply: (batches) =>
        regroup(Stream.aggregateWithin(batches, Sink.collectAllN<Batch>(size), Schedule.spaced("5 millis")))
    }
  },
  (dice) => {
    const size = 1 + dice.below(5)
    return { name: `rechunk ${size}`, apply: Stream.rechunk(size) }
  },
  (dice) => {
    const concurrency = 1 + dice.below(8)
    const unordered = dice.chance(0.5)
    return {
      name: `mapEffect ${concurrency}${unordered ? " unordered" : ""}`,
      apply: Stream.mapEffect((batch) => Effect.as(pause(dice), batch), { concurrency, unordered })
    }
  },
  (dice) => {
    const concurrency = 1 + dice.below(4)
    return {
      name: `flatMap ${concurrency}`,
      apply: Stream.flatMap((batch) => Stream.fromEffect(Effect.as(pause(dice), batch)), { concurrency })
    }
  },
  (dice) => {
    const maximumLag = 1 + dice.below(8)
    return {
      name: `broadcast ${maximumLag}`,
      apply: (batches) =>
        Stream.unwrapScoped(
          Effect.map(Stream.broadcast(batches, 2, maximumLag), ([one, other]) => Stream.merge(one, Stream.drain(other)))
        )
    }
  },
  (dice) => {
    const capacity = 1 + dice.below(8)
    return {
      name: `toQueue ${capacity}`,
      apply: (batches) =>
        Stream.unwrapScoped(
          Effect.map(Stream.toQueue(batches, { capacity }), (queue) => Stream.flattenTake(Stream.fromQueue(queue)))
        )
    }
  },
  () => ({
    name: "partition, merge",
    apply: (batches) =>
      Stream.unwrapScoped(
        Effect.map(
          Stream.partition(Stream.zipWithIndex(batches), ([, index]) => index % 2 === 0),
          ([odd, even]) => Stream.map(Stream.merge(odd, even), ([batch]) => batch)
        )
      )
  }),
  () => ({
    name: "groupByKey",
    apply: (batches) =>
      GroupBy.evaluate(Stream.groupByKey(batches, ([first]) => first?.data.length), (_, group) => group)
  }),
  () => ({ name: "reversed chunks", apply: (batches) => Stream.mapChunks(batches, Chunk.reverse) }),
  () => ({ name: "split", apply: Stream.mapConcat((batch) => Array.map(batch, (page) => [page])) }),
  () => ({
    name: "merge",
    apply: (batches) =>
      Stream.merge(batches, Stream.drain(Stream.repeatEffect(Effect.sleep("2 millis"))), { haltStrategy: "left" })
  })
]

/** How the pages of a batch are committed. */
const commits: ReadonlyArray<
  readonly [name: string, commit: (batch: Batch) => Effect.Effect<void, Commit.CommitError>]
> = [
  ["Commit.all", Commit.all],
  ["in order", (batch) => Effect.forEach(batch, ({ commit }) => commit, { discard: true })],
  ["at once", (batch) => Effect.forEach(batch, ({ commit }) => commit, { discard: true, concurrency: "unbounded" })]
]

export interface Pipeline {
  readonly name: string
  /** Runs it until nothing is left, or until it breaks. */
  readonly run: (key: string, work: Work) => ReturnType<typeof contacts.process<"broken", never>>
}

/** `process`, as in the README. */
const processing = (dice: Dice): Pipeline => {
  const options = { pageSize: 1 + dice.below(20), prefetch: dice.below(3), concurrency: 1 + dice.below(12) }
  return {
    name: `process ${JSON.stringify(options)}`,
    // Its commits cannot be observed from outside.
    run: (key, { begins, handle }) => Effect.zipRight(begins, contacts.process(key, handle, options))
  }
}

/** `processPages`, with any operators between the pages and their commits. */
const composed = (dice: Dice): Pipeline => {
  const options = { pageSize: 1 + dice.below(20), prefetch: dice.below(3) }
  const chosen = dice.times(dice.below(5), () => dice.pick(stages)(dice))
  const [how, commit] = dice.pick(commits)
  const inside = 1 + dice.below(4)
  const outside = 1 + dice.below(4)
  // Ends early, and has to be started again.
  const take = dice.chance(0.2) ? 1 + dice.below(8) : Infinity
  const names = [...chosen.map(({ name }) => name), ...(take === Infinity ? [] : [`take ${take}`])]
  return {
    name: `${JSON.stringify(options)} ${names.join(" | ")} | ${outside} × ${inside}, commit ${how}`,
    run: (key, { begins, committed, handle }) =>
      contacts.processPages(key, (pages) => {
        let count = 0
        const first: Batches = Stream.map(Stream.onStart(pages, begins), (page) => {
          count++
          return [page]
        })
        const batches = chosen.reduce((batches, { apply }) => apply(batches), first)
        return (take === Infinity ? batches : Stream.take(batches, take)).pipe(
          Stream.mapEffect((batch) =>
            Effect.forEach(batch.flatMap(({ data }) => data), handle, { concurrency: inside, discard: true }).pipe(
              Effect.zipRight(commit(batch)),
              Effect.zipRight(Effect.forEach(batch, committed, { discard: true }))
            ), { concurrency: outside }),
          Stream.runDrain,
          Effect.map(() =>
            count
          )
        )
      }, options).pipe(Effect.repeat({ until: (count) => count === 0 }), Effect.asVoid)
  }
}

/** A pipeline that follows from its dice alone. */
export const make = (dice: Dice): Pipeline => dice.chance(0.15) ? processing(dice) : composed(dice)
