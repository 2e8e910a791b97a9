/**
 * The walk that does not end: what is new in a list, as it comes.
 *
 * @since 0.1.0
 */
import * as Position from "@mailstream/core/Position"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Array from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { withStreamSpan } from "./internal/span.ts"
import type { ListError } from "./ListError.ts"
import * as Walk from "./Walk.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options<out Id extends string = string> extends Pick<Walk.Options, "pageSize" | "progress" | "retry"> {
  /** The item after whose creation it begins; default: now, that is at the first pull. */
  readonly since?: Id | undefined
  /**
   * When to look again; default: every five seconds. The schedule is told how many items the last look found. Where it
   * ends, so does the stream.
   */
  readonly poll?: Schedule.Schedule<unknown, number> | undefined
}

/**
 * What is known of the newest items that were there, the newest last. They say where to look for newer ones, also
 * when some of them have been deleted since.
 */
interface Known<Id extends string> {
  readonly ids: ReadonlyArray<Id>
  /** Whether there were no others. Once they are all gone, whatever the list holds is new. */
  readonly all: boolean
}

/** How many ids are remembered at the most. */
const memory = 100

const remember = <Id extends string>(known: Known<Id>, newer: ReadonlyArray<Id>): Known<Id> => {
  const ids = [...known.ids, ...newer]
  return { ids: ids.slice(-memory), all: known.all && ids.length <= memory }
}

const idsOf = <Item extends { readonly id: string }>(items: ReadonlyArray<Item>): ReadonlyArray<Item["id"]> =>
  items.map((item) => item.id)

/**
 * Every item that is created from now on, or since another one, in the order of creation, each once, however many come
 * at a time. A failure that the retry policy (default: `RetryPolicy.patient`) does not overcome ends it; `since` the
 * last item that came it goes on without a loss.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { contacts } from "@mailstream/stream"
 * import { Effect, Schedule, Stream } from "effect"
 *
 * const program = contacts.follow({ poll: Schedule.spaced("10 seconds") }).pipe(
 *   Stream.runForEach((contact) => Effect.log(`${contact.email} has come`))
 * )
 * ```
 */
export const items = <Item extends { readonly id: string }, R>(
  source: Walk.Source<Item, R>,
  options: Options<Item["id"]> = {}
): Stream.Stream<Item, ListError, R> => {
  type Id = Item["id"]
  const { pageSize, poll = Schedule.spaced("5 seconds"), progress, retry = RetryPolicy.patient, since } = options
  const walking = { pageSize, progress, retry }

  const run = Effect.gen(function*() {
    const driver = yield* Schedule.driver(poll)
    let known: Known<Id> = { ids: [], all: true }
    // What was known before, and is said to be gone. It is not new, should it be there again.
    let gone: ReadonlyArray<Id> = []
    let found = 0
    // The newest known item when the last walk to newer ones began.
    let begun: Id | undefined
    const newest = () => known.ids[known.ids.length - 1]

    /** Items that have not been seen, from older to newer ones. */
    const fresh = (items: ReadonlyArray<Item>): Chunk.Chunk<Item> => {
      const seen = new Set([...gone, ...known.ids])
      const news = items.filter((item) => !seen.has(item.id))
      known = remember(known, idsOf(news))
      found += news.length
      return Chunk.unsafeFromArray(news)
    }

    /** What stands behind the newest known item, or in its place in front of an older one where it is gone. */
    const newer = Stream.suspend(() => {
      begun = newest()
      return Walk.pages(source, {
        ...walking,
        from: begun === undefined ? Position.end : Position.before(begun),
        fallbacks: known.ids.slice(0, -1)
      })
    }).pipe(Stream.mapChunks(Chunk.flatMap((page) => fresh(page.data))))

    /** All of a list of which nothing is known. The way to its oldest page is walked without keeping the others. */
    const everything = Stream.unwrap(
      Effect.map(
        Stream.runLast(Stream.zipWithIndex(Walk.pages(source, walking))),
        Option.match({
          onNone: () => Stream.empty,
          onSome: ([{ data }, index]) => {
            const oldest = Array.reverse(data)
            const news = Stream.fromChunk(fresh(oldest))
            // Also what is not new, and was only said to be gone, is there to go on behind.
            known = remember({ ids: [], all: true }, idsOf(oldest))
            return index === 0 ? news : Stream.concat(news, newer)
          }
        })
      )
    )

    const onwards: Stream.Stream<Item, ListError, R> = Stream.catchTag(newer, "PositionLost", (error) => {
      // A walk that has come some way knows only its last page. There may be others that can stand in.
      if (newest() !== begun) return onwards
      if (!known.all) return Stream.fail(error)
      gone = [...gone, ...known.ids].slice(-memory)
      known = { ids: [], all: true }
      return everything
    })

    const look: Stream.Stream<Item, ListError, R> = Stream.suspend(() => {
      found = 0
      return known.ids.length === 0 ? everything : onwards
    })

    // What is there at the beginning is not new. It is looked at for the sake of its ids.
    const begin = Walk.pages(source, {
      ...walking,
      from: since === undefined ? Position.start : Position.after(since)
    }).pipe(
      Stream.runHead,
      Effect.map((page) => {
        const older = Option.match(page, { onNone: () => [], onSome: ({ data }) => Array.reverse(data) })
        const all = !Option.exists(page, ({ has_more }) => has_more)
        known = remember({ ids: idsOf(older), all }, since === undefined ? [] : [since])
      })
    )

    // Since another item there may be something already; since now there cannot.
    let atOnce = since !== undefined
    const wait = Effect.suspend(() => {
      if (!atOnce) return driver.next(found)
      atOnce = false
      return Effect.void
    })
    return Stream.concat(
      Stream.execute(begin),
      Stream.flatMap(Stream.repeatEffectOption(wait), () => look)
    )
  })
  return withStreamSpan(Stream.unwrap(run), `${source.name}.follow`)
}
