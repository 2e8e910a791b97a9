/**
 * Pages that are committed when they are done.
 *
 * @since 1.0.0
 */
import type { WalkedPage } from "@mailstream/client"
import * as Effect from "effect/Effect"
import type { CommitError } from "./Errors.ts"

/**
 * A page that can be committed while `processPages` is running.
 *
 * @since 1.0.0
 * @category models
 */
export interface CommittablePage<out Item> extends WalkedPage<Item> {
  /** Marks this page as done. The position is stored as soon as all pages before it are done, too. */
  readonly commit: Effect.Effect<void, CommitError>
}

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
 *       Effect.andThen(insert(pages.flatMap(({ data }) => data)), Commit.all(pages))
 *     )
 *   ))
 * ```
 */
export const all = (pages: Iterable<Pick<CommittablePage<unknown>, "commit">>): Effect.Effect<void, CommitError> =>
  // From the last one: the position moves when the first one is committed, past all of them.
  Effect.forEach([...pages].reverse(), ({ commit }) => commit, { discard: true })
