/**
 * Following a list: its new items as they are created.
 *
 * @since 1.0.0
 */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import type { Conflict } from "@mailstream/core/PageRequest"
import * as Position from "@mailstream/core/Position"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Array from "effect/Array"
import * as Chunk from "effect/Chunk"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Seen } from "./internal/seen.ts"
import { withStreamSpan } from "./internal/span.ts"
import type { ListError } from "./ListError.ts"
import * as Walk from "./Walk.ts"

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
 * stream; pass the last item received as `since` to continue without a gap.
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
  const pagesFrom = (from: Position.Position<Item["id"]>) => Walk.pages(source, { pageSize, progress, retry, from })

  const run = Effect.gen(function*() {
    const polls = yield* Schedule.driver(yield* scheduleOf(poll))
    const seen = new Seen<Item["id"]>()

    // Items that exist at the beginning are not new; their ids tell where to look for newer ones.
    yield* Effect.map(
      Stream.runHead(pagesFrom(since === undefined ? Position.start : Position.after(since))),
      (page) => {
        const older = Option.match(page, { onNone: () => [], onSome: ({ data }) => idsOf(Array.reverse(data)) })
        const isComplete = !Option.exists(page, ({ has_more }) => has_more)
        seen.begin(since === undefined ? older : [...older, since], isComplete)
      }
    )

    /** Items newer than the newest one seen. */
    const newer = Stream.suspend(() =>
      Stream.mapChunks(
        pagesFrom(seen.position),
        Chunk.flatMap((page) => Chunk.unsafeFromArray(seen.add(page.data)))
      )
    )

    /** All items of a list that was empty so far, oldest page first; finding it keeps no other page in memory. */
    const everything = Stream.unwrap(
      Effect.map(
        // The last page may be empty, or only repeat items.
        Stream.runLast(Stream.zipWithIndex(Stream.filter(pagesFrom(Position.start), ({ data }) => data.length > 0))),
        Option.match({
          onNone: () => Stream.empty,
          onSome: ([{ data }, index]) => {
            const oldest = Array.reverse(data)
            const added = Stream.fromChunk(Chunk.unsafeFromArray(seen.add(oldest)))
            // Items that were wrongly reported as deleted are not new, but newer ones are found before them.
            seen.begin(idsOf(oldest), true)
            return index === 0 ? added : Stream.concat(added, newer)
          }
        })
      )
    )

    const continued = Stream.catchTag(
      newer,
      "PositionLost",
      (error) => seen.forget() ? everything : Stream.fail(error)
    )

    const look = Stream.suspend(() => {
      seen.found = 0
      return seen.isEmpty ? everything : continued
    })
    const looks = Stream.flatMap(Stream.repeatEffectOption(Effect.suspend(() => polls.next(seen.found))), () => look)
    // There may already be items after a given one; there cannot be any after now.
    return since === undefined ? looks : Stream.concat(look, looks)
  })
  return withStreamSpan(Stream.unwrap(run), source.name, "follow")
}

const idsOf = <Item extends { readonly id: string }>(items: ReadonlyArray<Item>): ReadonlyArray<Item["id"]> =>
  items.map((item) => item.id)

const scheduleOf = (
  poll: NonNullable<Options["poll"]>
): Either.Either<Schedule.Schedule<unknown, number>, InvalidOption.InvalidOption> =>
  Schedule.isSchedule(poll) ? Either.right(poll) : Either.map(InvalidOption.duration("poll", poll), Schedule.spaced)
