/** Processing that survives a crash. */
import * as Commit from "@mailstream/stream/Commit"
import type * as Streams from "@mailstream/stream/List"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { CommittablePage, List } from "../List.ts"
import type { Walk } from "../Walk.ts"
import { type Caller, capture } from "./caller.ts"
import * as Calls from "./calls.ts"
import * as Checks from "./checks.ts"
import type { Call, Connection, Services } from "./connection.ts"
import type { Failure } from "./errors.ts"
import * as Observing from "./observing.ts"
import * as Options from "./options.ts"
import { providing } from "./store.ts"

type Processing<Item> = Pick<List<Item, unknown>, "process" | "processPages">

export const make = <Item extends { readonly id: string }, Encoded, Filter, Service extends Services>(
  connection: Connection,
  { resource, source }: Streams.List<Item, Encoded, Filter, Service>
): Processing<Item> => {
  const policyOf = (options: Options.Defaults) => Options.policyOf(options, connection.defaults)
  const made: Processing<Item> = {
    process: (key, handle, options) => {
      const checked = Either.all([
        Checks.key(key, "key"),
        Checks.callback()(handle, "handle"),
        Options.process(resource, options)
      ])
      return Calls.run(
        connection,
        made.process,
        Either.map(checked, ([_key, _function, options]) => options),
        ({ filter, store, ...options }) =>
          Effect.flatMap(Observing.tracker(options.progress), (progress) =>
            providing(
              store,
              Commit.process(
                source(filter),
                key,
                (item) => Observing.done("handle", (signal) => handle(item, { signal })),
                { ...options, progress, retry: policyOf(options) }
              )
            ))
      )
    },
    processPages: (key, use, options) => {
      const checked = Either.all([
        Checks.key(key, "key"),
        Checks.callback()(use, "use"),
        Options.processPages(resource, options)
      ])
      return Calls.run(
        connection,
        made.processPages,
        Either.map(checked, ([_key, _function, options]) => options),
        ({ filter, store, ...options }, call) =>
          Effect.flatMap(Observing.tracker(options.progress), (progress) =>
            providing(
              store,
              Commit.processPages(source(filter), key, (pages) => using(connection, pages, use, call), {
                ...options,
                progress,
                retry: policyOf(options)
              })
            ))
      )
    }
  }
  return made
}

/** Gives the caller's code pages to commit. They end with it, when the commits that it has begun have succeeded. */
const using = <Item extends { readonly id: string }, Service extends Services, A>(
  connection: Connection,
  pages: Stream.Stream<Commit.CommittablePage<Item>, Failure, Service>,
  use: (pages: Walk<CommittablePage<Item>>) => Promise<A>,
  { caller, signal: outer }: Call
): Effect.Effect<A, Failure> => {
  const pending = new Set<Promise<void>>()
  /** Afterwards, a commit fails because of that, and not because of a signal. */
  let isOpen = true
  const begin = (commit: Effect.Effect<void, Commit.CommitError>, caller: Caller): Promise<void> => {
    const begun = connection.run(commit, { signal: isOpen ? outer : undefined, caller })
    const end = () => pending.delete(begun)
    pending.add(begun)
    begun.then(end, end)
    return begun
  }
  const committable = Stream.map(pages, (page) => {
    const commit = () => begin(page.commit, capture(commit))
    return { ...page, commit }
  })
  return Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) =>
      Observing.promised(() => use(connection.walk(committable, { signal, caller })), Checks.used).pipe(
        Effect.tap(() => Observing.promised(() => Promise.all(pending), Checks.used))
      ),
    (controller) =>
      Effect.promise(() => {
        isOpen = false
        controller.abort()
        // The key must not be let go while a position is being stored. No store takes forever.
        return Promise.allSettled(pending)
      })
  )
}
