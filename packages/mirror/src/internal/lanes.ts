/** Walks a list page by page, in lanes: parts that are walked at once, each from an item that is known. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import type * as Mailstream from "@mailstream/http/Mailstream"
import { type ListError, StalledWalk, type Walk } from "@mailstream/stream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Attempt, StartOver } from "./attempt.ts"
import type { Overtaken } from "./commit.ts"
import * as Copy from "./copy.ts"
import { quote } from "./database.ts"
import type * as Feeds from "./feeds.ts"
import * as State from "./state.ts"

/** Cuts a list at items that are known, evenly by their rows. */
export const cut = (copy: Copy.Copy, lanes: number, pageSize: number): Effect.Effect<State.Progress, SqlError> =>
  Effect.gen(function*() {
    const { database: { name, run }, key: { account }, table } = copy
    const count = yield* Copy.countRows(copy)
    // Short lanes would only cost requests.
    const parts = Math.min(lanes, Math.floor(count / (2 * pageSize)))
    if (parts < 2) return State.oneLane
    const starts = yield* Effect.forEach(
      Array.from({ length: parts - 1 }, (_, index) => index + 1),
      (part) =>
        Effect.map(
          run(
            `SELECT ${quote(table.id)} AS id FROM ${name(table.table)} WHERE account = ? AND deleted_at IS NULL
           ORDER BY ordinal LIMIT 1 OFFSET ?`,
            [account, Math.floor(count * part / parts)]
          ),
          ([found]) => String(found?.["id"])
        )
    )
    const progress: State.Progress = {
      _tag: "Lanes",
      lanes: [
        { beginning: [], position: Position.start, isDone: false },
        ...starts.map((start) => ({ beginning: [start], position: Position.after(start), isDone: false }))
      ]
    }
    return progress
  })

/** How many of its first items a lane is recognized by. */
const recognizable = 5

/**
 * How many items of a page belong to a lane, given their ids after that of the item before, and which lane it has met. Two items
 * in a row are needed to recognize the beginning of another lane: one alone may be repeated, or have moved.
 */
const endOf = (
  ids: ReadonlyArray<string>,
  lanes: ReadonlyArray<State.Lane>,
  own: number
): { readonly end: number; readonly met: number | undefined } => {
  const pairs = new Map(
    lanes.flatMap(({ beginning }, index) =>
      index === own ? [] : beginning.slice(1).map((id, at) => [`${beginning[at]} ${id}`, index] as const)
    )
  )
  const met = (at: number) => pairs.get(`${ids[at - 1]} ${ids[at]}`)
  const at = ids.findIndex((_, at) => at > 0 && met(at) !== undefined)
  return at < 0 ? { end: ids.length - 1, met: undefined } : { end: at - 1, met: met(at) }
}

/** Whether lanes that are done have covered the list: from the top, each leads to the next one, and the last one to the end. */
const areConnected = (lanes: ReadonlyArray<State.Lane>): boolean => {
  const visited = new Set<number>()
  for (let at: number | undefined = 0; at !== undefined && !visited.has(at); at = lanes[at]?.met) visited.add(at)
  return visited.size === lanes.length && lanes.some(({ met }) => met === undefined)
}

/** A page that waits to be committed. */
interface Waiting {
  readonly page: Walk.WalkedPage<Copy.Item>
  /** The number of the lane. */
  readonly index: number
  /** The id of the item before the page. */
  readonly last: string
  /** Whether the lane ends with it, as soon as it is committed. */
  isLast: boolean | undefined
}

/** The first items of a lane are those of its first page. */
const begun = (lane: State.Lane, { page }: Waiting): State.Lane =>
  lane.beginning.length === 1
    ? { ...lane, beginning: [...lane.beginning, ...page.data.slice(0, recognizable).map(({ id }) => id)] }
    : lane

/** Each lane ends where another one has begun. */
export const walk = (
  attempt: Attempt,
  feed: Feeds.Listed,
  lanes: ReadonlyArray<State.Lane>
): Effect.Effect<void, ListError | SqlError | Overtaken | StartOver, Mailstream.Mailstream> => {
  const commits = Effect.unsafeMakeSemaphore(1)
  let current = lanes
  let waiting: ReadonlyArray<Waiting> = []
  /** Whether the pass begins again, so that nothing more may be committed. */
  let isOver = false

  const commit: Effect.Effect<void, SqlError | Overtaken | StartOver> = Effect.gen(function*() {
    if (isOver) return yield* new StartOver()
    const pages = waiting
    const next = [...current]
    const taken: Array<Copy.Item> = []
    // One after the other: of two lanes that begin close to each other, only the later one may end where the other has begun.
    for (const waiting of pages) {
      const { index, last, page } = waiting
      next[index] = begun(next[index]!, waiting)
      const ids = page.data.map(({ id }) => id)
      const { end, met } = endOf([last, ...ids], next, index)
      const isDone = end < ids.length || !page.has_more
      taken.push(...attempt.gate.accept(page.data.slice(0, end)))
      if (next[index]!.position._tag === "Start") attempt.begin(page.data)
      next[index] = { ...next[index]!, position: isDone ? Position.end : page.next, isDone, met }
    }
    yield* attempt.commit(Copy.distinct(taken), { _tag: "Lanes", lanes: next })
    current = next
    waiting = waiting.slice(pages.length)
    for (const page of pages) page.isLast = next[page.index]!.isDone
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
    Effect.zipRight(Effect.suspend(() => areConnected(current) ? Effect.void : startOver(disconnected(attempt))))
  )
}

/**
 * Begins the pass again, in one lane, if the item that a lane begins after is among those that were not seen: it may have been
 * deleted, but if pages overlap, both lanes may have left it to the other one.
 */
export const expectStarts = (
  attempt: Attempt,
  lanes: ReadonlyArray<State.Lane>,
  { gone }: Copy.Existing
): Effect.Effect<void, ListError | SqlError | Overtaken | StartOver> =>
  Effect.gen(function*() {
    const { copy: { database: { name, run, strings }, key: { account }, table } } = attempt
    const starts = lanes.flatMap(({ beginning }) => beginning.slice(0, 1))
    if (starts.length === 0 || gone.length === 0) return
    const rows = yield* run(
      `SELECT ordinal FROM ${name(table.table)} WHERE account = ? AND ${quote(table.id)} IN (${strings})`,
      [account, JSON.stringify(starts)]
    )
    const missing = new Set(gone)
    if (rows.some(({ ordinal }) => missing.has(Number(ordinal)))) yield* attempt.startOver(disconnected(attempt))
  })

/** The service repeats or moves items, so that lanes cannot tell where they meet. One lane can do without. */
const disconnected = ({ copy }: Attempt): StalledWalk =>
  new StalledWalk({ reason: "Cycle", list: copy.key.list, position: Position.start })
