/** One list: as a service on the client, and as functions that use the service. */
import type * as Client from "@mailstream/client"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as List from "../List.ts"
import { call, fromPages, fromWalk, requestError } from "./border.ts"
import { adapted, millis, retried } from "./options.ts"
import * as Processing from "./process.ts"

/** A list with the filter of the client's, which the client checks: here, it is only passed on. */
export const makeUnordered = <Item, Filter>(
  list: Client.UnorderedList<Item, Filter>
): List.UnorderedList<Item, Filter> => {
  const source = list as Client.UnorderedList<Item, unknown>
  const processPages =
    (options: List.ProcessPagesOptions, surroundings: Context.Context<never>): Processing.ProcessPages<Item> =>
    (key, use, session) => source.processPages(key, use, { ...adapted(options, surroundings), ...session })
  const made: List.UnorderedList<Item, unknown> = {
    list: (options = {}) =>
      call(
        (signal, surroundings) => source.list({ ...options, ...retried(options, surroundings), signal }),
        requestError
      ),
    items: (options = {}) => fromPages((surroundings) => source.pages(adapted(options, surroundings))),
    pages: (options = {}) => fromWalk((surroundings) => source.pages(adapted(options, surroundings))),
    process: (key, handle, { concurrency, ...options } = {}) =>
      Effect.contextWith((surroundings: Context.Context<never>) =>
        Processing.process(processPages(options, surroundings), key, handle, concurrency)
      ),
    processPages: (key, use, options = {}) =>
      Effect.contextWith((surroundings: Context.Context<never>) =>
        Processing.processPages(processPages(options, surroundings), key, use)
      )
  }
  return made
}

export const make = <Item, Filter>(list: Client.List<Item, Filter>): List.List<Item, Filter> => {
  const source = list as Client.List<Item, unknown>
  const made: List.List<Item, unknown> = {
    ...makeUnordered(source),
    follow: (options = {}) =>
      fromWalk((surroundings) => source.follow({ ...adapted(options, surroundings), poll: millis(options.poll) }))
  }
  return made
}

export const makeOptionalLimit = <Item, Filter>(
  list: Client.OptionalLimitList<Item, Filter>
): List.OptionalLimitList<Item, Filter> => {
  const source = list as Client.OptionalLimitList<Item, unknown>
  const made: List.OptionalLimitList<Item, unknown> = {
    ...make(source),
    whole: (options = {}) => fromWalk((surroundings) => source.whole(adapted(options, surroundings)))
  }
  return made
}

/** The functions of a service, which they require. */
export const usingUnordered = <Item, Filter, Service>(
  service: Effect.Effect<List.UnorderedList<Item, Filter>, never, Service>
): List.UnorderedList<Item, Filter, Service> => ({
  list: (...options) => Effect.flatMap(service, (list) => list.list(...options)),
  items: (...options) => Stream.unwrap(Effect.map(service, (list) => list.items(...options))),
  pages: (...options) => Stream.unwrap(Effect.map(service, (list) => list.pages(...options))),
  process: (key, handle, ...options) => Effect.flatMap(service, (list) => list.process(key, handle, ...options)),
  processPages: (key, use, ...options) => Effect.flatMap(service, (list) => list.processPages(key, use, ...options))
})

export const using = <Item, Filter, Service>(
  service: Effect.Effect<List.List<Item, Filter>, never, Service>
): List.List<Item, Filter, Service> => ({
  ...usingUnordered(service),
  follow: (...options) => Stream.unwrap(Effect.map(service, (list) => list.follow(...options)))
})

export const usingWhole = <Item, Filter, Service>(
  service: Effect.Effect<List.OptionalLimitList<Item, Filter>, never, Service>
): List.OptionalLimitList<Item, Filter, Service> => ({
  ...using(service),
  whole: (...options) => Stream.unwrap(Effect.map(service, (list) => list.whole(...options)))
})
