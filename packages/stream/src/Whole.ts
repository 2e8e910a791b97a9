/**
 * A list in one answer, decoded while its bytes arrive: the first items are there long before the last byte, and
 * nothing is kept but the item that is not yet whole.
 *
 * @since 0.1.0
 */
import type { RequestError } from "@mailstream/core"
import * as Position from "@mailstream/core/Position"
import type { OpenResponse } from "@mailstream/http/ApiClient"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { decode } from "./internal/decoder.ts"
import * as Observer from "./internal/observer.ts"
import { watch } from "./internal/progress.ts"
import { withStreamSpan } from "./internal/span.ts"
import { type ListError, StalledWalk } from "./ListError.ts"
import * as Walk from "./Walk.ts"

/**
 * A list that can be asked for as a whole.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source<Item extends Encoded & { readonly id: string }, Encoded, out R = never>
  extends Walk.Source<Item, R>
{
  readonly item: Schema.Schema<Item, Encoded>
  /** Asks for all items, once. The answer is there while the scope is open. */
  readonly open: Effect.Effect<OpenResponse, RequestError, R | Scope.Scope>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Pick<Walk.Options, "progress" | "retry"> {}

/** How many of the last items are remembered, in case that the very last is deleted before the walk goes on. */
const memory = 100

/**
 * All items, the newest first, from a single request without a limit.
 *
 * Before the first item has come, a transient failure repeats the request. After it, the walk goes on in pages behind
 * the last item that was whole, as it does where the API says that there is more: nothing is lost and nothing comes
 * twice. Where the retry policy gives up, the failure comes after all items that were whole. A server that sends
 * bytes, but no whole item for as long as a request may take, has failed, too.
 *
 * @since 0.1.0
 * @category constructors
 */
export const items = <Item extends Encoded & { readonly id: string }, Encoded, R>(
  source: Source<Item, Encoded, R>,
  options: Options = {}
): Stream.Stream<Item, ListError, R> => {
  const { progress, retry = RetryPolicy.default } = options
  type Part = Channel.Channel<Chunk.Chunk<Item>, unknown, ListError, unknown, unknown, unknown, R>

  const run = Effect.gen(function*() {
    const observer = Observer.make(source.name, progress)
    const driver = yield* Schedule.driver(observer.counting(retry))
    let passed: ReadonlyArray<Item["id"]> = []

    const pass = (items: Chunk.Chunk<Item>): Effect.Effect<Chunk.Chunk<Item>> => {
      const newest = Chunk.toReadonlyArray(Chunk.takeRight(items, memory)).map((item) => item.id)
      passed = newest.length === memory ? newest : [...passed, ...newest].slice(-memory)
      return observer.arrived({ pages: 0, items: items.length }, items)
    }

    const inPages: Part = Channel.suspend(() => {
      const last = passed[passed.length - 1]
      return last === undefined
        ? Channel.fail(new StalledWalk({ reason: "EmptyPage", list: source.name, position: Position.start }))
        : Stream.toChannel(
          Walk.items(source, { progress, retry, from: Position.after(last), fallbacks: passed.slice(0, -1) })
        )
    })

    const again = (error: RequestError): Part =>
      Channel.unwrap(
        // What has come so far shows that the API works: the whole of the budget is there for what follows.
        Effect.zipRight(passed.length === 0 ? Effect.void : driver.reset, driver.next(error)).pipe(
          Effect.match({
            onFailure: () => Channel.fail(error),
            onSuccess: () => passed.length === 0 ? atOnce : inPages
          })
        )
      )

    const atOnce: Part = Channel.unwrapScoped(
      Effect.map(observer.asking(source.open), (opened) => {
        const { answer, progressed } = watch(opened)
        return Channel.mapOutEffect(decode(answer, source.item), (items) => {
          progressed()
          return pass(items)
        })
      })
    ).pipe(
      Channel.mapEffect((hasMore) => observer.arrived({ pages: 1, items: 0 }, hasMore ? inPages : Channel.void)),
      // What follows is not covered: pages have tries of their own.
      Channel.catchAll((error) => Channel.succeed(again(error))),
      Channel.flatten
    )

    return Stream.fromChannel(atOnce)
  })
  return withStreamSpan(Stream.unwrap(run), `${source.name}.whole`)
}
