/**
 * Walks that can be stopped at any instant and go on later: their place is kept in a `KeyValueStore`.
 *
 * A page is marked as done when the consumer asks for the next one. So after a crash no item is lost, and at most one
 * page is seen twice.
 *
 * @since 0.1.0
 */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Position from "@mailstream/core/Position"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { withStreamSpan } from "./internal/span.ts"
import type { ListError } from "./ListError.ts"
import * as Walk from "./Walk.ts"

/**
 * What a checkpoint belongs to. One that was stored for anything else is refused.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subject<Id extends string> {
  readonly list: string
  /** By what the list is narrowed: `{ segment_id: "…" }`. */
  readonly filter: { readonly [field: string]: string }
  readonly id: Schema.Schema<Id, string>
}

/**
 * Where a walk stands, and the way to keep that.
 *
 * @since 0.1.0
 * @category models
 */
export interface Checkpoint<Id extends string> {
  /** Where the walk goes on, to be spread into its options. */
  readonly place: Walk.Place<Id>
  /** Marks a page, and with it everything before it, as done. Calls must not overlap. */
  readonly save: (page: Walk.WalkedPage<{ readonly id: Id }>) => Effect.Effect<void, CheckpointError>
}

/**
 * - `Store`: the store failed.
 * - `Corrupt`: what is stored is no checkpoint of a version that is known.
 * - `Mismatch`: what is stored belongs to another list, another filter or the other direction.
 *
 * @since 0.1.0
 * @category errors
 */
export class CheckpointError extends Schema.TaggedError<CheckpointError>("@mailstream/stream/CheckpointError")(
  "CheckpointError",
  {
    reason: Schema.Literal("Store", "Corrupt", "Mismatch"),
    key: Schema.String,
    description: Schema.String
  }
) {
  override get message(): string {
    return `checkpoint ${JSON.stringify(this.key)}: ${this.description}`
  }
}

// Version 1. The fields are written in this order, so that a text which was cut off can be told from other text.
const head = "{\"version\":"

const Stored = Schema.parseJson(Schema.Struct({
  version: Schema.Literal(1),
  sequence: Schema.NonNegativeInt,
  list: Schema.String,
  filter: Schema.Record({ key: Schema.String, value: Schema.String }),
  direction: Schema.Literal("forward", "backward"),
  position: Position.schema(Schema.String),
  fallbacks: Schema.Array(Schema.String)
}))

type Stored = typeof Stored.Type

const decode = Schema.decodeEither(Stored)
const encode = Schema.encodeSync(Stored)

/**
 * Not every store replaces a value at once: whoever is killed while a file is written leaves a part of it behind. So
 * there are two places for a checkpoint, which are written in turn: one of them is always whole.
 */
const slots = (key: string): readonly [string, string] => [key, `${key}~`]

/** Whether a text can be what is left of a checkpoint whose writing was cut off. */
const isTorn = (text: string): boolean =>
  (text.startsWith(head) || head.startsWith(text)) && Either.isLeft(Either.try(() => JSON.parse(text)))

const directionOf = (position: Position.Position | undefined): Stored["direction"] =>
  position?._tag === "Before" ? "backward" : "forward"

/**
 * Opens the checkpoint that is stored under a key for a walk with these options, or a new one.
 *
 * For programs that keep more than a position, such as a file that must hold every item exactly once: they walk
 * through `pages`, write what belongs to a page, and then `save` it. All others use `resumable`.
 *
 * Beside the key, `${key}~` is used in the store.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { contacts, type Walk } from "@mailstream/stream"
 * import type { Contact } from "@mailstream/core"
 * import { Effect, Stream } from "effect"
 *
 * declare const write: (page: Walk.WalkedPage<Contact>) => Effect.Effect<void>
 *
 * const program = Effect.gen(function*() {
 *   const checkpoint = yield* contacts.checkpoint("export")
 *   yield* contacts.pages(checkpoint.place).pipe(
 *     Stream.runForEach((page) => Effect.zipRight(write(page), checkpoint.save(page)))
 *   )
 * })
 * ```
 */
