/**
 * Following a list: its new items as they are created.
 *
 * @since 1.0.0
 */
import { isTransient, type RequestError } from "@mailstream/core"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import type { Conflict } from "@mailstream/core/PageRequest"
import * as Position from "@mailstream/core/Position"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { monotonicMillis } from "@mailstream/kernel/Fibers"
import type { Emit } from "@mailstream/kernel/PageRules"
import { Seen } from "@mailstream/kernel/Seen"
import * as Array from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { withStreamSpan } from "./internal/span.ts"
import { walk } from "./internal/walk.ts"
import type { ListError } from "./ListError.ts"
import type * as Walk from "./Walk.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options<out Id extends string = string> extends Pick<Walk.Options, "pageSize" | "progress"> {
  /** When to retry a request; default: `RetryPolicy.patient`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  readonly take?: Conflict<"use `Stream.take`"> | undefined
  /** Emits items created after this one; default: those created after the first pull. */
  readonly since?: Id | undefined
  /**
   * The time between two polls; default: five seconds. For anything else, a schedule: its input is the number of items
   * that the last poll found, and when it ends, so does the stream.
   */
  readonly poll?: Duration.DurationInput | Schedule.Schedule<unknown, number> | undefined
}

/**
 * Every item created from now on, or since a given item, exactly once and in order of creation, however many are
 * created at a time. A failure that the retry policy (default: `RetryPolicy.patient`) does not overcome ends the
 * stream; pass the last item received as `since` to continue without a gap. While it waits out an outage, it logs a warning
 * at the first retry, and a message at info level when the API responds again.
 *
 * Deleted items do not stop it. It remembers the newest items it has seen: a page of those that exist when it begins, and up
 * to 200. Only if all of them are deleted, while the list holds others, can it not tell new items from old ones: then it
 * fails with `PositionLost`. A list whose newest item need not come first, such as the topics of a contact, cannot be followed.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { contacts } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.follow({ poll: "10 seconds" }).pipe(
 *   Stream.runForEach((contact) => Effect.log(`Welcome, ${contact.email}`))
 * )
 * ```
 */
export const items = <Item extends { readonly id: string }, R>(
  source: Walk.Source<Item, R>,
  options: Options<Item["id"]> = {}
): Stream.Stream<Item, ListError, R> => {
  const { pageSize, poll = "5 seconds", progress, retry = RetryPolicy.patient, since } = options

  const run = Effect.gen(function*() {
    yield* InvalidOption.unless(
      source.isUnordered !== true,
      "follow",
      `needs a list with its newest item first, which ${source.name} need not have: nothing would say what is new`
    )
    const clock = yield* Effect.clock
    /** When the outage began that is being waited out. */
    let downSince: number | undefined

    const noticing = Schedule.modifyDelayEffect(
      Schedule.intersect(retry, Schedule.identity<RequestError>()),
      ([, error], delay) => {
        let log = Effect.void
        if (downSince === undefined && isTransient(error)) {
          downSince = monotonicMillis(clock)
          log = Effect.logWarning(`follow: ${source.name}: retrying in ${Duration.format(delay)}: ${error.message}`)
        }
        return Effect.as(log, delay)
      }
    )

    const recovered = Effect.suspend(() => {
      if (downSince === undefined) return Effect.void
      const outage = Duration.format(monotonicMillis(clock) - downSince)
      downSince = undefined
      return Effect.logInfo(`follow: ${source.name}: responding again after ${outage}`)
    })

    const pagesFrom: PagesFrom<Item, R> = (from) =>
      Stream.tap(walk(source, { pageSize, progress, retry: noticing, from }, "pages", Chunk.of), () => recovered)
    const polls = yield* Schedule.driver(yield* scheduleOf(poll))
    const seen = new Seen<Item["id"]>()

    // Items that exist at the beginning are not new; their ids tell where to look for newer ones.
    if (since !== undefined) seen.remember([since], true)
    yield* rememberAt(seen, pagesFrom(since === undefined ? Position.start : Position.after(since)))

    const look = makeLook(seen, pagesFrom)
    const looks = Stream.flatMap(Stream.repeatEffectOption(Effect.suspend(() => polls.next(seen.found))), () => look)
    // There may already be items after a given one; there cannot be any after now.
    return since === undefined ? looks : Stream.concat(look, looks)
  })
  return withStreamSpan(Stream.unwrap(run), source.name, "follow")
}

