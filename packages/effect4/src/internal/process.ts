/** Processing: the client keeps the position, and everything else runs in the caller's fiber. */
import { type CommittablePage, InvalidOption, type ProcessPagesOptions, type Walk } from "@mailstream/client"
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { constVoid, identity } from "effect/Function"
import * as Stream from "effect/Stream"
import type * as Commit from "../Commit.ts"
import type { CommitError, ListError, OptionError } from "../Errors.ts"
import { Store } from "../Store.ts"
import { call, commitError, fromWalk, openError, settled } from "./border.ts"
import { required } from "./required.ts"
import * as Stores from "./store.ts"

/** `processPages` of one list of the client, with its options but for the store and the signal. */
export type ProcessPages<Item> = <A>(
  key: string,
  use: (pages: Walk<CommittablePage<Item>>) => Promise<A>,
  options: Pick<ProcessPagesOptions, "store" | "signal">
) => Promise<A>

/** A call of `processPages` that lasts until `finish` or `stop`. */
interface Session<out Item> {
  readonly pages: Effect.Effect<Stream.Stream<Commit.CommittablePage<Item>, ListError>, CommitError | OptionError>
  readonly finish: Effect.Effect<void, CommitError | OptionError>
  readonly stop: Effect.Effect<void>
}

const open = <Item>(processPages: ProcessPages<Item>, key: string, store: Store["Service"]): Session<Item> => {
  const controller = new AbortController()
  let onOpen: (pages: Walk<CommittablePage<Item>>) => void
  let onFinish: () => void
  const opened = new Promise<Walk<CommittablePage<Item>>>((resolve) => (onOpen = resolve))
  const finished = new Promise<void>((resolve) => (onFinish = resolve))
  const ended = processPages(key, (pages) => {
    onOpen(pages)
    return finished
  }, { store: Stores.toClient(store), signal: controller.signal })
  ended.catch(constVoid)
  return {
    pages: Effect.map(
      Effect.tryPromise({ try: () => Promise.race([opened, ended.then(() => opened)]), catch: openError }),
      (pages) =>
        Stream.map(fromWalk(() => pages), (page) => ({ ...page, commit: call(() => page.commit(), commitError) }))
    ),
    finish: Effect.tryPromise({
      try: () => {
        onFinish()
        return ended
      },
      catch: openError
    }),
    stop: Effect.suspend(() => {
      controller.abort()
      return settled(ended)
    })
  }
}

export const processPages = <Item, A, E, R>(
  list: ProcessPages<Item>,
  key: string,
  use: (pages: Stream.Stream<Commit.CommittablePage<Item>, ListError>) => Effect.Effect<A, E, R>
): Effect.Effect<A, CommitError | OptionError | E, R | Store> =>
  Effect.acquireUseRelease(
    Store.useSync((store) => open(list, key, store)),
    ({ finish, pages }) =>
      Effect.flatMap(pages, (pages) =>
        Effect.flatMap(
          required("The function of `processPages`", () => use(pages)),
          (result) => Effect.as(finish, result)
        )),
    ({ stop }) => stop
  )

export const process = <Item, E, R>(
  list: ProcessPages<Item>,
  key: string,
  handle: (item: Item) => Effect.Effect<unknown, E, R>,
  concurrency = 1
): Effect.Effect<void, ListError | CommitError | E, R | Store> => {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    return Effect.fail(
      new InvalidOption({ option: "concurrency", message: "concurrency must be an integer, 1 or greater" })
    )
  }
  /** One effect per item; the last one to end commits the page. */
  const work = (
    page: Commit.CommittablePage<Item>
  ): ReadonlyArray<Effect.Effect<unknown, CommitError | HandlerFailed<E>, R>> => {
    let left = page.data.length
    if (left === 0) return [page.commit]
    return page.data.map((item) =>
      Effect.flatMap(attempt(handle, item, concurrency), () => {
        left--
        return left === 0 ? page.commit : Effect.void
      })
    )
  }
  return processPages(list, key, (pages) =>
    pages.pipe(
      Stream.flatMap((page) => Stream.fromArray(work(page))),
      Stream.mapEffect(identity, { concurrency, unordered: true }),
      Stream.runDrain,
      Effect.catch((error): Effect.Effect<never, ListError | CommitError | E> =>
        error instanceof HandlerFailed ? Effect.failCause(error.cause) : Effect.fail(error)
      )
    ))
}

/**
 * Why a handler did not succeed. A stream that runs several effects at once ignores one that was interrupted, even if it
 * also died; it does not ignore an error.
 */
class HandlerFailed<out E> extends Data.TaggedError("HandlerFailed")<{ readonly cause: Cause.Cause<E> }> {}

const attempt = <Item, E, R>(
  handle: (item: Item) => Effect.Effect<unknown, E, R>,
  item: Item,
  concurrency: number
): Effect.Effect<unknown, HandlerFailed<E>, R> =>
  required("The handler", () => handle(item)).pipe(
    concurrency === 1 ? identity : apart,
    Effect.catchCause((cause) => Effect.fail(new HandlerFailed({ cause })))
  )

/** In a fiber of its own: a stream would wait for ever for one of its fibers that somebody else interrupts. */
const apart = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatten(Effect.acquireUseRelease(
    Effect.forkChild(Effect.interruptible(work)),
    Fiber.await,
    Fiber.interrupt
  ))