export const open = <Id extends string>(
  key: string,
  subject: Subject<Id>,
  begin: Walk.Place<Id> = {}
): Effect.Effect<Checkpoint<Id>, CheckpointError, KeyValueStore.KeyValueStore> =>
  Effect.gen(function*() {
    const store = yield* KeyValueStore.KeyValueStore
    const stored = yield* latest(key, yield* Effect.forEach(slots(key), (slot) => failing(key, store.get(slot))))
    const direction = directionOf(begin.from)
    const place = Option.isNone(stored)
      ? { from: begin.from, fallbacks: begin.fallbacks }
      : yield* placeOf(key, stored.value, subject, direction)
    let sequence = Option.match(stored, { onNone: () => 0, onSome: ({ sequence }) => sequence + 1 })

    const save: Checkpoint<Id>["save"] = (page) =>
      Effect.suspend(() => {
        const text = encode({
          version: 1,
          sequence,
          list: subject.list,
          filter: subject.filter,
          direction,
          position: page.next,
          fallbacks: page.fallbacks
        })
        return Effect.map(failing(key, store.set(slots(key)[sequence % 2]!, text)), () => {
          sequence++
        })
      })
    return { place, save }
  })

const latest = (
  key: string,
  texts: ReadonlyArray<Option.Option<string>>
): Either.Either<Option.Option<Stored>, CheckpointError> => {
  // The second place is empty until the first one is whole: a walk of which only a torn first is left has done nothing.
  const whole = texts.flatMap(Option.toArray).filter((text) => !isTorn(text))
  return Either.all(whole.map((text) => decode(text))).pipe(
    Either.map((all) => Option.fromNullable(all.sort((a, b) => b.sequence - a.sequence)[0])),
    Either.mapLeft(() => failure("Corrupt", key, "what is stored is no checkpoint that is known here"))
  )
}

const placeOf = <Id extends string>(
  key: string,
  stored: Stored,
  subject: Subject<Id>,
  direction: Stored["direction"]
): Either.Either<Walk.Place<Id>, CheckpointError> => {
  const found = describe(stored.list, stored.filter, stored.direction)
  const wanted = describe(subject.list, subject.filter, direction)
  if (found !== wanted) {
    return Either.left(failure("Mismatch", key, `it is one of ${found}, not of ${wanted}`))
  }
  return Schema.decodeEither(
    Schema.Struct({ from: Position.schema(subject.id), fallbacks: Schema.Array(subject.id) })
  )({ from: stored.position, fallbacks: stored.fallbacks }).pipe(
    Either.mapLeft(() => failure("Corrupt", key, "what is stored holds ids of another kind"))
  )
}

const describe = (list: string, filter: Stored["filter"], direction: Stored["direction"]): string => {
  const fields = Object.keys(filter).sort().map((field) => `${field} ${JSON.stringify(filter[field])}`)
  return [list, ...fields, direction].join(", ")
}

/**
 * Forgets what is stored under a key: the next walk begins anew.
 *
 * @since 0.1.0
 * @category combinators
 */
export const clear = (key: string): Effect.Effect<void, CheckpointError, KeyValueStore.KeyValueStore> =>
  Effect.flatMap(KeyValueStore.KeyValueStore, (store) =>
    Effect.forEach(
      // The second first: what is left when this is cut short is a checkpoint, if an older one.
      [...slots(key)].reverse(),
      (slot) => failing(key, Effect.whenEffect(store.remove(slot), store.has(slot))),
      { discard: true }
    ))

const failing = <A>(key: string, effect: Effect.Effect<A, Error>): Effect.Effect<A, CheckpointError> =>
  Effect.mapError(effect, ({ message }) => failure("Store", key, message))

const failure = (reason: CheckpointError["reason"], key: string, description: string): CheckpointError =>
  new CheckpointError({ reason, key, description })

/**
 * All items from where the last walk with this key was stopped. A walk that has come to its end is empty from then on,
 * until it is cleared. What stands between this stream and the work that is done must not read ahead: a buffer makes
 * pages count as done that are still in it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const resumable = <Item extends { readonly id: string }, R>(
  source: Walk.Source<Item, R>,
  key: string,
  subject: Subject<Item["id"]>,
  options: Walk.Options<Item["id"]> = {}
): Stream.Stream<Item, ListError | CheckpointError, R | KeyValueStore.KeyValueStore> =>
  open(key, subject, options).pipe(
    Effect.map(({ place, save }) =>
      Stream.flatMap(
        Walk.pages(source, { ...options, ...place }),
        (page) => Stream.concat(Stream.fromChunk(Chunk.unsafeFromArray(page.data)), Stream.execute(save(page)))
      )
    ),
    Stream.unwrap,
    (stream) => withStreamSpan(stream, `${source.name}.resumable`, { attributes: { key } })
  )
