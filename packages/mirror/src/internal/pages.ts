/** Walks a list page by page, in lanes. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import type * as Mailstream from "@mailstream/http/Mailstream"
import { type ListError, StalledWalk } from "@mailstream/stream"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Attempt, StartOver } from "./attempt.ts"
import type { Overtaken } from "./commit.ts"
import * as Compare from "./compare.ts"
import type { Copy } from "./copy.ts"
import type { Query } from "./database.ts"
import type * as Feeds from "./feeds.ts"
import * as Find from "./find.ts"
import * as Lanes from "./lanes.ts"
import type * as State from "./state.ts"

/** Cuts a list at items that are known, evenly by their rows. */
export const cut = (copy: Copy, lanes: number, pageSize: number): Query<State.Progress> =>
  Effect.gen(function*() {
    const { database: { read, sql }, existing, rows, table } = copy
    const count = yield* Find.count(copy)
    const parts = Lanes.partsOf(count, lanes, pageSize)
    const starts = yield* Effect.forEach(Array.from({ length: parts - 1 }, (_, index) => index + 1), (part) =>
      read(
        Schema.Struct({ id: Schema.String }),
        sql`SELECT ${sql(table.id)} AS id FROM ${rows} WHERE ${existing}
            ORDER BY ordinal LIMIT 1 OFFSET ${Math.floor(count * part / parts)}`
      ))
    return Lanes.after(starts.flatMap((found) => found.map(({ id }) => id)))
  })

/** A page that waits to be committed. */
interface Waiting extends Lanes.Arrival {
  /** Whether the lane ends with it, as soon as it is committed. */
  isLast: boolean | undefined
}

type Failure = ListError | SqlError | Overtaken | StartOver

/** Each lane ends where another one has begun. */
export const walk = (
  attempt: Attempt,
  feed: Feeds.Listed,
  lanes: ReadonlyArray<State.Lane>
): Effect.Effect<void, Failure, Mailstream.Mailstream> => {
  const commits = Effect.unsafeMakeSemaphore(1)
  let current = lanes
  let waiting: ReadonlyArray<Waiting> = []
  /** Whether the pass begins again, so that nothing more may be committed. */
  let isOver = false

  const commit: Effect.Effect<void, SqlError | Overtaken | StartOver> = Effect.gen(function*() {
    if (isOver) return yield* new StartOver()
    const pages = waiting
    const { items, lanes, top } = Lanes.arrive(current, pages)
    if (top !== undefined) attempt.begin(top)
    yield* attempt.commit(Compare.distinct(attempt.gate.accept(items)), { _tag: "Lanes", lanes })
    current = lanes
    waiting = waiting.slice(pages.length)
    for (const page of pages) page.isLast = lanes[page.index]!.isDone
  })

  const startOver = <E>(error: E): Effect.Effect<never, E | SqlError | Overtaken | StartOver> =>
    commits.withPermits(1)(Effect.suspend(() => {
      if (isOver) return new StartOver()
      isOver = true
      return attempt.startOver(error)
    }))

  return Effect.forEach(lanes, ({ isDone, position }, index) => {
    if (isDone) return Effect.void
    // The item before the next page.
    let last = "id" in position ? position.id : ""
    return feed.pages({ ...attempt.options, from: position }).pipe(
      Stream.runForEachWhile((page) => {
        const own: Waiting = { page, index, last, isLast: undefined }
        last = page.data[page.data.length - 1]?.id ?? last
        waiting = [...waiting, own]
        // Pages that arrive during a commit are committed together, by the first of them.
        return commits.withPermits(1)(Effect.suspend(() => own.isLast === undefined ? commit : Effect.void)).pipe(
          Effect.map(() => own.isLast === false)
        )
      }),
      Effect.catchTags({
        PositionLost: (error) => startOver(error),
        not_found: (error) => position._tag === "Start" ? Effect.fail(error) : startOver(error)
      })
    )
  }, { concurrency: "unbounded", discard: true }).pipe(
    Effect.zipRight(
      Effect.suspend(() => Lanes.areConnected(current) ? Effect.void : startOver(disconnected(attempt)))
    )
  )
}

/**
 * Begins the pass again, in one lane, if the item that a lane begins after is among those that were not seen: it may have been
 * deleted, but if pages overlap, both lanes may have left it to the other one.
 */
export const expectStarts = (
  attempt: Attempt,
  lanes: ReadonlyArray<State.Lane>,
  { gone }: Find.Existing
): Effect.Effect<void, Failure> =>
  Effect.gen(function*() {
    const { database: { among, numbers, sql }, key: { account }, rows, table } = attempt.copy
    const starts = lanes.flatMap(({ beginning }) => beginning.slice(0, 1))
    if (starts.length === 0 || gone.length === 0) return
    const known = yield* numbers(
      sql`SELECT ordinal AS number FROM ${rows} WHERE account = ${account} AND ${sql(table.id)} ${among(starts)}`
    )
    const missing = new Set(gone)
    if (known.some((ordinal) => missing.has(ordinal))) yield* attempt.startOver(disconnected(attempt))
  })

/** The service repeats or moves items, so that lanes cannot tell where they meet. One lane can do without. */
const disconnected = ({ copy }: Attempt): StalledWalk =>
  new StalledWalk({ reason: "Cycle", list: copy.key.list, position: Position.start })
