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
import * as Copy from "./copy.ts"
import * as Digests from "./digests.ts"
import { toJson } from "./json.ts"
import * as State from "./state.ts"

/** How many pages are committed at once. */
const enough = 40

/** How long items that are committed at once may be as JSON, roughly: PostgreSQL takes an array of 256 MB at most. */
const maxLength = 16_000_000

/** How many chunks are received while others are written. */
const ahead = 16

export const walk = <E, R>(
  attempt: Attempt,
  items: Stream.Stream<Copy.Item, E, R>
): Effect.Effect<void, E | SqlError | Overtaken, R> =>
  Effect.gen(function*() {
    const { copy, options: { dryRun, full, pageSize } } = attempt
    const isEnd = Digests.isEnd(pageSize)
    const known = full ? new Digests.Known([]) : yield* Digests.load(copy)
    let expectsNew = attempt.isFirst && !dryRun
    let top: ReadonlyArray<Copy.Item> = []
    let run: Array<Copy.Item> = []
    let unknown: Array<Digests.Run> = []
    let size = 0
    let length = 0

    const endRun = (): void => {
      if (run.length === 0) return
      const ended = Digests.runOf(run)
      run = []
      const rows = known.meet(ended)
      if (rows !== undefined) return attempt.recognize(rows)
      unknown.push(ended)
      size += ended.items.length
      length += ended.length
    }

    const commit = Effect.suspend(() => {
      if (unknown.length === 0) return Effect.void
      const runs = unknown
      unknown = []
      size = 0
      length = 0
      const batch = joined(runs)
      return expectsNew
        ? Effect.catchTag(attempt.commitNewRuns(batch, known), "NotNew", () => {
          expectsNew = false
          return attempt.commitRuns(batch, known)
        })
        : attempt.commitRuns(batch, known)
    })

    // PostgreSQL writes in another process: meanwhile, the next items are received.
    const source = expectsNew && copy.database.isPostgres ? Stream.bufferChunks(items, { capacity: ahead }) : items
    yield* Stream.runForEachChunk(source, (chunk) => {
      const accepted = attempt.gate.accept(Chunk.toReadonlyArray(chunk))
      if (top.length < State.memory) {
        top = [...top, ...accepted]
        attempt.begin(top)
      }
      for (const item of accepted) {
        run.push(item)
        if (isEnd(item.id, run.length)) endRun()
      }
      return size >= enough * pageSize || length >= maxLength ? commit : attempt.showLife()
    })
    endRun()
    yield* commit
    if (!dryRun) yield* Digests.drop(copy, known.unmet)
  })

/** Runs as one. */
const joined = (runs: ReadonlyArray<Digests.Run>): Runs => {
  const all = runs.flatMap(({ items }) => items)
  const items = Copy.distinct(all)
  return { items, json: toJson(items), runs: items === all ? runs : [] }
}