/** Where the pages of a follower come from; their items are in the order of the walk. */
type PagesFrom<Item extends { readonly id: string }, R> = (
  from: Position.Position<Item["id"]>
) => Stream.Stream<Emit<Item>, ListError, R>

/** One poll: the items that are new since the last one. */
const makeLook = <Item extends { readonly id: string }, R>(
  seen: Seen<Item["id"]>,
  pagesFrom: PagesFrom<Item, R>
): Stream.Stream<Item, ListError, R> => {
  /** Items newer than the newest one seen. */
  const newer = Stream.suspend(() =>
    Stream.mapChunks(
      pagesFrom(seen.newer ?? Position.end),
      Chunk.flatMap(({ data, position }) => Chunk.unsafeFromArray(seen.add(data, position)))
    )
  )

  /** All items of a list that was empty so far, oldest page first; finding it keeps no other page in memory. */
  const everything: Stream.Stream<Item, ListError, R> = Stream.unwrap(
    // The last page may be empty, or only repeat items.
    Stream.runLast(Stream.zipWithIndex(Stream.filter(pagesFrom(Position.start), isFilled))).pipe(
      // All items that the search has passed may be deleted meanwhile: nothing was emitted, so it starts over.
      Effect.retry({ times: searches, while: ({ _tag }) => _tag === "PositionLost" }),
      Effect.map(Option.match({
        onNone: () => Stream.empty,
        onSome: ([{ data, position }, index]) => {
          const added = seen.add(Array.reverse(data), position)
          return Stream.concat(
            Stream.fromIterable(added),
            // An API that rejects the cursors of items that it lists would lead back here for ever.
            index === 0 ? Stream.empty : added.length === 0 ? newer : continued
          )
        }
      }))
    )
  )

  const continued: Stream.Stream<Item, ListError, R> = Stream.suspend(() => {
    const { found } = seen
    return Stream.catchTag(newer, "PositionLost", (error) =>
      // More is remembered than the position of a walk has fallbacks.
      seen.found > found ? continued : Stream.unwrap(
        Effect.map(
          Stream.runHead(pagesFrom(Position.start)),
          (page) => seen.forget(!Option.exists(page, isFilled)) ? everything : Stream.fail(error)
        )
      ))
  })

  return Stream.suspend(() => {
    seen.found = 0
    return seen.newer ? continued : everything
  })
}

/** Remembers the items of the first page as those that are older than all others. */
const rememberAt = <Item extends { readonly id: string }, R>(
  seen: Seen<Item["id"]>,
  pages: Stream.Stream<Emit<Item>, ListError, R>
): Effect.Effect<void, ListError, R> =>
  Stream.runForEach(
    Stream.take(pages, 1),
    ({ data, next }) => Effect.sync(() => seen.remember(data.map(({ id }) => id).reverse(), next === undefined))
  )

/** How often the search for the oldest item is repeated if the list changes under it. */
const searches = 10

const isFilled = ({ data }: { readonly data: ReadonlyArray<unknown> }): boolean => data.length > 0

const scheduleOf = (
  poll: NonNullable<Options["poll"]>
): Either.Either<Schedule.Schedule<unknown, number>, InvalidOption.InvalidOption> =>
  Schedule.isSchedule(poll)
    ? Either.right(RetryPolicy.monotonic(poll))
    : Either.map(InvalidOption.duration("poll", poll), Schedule.spaced)
