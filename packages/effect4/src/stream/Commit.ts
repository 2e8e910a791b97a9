/**
 * Walks that survive a crash: what was delivered is committed when it is done, and the stored position never passes
 * anything that was not committed, in whatever order the commits arrive. After a crash nothing is lost, and
 * the walk is repeated from the first page that was not committed.
 *
 * @since 1.0.0
 */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { dual } from "effect/Function"
import type * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as InvalidOption from "../core/InvalidOption.ts"
import type { Conflict } from "../core/PageRequest.ts"
import * as Position from "../core/Position.ts"
import { withSpan } from "../internal/fibers.ts"
import * as Checkpoint from "./Checkpoint.ts"
import { spanName } from "./internal/span.ts"
import type { ListError } from "./ListError.ts"
import type * as Lock from "./Lock.ts"
import type { Store } from "./Store.ts"
import * as Walk from "./Walk.ts"

/**
 * A page that can be committed.
 *
 * @since 1.0.0
 * @category models
 */
export interface CommittablePage<out Item extends { readonly id: string }> extends Walk.WalkedPage<Item> {
  /**
   * Marks this page as done. The position is stored as soon as all pages before it are done, too. May be called in any
   * order, at once, and more than once, while `processPages` is running.
   */
  readonly commit: Effect.Effect<void, CommitError>
}

/**
 * - `CheckpointError`: the position cannot be read or stored.
 * - `LockError`: another walk is using the same key.
 *
 * @since 1.0.0
 * @category errors
 */
export type CommitError = Checkpoint.CheckpointError | Lock.LockError

/**
 * Those of a walk, except for `take`: what is processed is the complete list, in however many runs.
 *
 * @since 1.0.0
 * @category models
 */
