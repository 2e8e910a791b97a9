/**
 * Walks a list that comes in one response. Since it is requested again after an interruption, nothing is stored of what was
 * seen, and runs of items that are recognized by their digests cost no look at their rows.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Attempt, Runs } from "./attempt.ts"
import type { Overtaken } from "./commit.ts"
import { distinct } from "./compare.ts"
import type { Item } from "./copy.ts"
import * as Digests from "./digests.ts"
import { toJson } from "./json.ts"
import type { Range } from "./seen.ts"
import * as State from "./state.ts"
import type { Gate } from "./storable.ts"

/** How many pages are committed at once. */
const enough = 100

/** How long items that are committed at once may be as JSON, roughly: PostgreSQL takes an array of 256 MB at most. */
const maxLength = 16_000_000

/** How many chunks are prepared while others are written. */
const ahead = 48

export const walk = <E, R>(
  attempt: Attempt,
  items: Stream.Stream<Item, E, R>
): Effect.Effect<void, E | SqlError | Overtaken, R> =>
  Effect.gen(function*() {
    const { copy, options: { dryRun, full, pageSize } } = attempt
    const known = full ? new Digests.Known([]) : yield* Digests.load(copy)
    const collector = collecting(attempt.gate, known, pageSize)
    let expectsNew = attempt.isFirst && !dryRun

    const commit = (batch: Runs): Effect.Effect<void, SqlError | Overtaken> =>
      expectsNew
        ? Effect.catchTag(attempt.commitNewRuns(batch, known), "NotNew", () => {
          expectsNew = false
          return attempt.commitRuns(batch, known)
        })
        : attempt.commitRuns(batch, known)

    const handle = ({ batch, recognized, top }: Collected) => {
      if (top !== undefined) attempt.begin(top)
      for (const rows of recognized) attempt.recognize(rows)
      return batch === undefined ? attempt.showLife() : commit(batch)
    }
    const collected = Stream.mapChunks(items, (chunk) => Chunk.of(collector.take(Chunk.toReadonlyArray(chunk))))
    // PostgreSQL writes in another process: meanwhile, the next items are received and prepared.
    const source = expectsNew && copy.database.isPostgres ? Stream.buffer(collected, { capacity: ahead }) : collected
    yield* Stream.runForEach(source, handle)
    yield* handle(collector.end())
    if (!dryRun) yield* Digests.drop(copy, known.unmet)
  })

/** What some items have led to. */
interface Collected {
  /** The first items of the list, if these were among them. */
  readonly top: ReadonlyArray<Item> | undefined
  /** The rows of runs that are unchanged. */
  readonly recognized: ReadonlyArray<ReadonlyArray<Range>>
  /** All other runs, once there is enough to commit. */
  readonly batch: Runs | undefined
}

/** Collects items into runs, and those that are not recognized into batches. It may be ahead of the commits. */
const collecting = (gate: Gate, known: Digests.Known, pageSize: number) => {
  const isEnd = Digests.isEnd(pageSize)
  const run: Array<Item> = []
  let top: ReadonlyArray<Item> = []
  let recognized: Array<ReadonlyArray<Range>> = []
  let unknown: Array<Digests.Run> = []
  let size = 0
  let length = 0

  const endRun = (): void => {
    const fingerprint = Digests.fingerprintOf(run)
    const rows = known.meet(fingerprint)
    if (rows === undefined) {
      unknown.push({ ...fingerprint, items: run.slice() })
      size += run.length
      length += fingerprint.length
    } else recognized.push(rows)
    run.length = 0
  }

  const collected = (isTop: boolean, isEnough: boolean): Collected => {
    const found = { top: isTop ? top : undefined, recognized, batch: isEnough ? joined(unknown) : undefined }
    recognized = []
    if (isEnough) [unknown, size, length] = [[], 0, 0]
    return found
  }

  return {
    take: (items: ReadonlyArray<Item>): Collected => {
      const accepted = gate.accept(items)
      const isTop = top.length < State.memory
      if (isTop) top = [...top, ...accepted]
      for (const item of accepted) {
        run.push(item)
        if (isEnd(item.id, run.length)) endRun()
      }
      return collected(isTop, size >= enough * pageSize || length >= maxLength)
    },
    end: (): Collected => {
      if (run.length > 0) endRun()
      return collected(false, unknown.length > 0)
    }
  }
}

const joined = (runs: ReadonlyArray<Digests.Run>): Runs => {
  const all = runs.flatMap(({ items }) => items)
  const items = distinct(all)
  return { items, json: toJson(items), runs: items === all ? runs : [] }
}
