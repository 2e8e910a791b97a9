/**
 * A complete list in one response, decoded as its bytes arrive: the first items are emitted long before the last byte,
 * and only the item that is still incomplete is kept in memory.
 *
 * @since 1.0.0
 */
import { afterAttempts, type RequestError } from "@mailstream/core"
import type * as PageRequest from "@mailstream/core/PageRequest"
import * as Position from "@mailstream/core/Position"
import type { OpenResponse } from "@mailstream/http/ApiClient"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { monotonicMillis } from "@mailstream/kernel/Fibers"
import * as Recent from "@mailstream/kernel/Recent"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { decode } from "./internal/decoder.ts"
import * as Observer from "./internal/observer.ts"
import { withStreamSpan } from "./internal/span.ts"
import { type ListError, StalledWalk } from "./ListError.ts"
import * as Walk from "./Walk.ts"

/**
 * A source that can also return the complete list in one response.
 *
 * @since 1.0.0
 * @category models
 */
export interface CompleteSource<Item extends { readonly id: string }, out R = never> extends Walk.Source<Item, R> {
  /** Checks an item: `Wire.check`. */
  readonly check: (item: unknown) => Either.Either<Item, ParseResult.ParseError>
  /** Requests all items, once. The response can be read while the scope is open. */
  readonly open: Effect.Effect<OpenResponse, RequestError, R | Scope.Scope>
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends Pick<Walk.Options, "progress" | "retry"> {
  // Options of a walk in pages, which this one would ignore.
  readonly from?: PageRequest.Conflict<"`whole` is the complete list: use `items`"> | undefined
  readonly take?: PageRequest.Conflict<"`whole` is the complete list: use `items`"> | undefined
}

/** How many of the last items are remembered as fallbacks, in case the last one is deleted before the walk resumes. */
const memory = 100

/**
 * All items, newest first, from a single request without a limit.
 *
 * After a transient failure before the first item, the request is repeated. After a later one, the walk continues in
 * pages after the last complete item, as it does if `has_more` is true: no item is dropped or repeated. If the retry
 * policy gives up, the stream fails after all complete items. It counts as a failure, too, if a server sends bytes, but
 * no complete item within the time that a request may take.
 *
 * @since 1.0.0
 * @category constructors
 */
export const items = <Item extends { readonly id: string }, R>(
  source: CompleteSource<Item, R>,
  options: Options = {}
): Stream.Stream<Item, ListError, R> => {
  const { progress, retry = RetryPolicy.default } = options
  type Part = Channel.Channel<Chunk.Chunk<Item>, unknown, ListError, unknown, unknown, unknown, R>

  const run = Effect.gen(function*() {
    const observer = Observer.make(source.name, progress)
    const retries = yield* Schedule.driver(observer.counting(retry))
    const recent = Recent.make<Item["id"]>([])
    let last: ReadonlyArray<Item["id"]> = []
    let repeated = 0
    let attempts = 0
    const clock = yield* Effect.clock
    const start = monotonicMillis(clock)

    const emit = (arrived: Chunk.Chunk<Item>): Effect.Effect<Chunk.Chunk<Item>> => {
      const items = recent(Chunk.toReadonlyArray(arrived))
      repeated += arrived.length - items.length
      last = [...last, ...items.slice(-memory).map((item) => item.id)].slice(-memory)
      return observer.arrived({ pages: 0, items: items.length }, Chunk.unsafeFromArray(items))
    }

    /** Reports the repeated items, however the response ended: no request is repeated after one that had items. */
    const reportRepeated = Effect.suspend(() => repeated === 0 ? Effect.void : observer.repeated(repeated))

    /** The items of one response. The result says whether there are more. */
    const response = Channel.unwrapScoped(
      Effect.map(observer.asking(source.open), (opened) => Channel.mapOutEffect(decode(opened, source.check), emit))
    ).pipe(Channel.ensuring(reportRepeated))

    /** The items after the last one emitted, page by page. */
    const rest: Part = Channel.suspend(() => {
      const id = last[last.length - 1]
      return id === undefined
        ? Channel.fail(new StalledWalk({ reason: "EmptyPage", list: source.name, position: Position.start }))
        : Stream.toChannel(Walk.items(source, { progress, retry, from: Position.after(id, last.slice(0, -1)) }))
    })

    /** Continues after a failed response: the rest in pages or, if no item has arrived, the same request again. */
    const recover = (error: RequestError): Effect.Effect<Part> => {
      attempts++
      // Received items show that the API works: the rest gets the full budget of the policy.
      return Effect.zipRight(last.length === 0 ? Effect.void : retries.reset, retries.next(error)).pipe(
        Effect.match({
          onFailure: () => Channel.fail(afterAttempts(error, attempts, monotonicMillis(clock) - start)),
          onSuccess: () => last.length === 0 ? all : rest
        })
      )
    }

    const all: Part = response.pipe(
      Channel.mapEffect((hasMore) => observer.arrived({ pages: 1, items: 0 }, hasMore ? rest : Channel.void)),
      // The rest is flattened in after the error handler: its pages have their own retries.
      Channel.catchAll((error) => Channel.fromEffect(recover(error))),
      Channel.flatten
    )

    return Stream.fromChannel(all)
  })
  return withStreamSpan(Stream.unwrap(run), source.name, "whole")
}
