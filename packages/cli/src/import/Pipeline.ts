/**
 * Reads an input, does something with each of its records, and commits what is done: always the beginning of the input,
 * without gaps, in whatever order the records are done. Memory does not grow with the input.
 */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import type * as ImportState from "./ImportState.ts"
import type * as Reading from "./Reading.ts"
import type * as Records from "./Records.ts"
import type { Change } from "./Send.ts"

/** What became of a record. */
export interface Outcome<out E> {
  readonly record: Records.Record
  /** What became of its contact, which is now there. */
  readonly change?: Change | undefined
  /** The text for the file of refused lines, if it was refused. */
  readonly refusal?: string | undefined
  /** Why the import stops before it. */
  readonly stopped?: E | undefined
}

/** A record that has been read. */
export interface Item<out Read = Reading.Read> {
  readonly record: Records.Record
  readonly read: Read
}

/** What reads records: the first one says what the others are. */
interface Reader<Read> {
  readonly splitter: Records.Splitter
  readonly hasBegun: () => boolean
  readonly read: (record: Records.Record) => Read
}

/** Counts and hashes the records at the beginning of the input. */
export const makePrefix = () => {
  const hash = createHash("sha256")
  let records = 0
  let bytes = 0
  return {
    add: ({ raw, size }: Records.Record): void => {
      hash.update(raw)
      records++
      bytes += size
    },
    records: () => records,
    bytes: () => bytes,
    /** The hash so far. */
    digest: (): string => hash.copy().digest("hex")
  }
}

export type Prefix = ReturnType<typeof makePrefix>

/** All records of an input. */
const records = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, { end, push }: Records.Splitter) =>
  Stream.concat(Stream.mapConcat(bytes, push), Stream.suspend(() => Stream.fromIterable(end())))

/**
 * The records after those that are done, which are added to the prefix. Fails with `other` if the input does not begin with
 * what was done.
 */
export const items = <E, R, E2, Read>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  reader: Reader<Read>,
  done: Pick<ImportState.Part, "records" | "bytes" | "hash">,
  prefix: Prefix,
  other: E2
): Stream.Stream<Item<Read>, E | E2, R> => {
  const isSame = () => prefix.bytes() === done.bytes && prefix.digest() === done.hash
  let isChecked = done.records === 0
  const after = (chunk: Chunk.Chunk<Records.Record>): Effect.Effect<Chunk.Chunk<Item<Read>>, E2> =>
    Effect.suspend(() => {
      const found: Array<Item<Read>> = []
      for (const record of chunk) {
        if (isChecked) {
          found.push({ record, read: reader.read(record) })
          continue
        }
        // The header says what the columns are.
        if (!reader.hasBegun()) reader.read(record)
        prefix.add(record)
        if (prefix.records() < done.records) continue
        if (!isSame()) return Effect.fail(other)
        isChecked = true
      }
      return Effect.succeed(Chunk.unsafeFromArray(found))
    })
  const checked: Stream.Stream<never, E2> = Stream.suspend(() => isChecked ? Stream.empty : Stream.fail(other))
  return Stream.concat(Stream.mapChunksEffect(records(bytes, reader.splitter), after), checked)
}

/** How many records are committed at most together, and for how many nanoseconds they are collected. */
const most = 256
const longest = 200_000_000n

interface Options<E, E2, R2, E3, R3> {
  /** Begins to work on a record. It is called in the order of the input. */
  readonly start: (item: Item) => Effect.Effect<Outcome<E>, E2, R2>
  readonly concurrency: number
  /** Stores what is done: each outcome once, in the order of the input. */
  readonly commit: (outcomes: ReadonlyArray<Outcome<E>>) => Effect.Effect<void, E3, R3>
  /** Once it is done, nothing more is begun; what has begun is finished. */
  readonly halt: Deferred.Deferred<void>
}

/** Works on items until their end, or until one of them stops it. */
export const run = <E, R, E1, E2, R2, E3, R3>(
  items: Stream.Stream<Item, E1, R>,
  { commit, concurrency, halt, start }: Options<E, E2, R2, E3, R3>
): Effect.Effect<void, E | E1 | E2 | E3, R | R2 | R3> =>
  Effect.gen(function*() {
    let pending: Array<Outcome<E>> = []
    let last = yield* Clock.currentTimeNanos
    const flush = Effect.suspend(() => {
      const done = pending
      pending = []
      return done.length === 0 ? Effect.void : commit(done)
    })
    const take = (outcome: Outcome<E>): Effect.Effect<void, E | E3, R3> =>
      Effect.flatMap(Clock.currentTimeNanos, (now): Effect.Effect<void, E | E3, R3> => {
        if (outcome.stopped !== undefined) return Effect.fail(outcome.stopped)
        pending.push(outcome)
        if (pending.length < most && now - last < longest) return Effect.void
        last = now
        return flush
      })
    const exit = yield* items.pipe(
      Stream.map(start),
      Stream.interruptWhenDeferred(halt),
      // Its results are in the order of the items.
      Stream.mapEffect((started) => started, { concurrency }),
      Stream.runForEach(take),
      Effect.exit
    )
    // What was done before a failure is kept, too.
    yield* flush
    return yield* exit
  })
