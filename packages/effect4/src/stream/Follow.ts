/**
 * Following a list: its new items as they are created.
 *
 * @since 1.0.0
 */
import type { Emit } from "@mailstream/kernel/PageRules"
import { Seen } from "@mailstream/kernel/Seen"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { isTransient } from "../core/index.ts"
import * as InvalidOption from "../core/InvalidOption.ts"
import type { Conflict } from "../core/PageRequest.ts"
import * as Position from "../core/Position.ts"
import * as RetryPolicy from "../http/RetryPolicy.ts"
import { monotonicMillis } from "../internal/fibers.ts"
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
  readonly poll?: Duration.Input | Schedule.Schedule<unknown, number> | undefined
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
 * import { contacts } from "@mailstream/effect4"
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
    yield* Effect.fromResult(InvalidOption.unless(
      source.isUnordered !== true,
      "follow",
      `needs a list with its newest item first, which ${source.name} need not have: nothing would say what is new`
    ))
    const clock = yield* Effect.clockWith(Effect.succeed)
    /** When the outage began that is being waited out. */
    let downSince: number | undefined

    const noticing = Schedule.modifyDelay(retry, ({ duration, input }) => {
      let log = Effect.void
      if (downSince === undefined && isTransient(input)) {
        downSince = monotonicMillis(clock)
        log = Effect.logWarning(`follow: ${source.name}: retrying in ${Duration.format(duration)}: ${input.message}`)
      }
      return Effect.as(log, duration)
    })

    const recovered = Effect.suspend(() => {
      if (downSince === undefined) return Effect.void
      const outage = Duration.format(Duration.millis(monotonicMillis(clock) - downSince))
      downSince = undefined
      return Effect.logInfo(`follow: ${source.name}: responding again after ${outage}`)
    })

    const pagesFrom: PagesFrom<Item, R> = (from) =>
      Stream.tap(walk(source, { pageSize, progress, retry: noticing, from }, "pages", Array.of), () => recovered)
    const polls = yield* Schedule.toStepWithSleep(yield* Effect.fromResult(scheduleOf(poll)))
    const seen = new Seen<Item["id"]>()

    // Items that exist at the beginning are not new; their ids tell where to look for newer ones.
    if (since !== undefined) seen.remember([since], true)
    yield* rememberAt(seen, pagesFrom(since === undefined ? Position.start : Position.after(since)))

    const look = makeLook(seen, pagesFrom)
    const nextPoll = Effect.suspend(() => polls(seen.found)).pipe(
      Effect.as(Array.of(undefined)),
      Pull.catchDone(() => Cause.done())
    )
    const looks = Stream.flatMap(Stream.fromPull(Effect.succeed(nextPoll)), () => look)
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
    Stream.flattenIterable(
      Stream.map(pagesFrom(seen.newer ?? Position.end), ({ data, position }) => seen.add(data, position))
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
): Result.Result<Schedule.Schedule<unknown, number>, InvalidOption.InvalidOption> =>
  Schedule.isSchedule(poll)
    ? Result.succeed(RetryPolicy.monotonic(poll))
    : Result.map(InvalidOption.duration("poll", poll), Schedule.spaced)
