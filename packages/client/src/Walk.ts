/**
 * Walks through a list, as async iterables.
 *
 * @since 1.0.0
 */

/**
 * A walk that has not begun: nothing is requested before the first `next()`, and no page before it is needed. Every
 * `for await` is a new walk. Leaving a loop with `break`, `return` or an error stops the walk and aborts its request.
 *
 * @since 1.0.0
 * @category models
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/client"
 *
 * await using mailstream = Mailstream.fromEnv()
 *
 * for await (const contact of mailstream.contacts.items()) {
 *   if (contact.unsubscribed) break
 *   console.log(contact.email)
 * }
 *
 * const newest = await mailstream.contacts.items().toArray({ limit: 500 })
 * ```
 */
export interface Walk<out A> extends AsyncIterable<A> {
  readonly [Symbol.asyncIterator]: () => WalkIterator<A>
  /** Collects the first items, at most `limit` of them, and requests no more than these. */
  readonly toArray: (options: { readonly limit: number }) => Promise<Array<A>>
  /** The same walk as a web stream, which begins with the first read. Cancelling the stream stops the walk. */
  readonly toReadableStream: () => ReadableStream<A>
}

/**
 * One run of a walk. Calls of `next` may overlap: they are served in order. After the end, after a failure and after
 * `return`, which does not wait for a pending `next`, every `next` is done.
 *
 * @since 1.0.0
 * @category models
 */
export interface WalkIterator<out A> extends AsyncIterator<A, undefined> {
  readonly next: () => Promise<IteratorResult<A, undefined>>
  readonly return: () => Promise<IteratorReturnResult<undefined>>
  readonly throw: (error: unknown) => Promise<IteratorReturnResult<undefined>>
}
