/** One list of a client, on top of its streams. */
import { isTransient } from "@mailstream/core"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Commit from "@mailstream/stream/Commit"
import * as Follow from "@mailstream/stream/Follow"
import type * as Streams from "@mailstream/stream/List"
import * as Walks from "@mailstream/stream/Walk"
import * as Whole from "@mailstream/stream/Whole"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { CommittablePage, List, OptionalLimitList } from "../List.ts"
import type { Walk } from "../Walk.ts"
import * as Checks from "./checks.ts"
import type { Connection, Services } from "./connection.ts"
import { type Failure, Thrown, toError } from "./errors.ts"
import * as Options from "./options.ts"
import { providing } from "./store.ts"

/** A list whose filter is checked when it is used. The public types say what the filter of each list is. */
export const make = <Item extends { readonly id: string }, Encoded, Filter, Service extends Services>(
  connection: Connection,
  list: Streams.List<Item, Encoded, Filter, Service>
): List<Item, unknown> => {
  const { resource } = list
  return {
    list: (options) =>
      connection.run(
        Effect.flatMap(Options.page(resource, options), ({ filter, request, retry = RetryPolicy.default }) =>
          Effect.retry(list.source(filter).page(request), {
            schedule: RetryPolicy.monotonic(retry),
            while: isTransient
          })),
        Checks.signalOf(options)
      ),
    items: (options) => {
      const checked = Options.walk(resource, options)
      return connection.walk(
        begin(list, checked, Walks.items),
        Checks.signalOf(options),
        (limit) =>
          begin(
            list,
            checked,
            (source, options) => Walks.items(source, { ...options, take: Math.min(limit, options.take ?? limit) })
          )
      )
    },
    pages: (options) =>
      connection.walk(begin(list, Options.walk(resource, options), Walks.pages), Checks.signalOf(options)),
    follow: (options) =>
      connection.walk(begin(list, Options.follow(resource, options), Follow.items), Checks.signalOf(options)),
    process: (key, handle, options) =>
      connection.run(
        Effect.flatMap(
          Options.processing(resource, { key, handle }, options, { concurrency: Checks.count(1) }),
          ({ filter, options: checked }) => {
            const { concurrency, store } = options
            return providing(
              store,
              Commit.process(list.source(filter), key, handling(handle), { ...checked, concurrency })
            )
          }
        ),
        Checks.signalOf(options)
      ),
    processPages: (key, use, options) =>
      connection.run(
        Effect.flatMap(Options.processing(resource, { key, use }, options), ({ filter, options: checked }) =>
          providing(
            options.store,
            Commit.processPages(list.source(filter), key, (pages) => using(connection, pages, use), checked)
          )),
        Checks.signalOf(options)
      )
  }
}

export const makeOptionalLimit = <Item extends { readonly id: string }, Encoded, Filter, Service extends Services>(
  connection: Connection,
  list: Streams.OptionalLimit<Item, Encoded, Filter, Service>
): OptionalLimitList<Item, unknown> => ({
  ...make(connection, list),
  whole: (options) =>
    connection.walk(begin(list, Options.whole(list.resource, options), Whole.items), Checks.signalOf(options))
})

/** A stream that fails at its first step if the options are invalid. */
const begin = <Filter, Source, Given, A>(
  { source }: { readonly source: (filter: Filter) => Source },
  checked: Options.Checked<{ readonly filter: Filter; readonly options: Given }>,
  stream: (source: Source, options: Given) => Stream.Stream<A, Failure, Services>
): Stream.Stream<A, Failure, Services> =>
  Either.match(checked, { onLeft: Stream.fail, onRight: ({ filter, options }) => stream(source(filter), options) })

/** Runs the caller's code. What it throws is thrown again. */
const promised = <A>(run: (signal: AbortSignal) => A | Promise<A>): Effect.Effect<A, Thrown> =>
  Effect.tryPromise({ try: (signal) => Promise.resolve(run(signal)), catch: (error) => new Thrown(error) })

const handling =
  <Item>(handle: (item: Item, context: { readonly signal: AbortSignal }) => unknown) =>
  (item: Item): Effect.Effect<unknown, Thrown | InvalidOption> =>
    Effect.flatMap(promised((signal) => handle(item, { signal })), Checks.handled)

/** Gives the caller's code pages to commit. They end with it, when the commits that it has begun have succeeded. */
const using = <Item extends { readonly id: string }, Service extends Services, A>(
  connection: Connection,
  pages: Stream.Stream<Commit.CommittablePage<Item>, Failure, Service>,
  use: (pages: Walk<CommittablePage<Item>>) => Promise<A>
): Effect.Effect<A, Thrown> => {
  const pending = new Set<Promise<void>>()
  const begin = (commit: Effect.Effect<void, Commit.CommitError>): Promise<void> => {
    const begun = connection.run(commit, undefined)
    const end = () => pending.delete(begun)
    pending.add(begun)
    begun.then(end, end)
    return begun
  }
  const committable = Stream.map(pages, (page) => ({ ...page, commit: () => begin(page.commit) }))
  return Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) =>
      promised(() => Either.getOrThrowWith(Checks.used(use(connection.walk(committable, signal))), toError)).pipe(
        Effect.tap(() => promised(() => Promise.all(pending)))
      ),
    (controller) => Effect.sync(() => controller.abort())
  )
}
