/** One list of a client, on top of its streams. */
import { isTransient } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type * as Commit from "@mailstream/stream/Commit"
import * as Streams from "@mailstream/stream/List"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as Public from "../List.ts"
import type { Walk } from "../Walk.ts"
import type { Connection, Services } from "./connection.ts"
import { type Failure, Thrown } from "./errors.ts"
import * as Options from "./options.ts"
import { providing } from "./store.ts"

/** A list whose filter is checked when it is used. The public types say what the filter of each list is. */
interface AnyList<Item> {
  readonly list: (options?: Options.Given<Public.ListOptions>) => Promise<Public.Page<Item>>
  readonly items: (options?: Options.Given<Public.WalkOptions>) => Walk<Item>
  readonly pages: (options?: Options.Given<Public.WalkOptions>) => Walk<Public.WalkedPage<Item>>
  readonly follow: (options?: Options.Given<Public.FollowOptions>) => Walk<Item>
  readonly process: (
    key: string,
    handle: (item: Item, context: { readonly signal: AbortSignal }) => unknown,
    options: Options.Given<Public.ProcessOptions>
  ) => Promise<void>
  readonly processPages: <A>(
    key: string,
    use: (pages: Walk<Public.CommittablePage<Item>>) => Promise<A>,
    options: Options.Given<Public.ProcessPagesOptions>
  ) => Promise<A>
}

interface AnyOptionalLimitList<Item> extends AnyList<Item> {
  readonly whole: (options?: Options.Given<Public.WholeOptions>) => Walk<Item>
}

export const make = <Item extends { readonly id: string }, Encoded, Filter, Service extends Services>(
  connection: Connection,
  list: Streams.List<Item, Encoded, Filter, Service>
): AnyList<Item> => {
  const { resource } = list
  const { run } = connection
  return {
    list: (options) =>
      run(
        Effect.flatMap(
          Either.all({
            filter: Options.filter(resource, options),
            request: Options.page(resource.id, options),
            retry: Options.retry(options?.retry)
          }),
          ({ filter, request, retry = RetryPolicy.default }) =>
            Effect.retry(list.source(filter).page(request), {
              schedule: RetryPolicy.monotonic(retry),
              while: isTransient
            })
        ),
        Options.signalOf(options)
      ),
    items: (options) =>
      walk(
        connection,
        list,
        options,
        Options.walk(resource.id, options),
        (filter, { take, ...checked }, limit) =>
          Streams.items(list, filter, {
            ...checked,
            take: limit === undefined ? take : Math.min(limit, take ?? limit)
          })
      ),
    pages: (options) =>
      walk(
        connection,
        list,
        options,
        Options.walk(resource.id, options),
        (filter, checked) => Streams.pages(list, filter, checked)
      ),
    follow: (options) =>
      walk(
        connection,
        list,
        options,
        Either.flatMap(Options.complete(options), () => Options.follow(resource.id, options)),
        (filter, checked) => Streams.follow(list, filter, checked)
      ),
    process: (key, handle, options) =>
      run(
        Effect.flatMap(
          Either.all([Options.filter(resource, options), Options.processing(resource.id, options)]),
          ([filter, checked]) =>
            providing(
              options,
              Streams.process(
                list,
                key,
                filter,
                (item) => promised((signal) => handle(item, { signal })),
                { ...checked, concurrency: options?.concurrency }
              )
            )
        ),
        Options.signalOf(options)
      ),
    processPages: (key, use, options) =>
      run(
        Effect.flatMap(
          Either.all([Options.filter(resource, options), Options.processing(resource.id, options)]),
          ([filter, checked]) =>
            providing(
              options,
              Streams.processPages(list, key, filter, (pages) => using(connection, pages, use), checked)
            )
        ),
        Options.signalOf(options)
      )
  }
}

export const makeOptionalLimit = <Item extends { readonly id: string }, Encoded, Filter, Service extends Services>(
  connection: Connection,
  list: Streams.OptionalLimit<Item, Encoded, Filter, Service>
): AnyOptionalLimitList<Item> => ({
  ...make(connection, list),
  whole: (options) =>
    walk(
      connection,
      list,
      options,
      Either.flatMap(Options.complete(options, ["take", "from"]), () => Options.retry(options?.retry)),
      (filter, retry) => Streams.whole(list, filter, { retry })
    )
})

/** A walk that fails at its first step if the options are invalid. */
const walk = <Item extends { readonly id: string }, Encoded, Filter, Checked, A>(
  connection: Connection,
  { resource }: Pick<Streams.List<Item, Encoded, Filter, Services>, "resource">,
  options: Options.Given<Public.Cancelable>,
  checked: Options.Checked<Checked>,
  stream: (filter: Filter, checked: Checked, limit?: number) => Stream.Stream<A, Failure, Services>
): Walk<A> => {
  const walked = (limit?: number) =>
    Either.match(Either.all([Options.filter(resource, options), checked]), {
      onLeft: Stream.fail,
      onRight: ([filter, checked]) => stream(filter, checked, limit)
    })
  return connection.walk(walked(), Options.signalOf(options), (limit) => Stream.take(walked(limit), limit))
}

/** Runs the caller's code. What it throws is thrown again. */
const promised = <A>(run: (signal: AbortSignal) => A | Promise<A>): Effect.Effect<A, Thrown> =>
  Effect.tryPromise({ try: (signal) => Promise.resolve(run(signal)), catch: (error) => new Thrown(error) })

/** Gives the caller's code pages to commit. They end with it. */
const using = <Item extends { readonly id: string }, Service extends Services, A>(
  connection: Connection,
  pages: Stream.Stream<Commit.CommittablePage<Item>, Failure, Service>,
  use: (pages: Walk<Public.CommittablePage<Item>>) => Promise<A>
): Effect.Effect<A, Thrown> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) =>
      promised(() =>
        use(connection.walk(
          Stream.map(pages, (page) => ({ ...page, commit: () => connection.run(page.commit, undefined) })),
          signal
        ))
      ),
    (controller) => Effect.sync(() => controller.abort())
  )