export interface PagesOptions<out Id extends string = string> extends Omit<Walk.Options<Id>, "take"> {
  readonly take?: Conflict<"the complete list is processed, in however many runs: use `items`"> | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options<out Id extends string = string> extends PagesOptions<Id> {
  /** How many items are handled at once, also across pages; default: 1. */
  readonly concurrency?: number | undefined
}

/**
 * A source whose walks can be resumed: its checkpoints are rejected for any other list, filter or service.
 *
 * @since 1.0.0
 * @category models
 */
export interface Source<Item extends { readonly id: string }, out R = never> extends Walk.Source<Item, R> {
  /** The filter of the list: `{ segment_id: "…" }`; default: none. */
  readonly filter?: { readonly [field: string]: string } | undefined
  readonly id: Schema.Codec<Item["id"], string>
}

/**
 * Gives `use` all pages from where the last run with this key stopped. Each has a `commit`, to be run once its results
 * are durable, downstream of any operators. A page that is never committed is delivered again by the next run.
 *
 * The key is in use until `use` ends. A walk that has reached the end stays empty until `Checkpoint.clear`.
 *
 * @since 1.0.0
 * @category constructors
 */
export const processPages = <Item extends { readonly id: string }, R, A, E2, R2>(
  source: Source<Item, R>,
  key: string,
  use: (pages: Stream.Stream<CommittablePage<Item>, ListError, R>) => Effect.Effect<A, E2, R2>,
  options: PagesOptions<Item["id"]> = {}
): Effect.Effect<A, CommitError | InvalidOption.InvalidOption | E2, R | R2 | Store> =>
  Effect.scopedWith((scope) =>
    Effect.gen(function*() {
      yield* Effect.fromResult(InvalidOption.unless(key !== "", "key", "must not be empty"))
      const { from = Position.start, progress } = options
      const { filter = {}, id, name: list } = source
      const service = source.service === undefined ? undefined : yield* source.service
      const checkpoint = yield* Scope.provide(Checkpoint.open(key, { list, filter, id, service, from }), scope)
      if (checkpoint.position._tag === "End") {
        yield* Effect.logInfo(
          `${list}: ${
            JSON.stringify(key)
          } is already complete; to process the list again, clear its checkpoint or use another key`
        )
      }
      if (progress !== undefined && checkpoint.items > 0) {
        yield* SubscriptionRef.update(progress, (now) => ({ ...now, items: now.items + checkpoint.items }))
      }
      const commits = makeCommits(key, checkpoint)
      yield* Scope.addFinalizer(scope, commits.close)
      const pages = Stream.suspend(() => {
        const { deliver, position } = commits.begin()
        return Stream.map(Walk.pages(source, { ...options, take: undefined, from: position }), deliver)
      })
      const result = yield* use(pages)
      yield* commits.warn(list)
      return result
    })
  ).pipe(
    withSpan(spanName(source.name, "process"), {
      attributes: { "mailstream.list": source.name, "mailstream.key": key }
    })
  )

/**
 * Runs `handle` for every item from where the last run with this key stopped, and commits each page when all its items
 * have been handled. Stops at the first failure; the next run repeats the items of pages that were not complete.
 *
 * A walk that has reached the end does nothing until `Checkpoint.clear`: use a new key to process the list again.
 *
 * @since 1.0.0
 * @category constructors
 */
export const process = <Item extends { readonly id: string }, R, E2, R2>(
  source: Source<Item, R>,
  key: string,
  handle: (item: Item) => Effect.Effect<unknown, E2, R2>,
  options: Options<Item["id"]> = {}
): Effect.Effect<void, ListError | CommitError | E2, R | R2 | Store> =>
  Effect.flatMap(
    concurrencyOf(options),
    (concurrency) => processPages(source, key, forEach(handle, { concurrency }), options)
  )

const concurrencyOf = (
  { concurrency = 1 }: { readonly concurrency?: number | undefined }
): Effect.Effect<number, InvalidOption.InvalidOption> =>
  Effect.fromResult(InvalidOption.integer("concurrency", concurrency, { min: 1 }))

/** How many batches may be unfinished at once. Bounds memory while one handler is stuck. */
const maxUnfinished = 64

/**
 * Runs `handle` for every item of batches that can be committed, and commits each batch when all its items have been handled.
 * Stops at the first handler that does not succeed, and ends as it did: with its error, its defect or its interruption.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Commit, contacts } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.processPages("export-2026-11", (pages) =>
 *   pages.pipe(
 *     Stream.tap((page) => Effect.log(page.data.length)),
 *     Commit.forEach((contact) => Effect.log(contact.email), { concurrency: 4 })
 *   ))
 * ```
 */
export const forEach: {
  <Item, E3, R3>(
    handle: (item: Item) => Effect.Effect<unknown, E3, R3>,
    options?: { readonly concurrency?: number | undefined }
  ): <E, R, E2, R2>(
    batches: Stream.Stream<Batch<Item, E2, R2>, E, R>
  ) => Effect.Effect<void, E | E2 | E3 | InvalidOption.InvalidOption, R | R2 | R3>
  <Item, E, R, E2, R2, E3, R3>(
    batches: Stream.Stream<Batch<Item, E2, R2>, E, R>,
    handle: (item: Item) => Effect.Effect<unknown, E3, R3>,
    options?: { readonly concurrency?: number | undefined }
  ): Effect.Effect<void, E | E2 | E3 | InvalidOption.InvalidOption, R | R2 | R3>
} = /* #__PURE__ */ dual(
  ([first]) => Stream.isStream(first),
  <Item, E, R, E2, R2, E3, R3>(
    batches: Stream.Stream<Batch<Item, E2, R2>, E, R>,
    handle: (item: Item) => Effect.Effect<unknown, E3, R3>,
    options: { readonly concurrency?: number | undefined } = {}
  ) => Effect.flatMap(concurrencyOf(options), (concurrency) => handleAll(batches, handle, concurrency))
)

/**
 * Items that are committed together: a `CommittablePage`, for example.
 *
 * @since 1.0.0
 * @category models
 */
export interface Batch<out Item, out E = never, out R = never> {
  readonly data: ReadonlyArray<Item>
  readonly commit: Effect.Effect<void, E, R>
}

const handleAll = <Item, E, R, E2, R2, E3, R3>(
  batches: Stream.Stream<Batch<Item, E2, R2>, E, R>,
  handle: (item: Item) => Effect.Effect<unknown, E3, R3>,
  concurrency: number
): Effect.Effect<void, E | E2 | E3, R | R2 | R3> => {
  const room = Semaphore.makeUnsafe(Math.max(maxUnfinished, concurrency))
  const slots = Semaphore.makeUnsafe(concurrency)
  /** In order; those at the front that are finished are removed. */
  const unfinished: Array<{ left: number }> = []

  /** Makes room for as many batches as are finished, and have nothing unfinished before them. */
  const finish: Effect.Effect<void> = Effect.suspend(() => {
    const end = unfinished.findIndex(({ left }) => left > 0)
    return room.release(unfinished.splice(0, end === -1 ? unfinished.length : end).length)
  })

  /** A stream that runs several effects at once ignores one that was interrupted, even if it also died: not an error. */
  const attempt = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, Failed<E>, R> =>
    Effect.catchCause(
      concurrency === 1 ? work : slots.withPermit(apart(work)),
      (cause) => Effect.fail(new Failed({ cause }))
    )

  return batches.pipe(
    Stream.tap(() => room.take(1)),
    Stream.map(({ commit, data }) => {
      const batch = { left: Math.max(1, data.length) }
      unfinished.push(batch)
      // The last one to end commits the batch.
      const done = Effect.suspend(() => --batch.left === 0 ? Effect.andThen(commit, finish) : Effect.void)
      return data.length === 0
        ? [attempt(done)]
        : data.map((item) => attempt(Effect.andThen(Effect.suspend(() => handle(item)), done)))
    }),
    Stream.flattenIterable,
    // A stream that runs several effects at once would wait for all of them before it fails, with one that never ends for ever.
    Stream.catchCause((cause) => Stream.succeed(Effect.fail(new Failed({ cause })))),
    Stream.mapEffect((work: Effect.Effect<void, Failed<E | E2 | E3>, R2 | R3>) => work, {
      // One of them waits for a slot: the next page is requested when the last item of a page begins, as on Effect 3.
      concurrency: concurrency === 1 ? 1 : concurrency + 1,
      unordered: true
    }),
    Stream.runDrain,
    Effect.catch((error) => Effect.failCause(error.cause))
  )
}

/** In a fiber of its own: a stream would wait for ever for one of its fibers that somebody else interrupts. */
const apart = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatten(Effect.acquireUseRelease(Effect.forkChild(Effect.interruptible(work)), Fiber.await, Fiber.interrupt))

/** Why a handler or a commit did not succeed. */
class Failed<out E> extends Data.TaggedError("Failed")<{ readonly cause: Cause.Cause<E> }> {}

/**
 * Commits several pages with one write.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Commit, type Contact, contacts } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * declare const insert: (contacts: ReadonlyArray<Contact>) => Effect.Effect<void>
 *
 * const program = contacts.processPages("import", (pages) =>
 *   pages.pipe(
 *     Stream.grouped(10),
 *     Stream.runForEach((pages) =>
 *       insert(pages.flatMap(({ data }) => data)).pipe(
 *         Effect.andThen(Commit.all(pages))
 *       )
 *     )
 *   ))
 * ```
 */
export const all = (
  pages: Iterable<{ readonly commit: Effect.Effect<void, CommitError> }>
): Effect.Effect<void, CommitError> =>
  // From the last one: the position moves when the first one is committed, past all of them.
  Effect.forEach([...pages].reverse(), ({ commit }) => commit, { discard: true })

/** A page that was delivered, and whether it is done. */
interface Delivered<Id extends string> {
  readonly next: Position.Position<Id>
  /** How many items are done with this page and all before it, in all runs. */
  readonly items: number
  isCommitted: boolean
}

/** Keeps track of what is delivered and committed in one `processPages`. */
const makeCommits = <Id extends string>(key: string, checkpoint: Checkpoint.Checkpoint<Id>) => {
  const turns = Semaphore.makeUnsafe(1)
  let last: Pick<Delivered<Id>, "items" | "next"> = { items: checkpoint.items, next: checkpoint.position }
  /** In order; those at the front that are done are removed as the position passes them. Undefined when closed. */
  let queue: Array<Delivered<Id>> | undefined = []

  /** Stores the position after all that is done. Commits that arrive at the same time share one write. */
  const flush = (run: Array<Delivered<Id>>): Effect.Effect<void, CommitError> =>
    turns.withPermits(1)(Effect.suspend(() => {
      const end = run.findIndex(({ isCommitted }) => !isCommitted)
      const done = end === -1 ? run.length : end
      const delivered = run[done - 1]
      return delivered === undefined
        ? Effect.void
        : Effect.map(checkpoint.save(delivered.next, delivered.items), () => {
          run.splice(0, done)
          last = delivered
        })
    }))

  const commit = (run: Array<Delivered<Id>>, delivered: Delivered<Id>): Effect.Effect<void, CommitError> =>
    Effect.suspend(() => {
      if (run !== queue) return Effect.fail(closed(key))
      delivered.isCommitted = true
      return flush(run)
    })

  return {
    /** Starts a walk from what is committed. A walk that was started before can no longer commit. */
    begin: () => {
      const run: Array<Delivered<Id>> = []
      queue = run
      let { items } = last
      const deliver = <Page extends Pick<Walk.WalkedPage<{ readonly id: Id }>, "data" | "next">>(page: Page) => {
        const delivered: Delivered<Id> = { next: page.next, items: items += page.data.length, isCommitted: false }
        run.push(delivered)
        return { ...page, commit: commit(run, delivered) }
      }
      return { position: last.next, deliver }
    },
    close: Effect.sync(() => {
      queue = undefined
    }),
    /** At the end of the list, a page that was not committed is most likely a mistake. */
    warn: (list: string) =>
      Effect.suspend(() =>
        queue?.at(-1)?.next._tag === "End"
          ? Effect.logWarning(
            `${list}: the walk is complete, but pages were not committed (${
              queue.filter(({ isCommitted }) => !isCommitted).length
            }); the next run delivers them again`
          )
          : Effect.void
      )
  }
}

const closed = (key: string): Checkpoint.CheckpointError =>
  new Checkpoint.CheckpointError({
    reason: "Closed",
    key,
    description: "the walk that delivered this page has ended; commit pages before `processPages` ends"
  })
