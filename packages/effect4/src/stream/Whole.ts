/**
 * A complete list in one response, decoded as its bytes arrive: the first items are emitted long before the last byte,
 * and only the item that is still incomplete is kept in memory.
 *
 * @since 1.0.0
 */
import * as Recent from "@mailstream/kernel/Recent"
import * as Array from "effect/Array"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterAttempts, type RequestError } from "../core/index.ts"
import type * as PageRequest from "../core/PageRequest.ts"
import * as Position from "../core/Position.ts"
import type { OpenResponse } from "../http/ApiClient.ts"
import * as RetryPolicy from "../http/RetryPolicy.ts"
import { monotonicMillis } from "../internal/fibers.ts"
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
  readonly check: (item: unknown) => Result.Result<Item, Schema.SchemaError>
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
  type Part = Channel.Channel<NonEmptyReadonlyArray<Item>, ListError, unknown, unknown, unknown, unknown, R>

  const run = Effect.gen(function*() {
    const observer = Observer.make(source.name, progress)
    const policy = observer.counting(retry)
    let nextRetry = yield* Schedule.toStepWithSleep(policy)
    const recent = Recent.make<Item["id"]>([])
    let last: ReadonlyArray<Item["id"]> = []
    let repeated = 0
    let attempts = 0
    const clock = yield* Effect.clockWith(Effect.succeed)
    const start = monotonicMillis(clock)

    const emit = (arrived: ReadonlyArray<Item>): Effect.Effect<ReadonlyArray<Item>> => {
      const items = recent(arrived)
      repeated += arrived.length - items.length
      last = [...last, ...items.slice(-memory).map((item) => item.id)].slice(-memory)
      return observer.arrived({ pages: 0, items: items.length }, items)
    }

    /** Reports the repeated items, however the response ended: no request is repeated after one that had items. */
    const reportRepeated = Effect.suspend(() => repeated === 0 ? Effect.void : observer.repeated(repeated))

    /** The items of one response. The result says whether there are more. */
    const response = Channel.unwrap(
      Effect.map(observer.asking(source.open), (opened) =>
        decode(opened, source.check).pipe(
          Channel.mapEffect(emit),
          Channel.filter(Array.isReadonlyArrayNonEmpty)
        ))
    ).pipe(Channel.ensuring(reportRepeated))

    /** The items after the last one emitted, page by page. */
    const rest: Part = Channel.suspend((): Part => {
      const id = last[last.length - 1]
      return id === undefined
        ? Channel.fail(new StalledWalk({ reason: "EmptyPage", list: source.name, position: Position.start }))
        : Stream.toChannel(Walk.items(source, { progress, retry, from: Position.after(id, last.slice(0, -1)) }))
    })

    /** Continues after a failed response: the rest in pages or, if no item has arrived, the same request again. */
    const recover = (error: RequestError): Effect.Effect<Part> => {
      attempts++
      // Received items show that the API works: the rest gets the full budget of the policy.
      const reset = last.length === 0
        ? Effect.void
        : Effect.map(Schedule.toStepWithSleep(policy), (step) => {
          nextRetry = step
        })
      return Effect.andThen(reset, Effect.suspend(() => nextRetry(error))).pipe(
        Effect.match({
          onFailure: (): Part => Channel.fail(afterAttempts(error, attempts, monotonicMillis(clock) - start)),
          onSuccess: (): Part => last.length === 0 ? all : rest
        })
      )
    }

    const all: Part = response.pipe(
      Channel.mapDoneEffect((hasMore) =>
        observer.arrived<Part>({ pages: 1, items: 0 }, hasMore ? rest : Channel.empty)
      ),
      // The rest is flattened in after the error handler: its pages have their own retries.
      Channel.catch((error: RequestError) => Channel.fromEffectDone(recover(error))),
      Channel.concatWith((part) => part)
    )

    return Stream.fromChannel(all)
  })
  return withStreamSpan(Stream.unwrap(run), source.name, "whole")
}
