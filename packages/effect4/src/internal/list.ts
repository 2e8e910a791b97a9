/** One list: as a service on the client, and as functions that use the service. */
import type * as Client from "@mailstream/client"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Commit from "../Commit.ts"
import type { CommitError, ListError, RequestError } from "../Errors.ts"
import type * as List from "../List.ts"
import type { Store } from "../Store.ts"
import { call, fromPages, fromWalk, requestError } from "./border.ts"
import { type Given, millis, retryOf } from "./options.ts"
import * as Processing from "./process.ts"

/** A list of the client with any filter, which the client checks. These are methods, so that every list is one. */
interface Source<out Item> {
  list(options?: Given<Client.ListOptions>): Promise<Client.Page<Item>>
  pages(options?: Given<Client.WalkOptions>): Client.Walk<Client.WalkedPage<Item>>
  follow(options?: Given<Client.FollowOptions>): Client.Walk<Item>
  processPages<A>(
    key: string,
    use: (pages: Client.Walk<Client.CommittablePage<Item>>) => Promise<A>,
    options: Given<Client.ProcessPagesOptions>
  ): Promise<A>
}

interface OptionalLimitSource<out Item> extends Source<Item> {
  whole(options?: Given<Client.WholeOptions>): Client.Walk<Item>
}

/** A list whose filter is checked when it is used. The public types say what the filter of each list is. */
interface AnyList<out Item> {
  readonly list: (options?: Given<List.ListOptions>) => Effect.Effect<Client.Page<Item>, RequestError>
  readonly items: (options?: Given<List.WalkOptions>) => Stream.Stream<Item, ListError>
  readonly pages: (options?: Given<List.WalkOptions>) => Stream.Stream<Client.WalkedPage<Item>, ListError>
  readonly follow: (options?: Given<List.FollowOptions>) => Stream.Stream<Item, ListError>
  readonly process: <E, R>(
    key: string,
    handle: (item: Item) => Effect.Effect<unknown, E, R>,
    options?: Given<List.ProcessOptions>
  ) => Effect.Effect<void, ListError | CommitError | E, R | Store>
  readonly processPages: <A, E, R>(
    key: string,
    use: (pages: Stream.Stream<Commit.CommittablePage<Item>, ListError>) => Effect.Effect<A, E, R>,
    options?: Given<List.ProcessPagesOptions>
  ) => Effect.Effect<A, Client.ValidationError | CommitError | E, R | Store>
}

interface AnyOptionalLimitList<out Item> extends AnyList<Item> {
  readonly whole: (options?: Given<List.WholeOptions>) => Stream.Stream<Item, ListError>
}

export const make = <Item>(source: Source<Item>): AnyList<Item> => {
  const processPages =
    (options: Given<List.ProcessPagesOptions>): Processing.ProcessPages<Item> => (key, use, session) =>
      source.processPages(key, use, { ...options, retry: retryOf(options), ...session })
  return {
    list: (options = {}) =>
      call((signal) => source.list({ ...options, retry: retryOf(options), signal }), requestError),
    items: (options = {}) => fromPages(() => source.pages({ ...options, retry: retryOf(options) })),
    pages: (options = {}) => fromWalk(() => source.pages({ ...options, retry: retryOf(options) })),
    follow: (options = {}) =>
      fromWalk(() => source.follow({ ...options, retry: retryOf(options), poll: millis(options.poll) })),
    process: (key, handle, { concurrency, ...options } = {}) =>
      Processing.process(processPages(options), key, handle, concurrency),
    processPages: (key, use, options = {}) => Processing.processPages(processPages(options), key, use)
  }
}

export const makeOptionalLimit = <Item>(source: OptionalLimitSource<Item>): AnyOptionalLimitList<Item> => ({
  ...make(source),
  whole: (options = {}) => fromWalk(() => source.whole({ ...options, retry: retryOf(options) }))
})

/** The functions of a service, which they require. */
export const using = <Item, Filter, Service>(
  service: Effect.Effect<List.List<Item, Filter>, never, Service>
): List.List<Item, Filter, Service> => ({
  list: (...options) => Effect.flatMap(service, (list) => list.list(...options)),
  items: (...options) => Stream.unwrap(Effect.map(service, (list) => list.items(...options))),
  pages: (...options) => Stream.unwrap(Effect.map(service, (list) => list.pages(...options))),
  follow: (...options) => Stream.unwrap(Effect.map(service, (list) => list.follow(...options))),
  process: (key, handle, ...options) => Effect.flatMap(service, (list) => list.process(key, handle, ...options)),
  processPages: (key, use, ...options) => Effect.flatMap(service, (list) => list.processPages(key, use, ...options))
})

export const usingOptionalLimit = <Item, Filter, Service>(
  service: Effect.Effect<List.OptionalLimitList<Item, Filter>, never, Service>
): List.OptionalLimitList<Item, Filter, Service> => ({
  ...using(service),
  whole: (...options) => Stream.unwrap(Effect.map(service, (list) => list.whole(...options)))
})
