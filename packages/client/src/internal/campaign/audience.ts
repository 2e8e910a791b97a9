/** The audience of a campaign: what callers pass, as a stream. */
import { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { People } from "../../Campaigns.ts"
import * as Checks from "../checks.ts"
import type { Connection } from "../connection.ts"
import { type Failure, Thrown } from "../errors.ts"
import * as Observing from "../observing.ts"
import { type Pages, pagesOf } from "../resumable.ts"

/** An item of the audience, whatever it is, by the `id` and the address that it had when it was read. */
export interface Member {
  readonly id: string
  /** What is kept of those who are skipped. */
  readonly email: string | undefined
  readonly item: unknown
}

/** A walk of the same client, which can be continued, or what has to be read from its start. */
export type Audience = { readonly _tag: "Walk"; readonly pages: Pages } | {
  readonly _tag: "Iterable"
  readonly members: Stream.Stream<Member, Failure>
}

export const make = (audience: unknown, connection: Connection): Checks.Checked<Audience> =>
  Checks.reading("audience", () => {
    const pages = pagesOf(audience, connection)
    if (pages !== undefined) return Either.right({ _tag: "Walk", pages })
    if (isFunction(audience)) {
      const seen = new WeakSet<object>()
      const called = Observing.promised(() => audience(), awaitable)
      return Either.right(
        iterable(Stream.unwrap(Effect.map(Effect.flatMap(called, (people) => returned(people, seen)), members)))
      )
    }
    if (isOneShot(audience)) return Checks.invalid("audience", oneShot)
    return isPeople(audience) ? Either.right(iterable(members(audience))) : Checks.invalid("audience", mustBe)
  })

const iterable = (members: Stream.Stream<Member, Failure>): Audience => ({ _tag: "Iterable", members })

const isFunction = Checks.isCallable as Predicate.Refinement<unknown, () => unknown>

const mustBe =
  "must be an iterable of items with an `id`, as mailstream.contacts.items() is, or a function that returns one"

const oneShot =
  "can be read only once, but a run that continues reads it again: pass a function that returns a new one, " +
  "as in `audience: () => people()`"

const mustReturn = `${mustBe}: it returned something else`

const isPeople = (value: unknown): value is People<unknown> =>
  Checks.hasMethods(value, Symbol.asyncIterator) || Checks.hasMethods(value, Symbol.iterator)

/** Iterators, and streams of Node and of the web. */
const isOneShot = (value: unknown): boolean =>
  ["next", "pipe", "getReader"].some((name) => Checks.hasMethods(value, name))

/** What a function returned, before anybody waits for it. */
const awaitable = (result: unknown): Checks.Checked<void> =>
  Checks.reading(
    "audience",
    () => Predicate.isPromiseLike(result) || isPeople(result) ? Either.void : Checks.invalid("audience", mustReturn)
  )

/** What a function returned. The same iterator again would be an audience without anybody. */
const returned = (people: unknown, seen: WeakSet<object>): Checks.Checked<People<unknown>> =>
  Checks.reading("audience", () => {
    if (!isPeople(people)) return Checks.invalid("audience", mustReturn)
    if (!isOneShot(people)) return Either.right(people)
    if (seen.has(people)) {
      return Checks.invalid("audience", "must return a new iterator each time: this one has been read")
    }
    seen.add(people)
    return Either.right(people)
  })

/** How many items are read at a time: as many as there are in a batch. */
const size = 100

/** Reads what a caller iterates as `for await` would. */
const members = (people: People<unknown>): Stream.Stream<Member, Failure> =>
  Stream.unwrapScoped(Effect.gen(function*() {
    let isReading = false
    let isDone = false
    const iterator = yield* Effect.acquireRelease(
      Effect.try({ try: () => begin(people), catch: (error) => new Thrown(error) }),
      (iterator) =>
        Effect.suspend(() => {
          if (isDone || iterator.return === undefined) return Effect.void
          const returned = Effect.ignore(Effect.tryPromise(async () => iterator.return?.()))
          // A generator that is waiting for something returns only after that, and others may never do.
          return Effect.flatMap(
            Effect.forkDaemon(returned),
            (fiber) =>
              isReading ? Effect.void : Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), "1 second")
          )
        })
    )
    const read = Effect.tryPromise({
      try: async (signal) => {
        isReading = true
        const items: Array<unknown> = []
        while (items.length < size && !isDone && !signal.aborted) {
          const result = await iterator.next()
          if (result.done === true) isDone = true
          else items.push(isAwaited(result.value) ? await result.value : result.value)
        }
        isReading = false
        return items
      },
      catch: (error) => {
        // Whatever has thrown is done.
        isDone = true
        return new Thrown(error)
      }
    })
    return Stream.repeatEffectChunkOption(
      Effect.flatMap(
        Effect.mapError(read, Option.some),
        (items): Effect.Effect<Chunk.Chunk<Member>, Option.Option<Failure>> =>
          items.length === 0
            ? Effect.fail(Option.none())
            : Effect.map(Effect.mapError(Either.all(items.map(memberOf)), Option.some), Chunk.unsafeFromArray)
      )
    )
  }))

const begin = (people: People<unknown>): Iterator<unknown> | AsyncIterator<unknown> =>
  Symbol.asyncIterator in people ? people[Symbol.asyncIterator]() : people[Symbol.iterator]()

/** What cannot be looked at is refused as an item without an id. */
const isAwaited = (value: unknown): boolean =>
  Either.getOrElse(Either.try(() => Predicate.isPromiseLike(value)), () => false)

const memberOf = (item: unknown): Either.Either<Member, InvalidOption> =>
  Either.flatMap(
    Either.try({ try: () => textOf(item, "id"), catch: () => invalidId }),
    (id) => id === undefined ? Either.left(invalidId) : Either.right(member(id, item))
  )

/** An address that cannot be read is none. */
export const member = (id: string, item: unknown): Member => ({
  id,
  email: Either.getOrUndefined(Either.try(() => textOf(item, "email"))),
  item
})

const textOf = (item: unknown, field: "id" | "email"): string | undefined => {
  const value = Predicate.hasProperty(item, field) ? item[field] : undefined
  return Predicate.isString(value) ? value : undefined
}

const invalidId = new InvalidOption({
  option: "audience",
  description: "must have items whose `id` is a string, each its own"
})
