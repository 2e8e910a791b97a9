/**
 * Walks that can be stopped at any time and resumed later: their position is kept in a `KeyValueStore`.
 *
 * A page is marked as done when the consumer pulls the next one. So after a crash no item is lost, and at most one page
 * is repeated.
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
 * What a checkpoint belongs to. A checkpoint that was stored for anything else is rejected.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subject<Id extends string> {
  readonly list: string
  /** The filter of the list: `{ segment_id: "…" }`. */
  readonly filter: { readonly [field: string]: string }
  readonly id: Schema.Schema<Id, string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options<out Id extends string = string> {
  /** Where the walk begins if nothing is stored; default: `Position.start`. */
  readonly from?: Position.Position<Id> | undefined
}

/**
 * The position of a walk, and how to store it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Checkpoint<Id extends string> {
  /** Where the walk continues. */
  readonly position: Position.Position<Id>
  /** Marks a page, and with it everything before it, as done. Calls must not overlap. */
  readonly save: (page: Walk.WalkedPage<{ readonly id: Id }>) => Effect.Effect<void, CheckpointError>
}

/**
 * - `Store`: the store failed.
 * - `Corrupt`: what is stored is not a checkpoint of a known version.
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

// The fields are written in this order, so that truncated text can be recognized.
const head = "{\"version\":"

const common = {
  sequence: Schema.NonNegativeInt,
  list: Schema.String,
  filter: Schema.Record({ key: Schema.String, value: Schema.String }),
  direction: Schema.Literal("forward", "backward"),
  position: Position.schema(Schema.String)
}

const Version2 = Schema.Struct({ version: Schema.Literal(2), ...common })

/** The version before positions carried their fallbacks. */
const Version1 = Schema.Struct({ version: Schema.Literal(1), ...common, fallbacks: Schema.Array(Schema.String) })

type Stored = typeof Version2.Type

const decodeText = Schema.decodeEither(Schema.parseJson(Schema.Union(Version2, Version1)))

const decode = (text: string): Either.Either<Stored, unknown> =>
  Either.map(decodeText(text), (stored): Stored => {
    if (stored.version === 2) return stored
    const { fallbacks, position, ...rest } = stored
    return { ...rest, version: 2, position: "id" in position ? { ...position, fallbacks } : position }
  })

const encode = Schema.encodeSync(Schema.parseJson(Version2))

/**
 * Not every store replaces a value atomically: a process that is killed while it writes a file leaves a partial
 * file. So a checkpoint has two slots, which are written alternately: one of them is always complete.
 */
const slots = (key: string): readonly [string, string] => [key, `${key}~`]

/** Whether a text can be what is left of a checkpoint whose write was interrupted. */
const isTorn = (text: string): boolean =>
  (text.startsWith(head) || head.startsWith(text)) && Either.isLeft(Either.try(() => JSON.parse(text)))

const directionOf = (position: Position.Position | undefined): Stored["direction"] =>
  position?._tag === "Before" ? "backward" : "forward"

/**
 * Opens the checkpoint stored under a key for a walk with these options, or a new one.
 *
 * For programs that store more than a position, such as a file that must hold every item exactly once: they walk
 * through `pages`, write what belongs to a page, and then `save` it. Other programs use `resumable`.
 *
 * Besides the key, `${key}~` is used in the store.
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
 *   yield* contacts.pages({ from: checkpoint.position }).pipe(
 *     Stream.runForEach((page) => Effect.zipRight(write(page), checkpoint.save(page)))
 *   )
 * })
 * ```
 */
export const open = <Id extends string>(
  key: string,
  subject: Subject<Id>,
  options: Options<Id> = {}
): Effect.Effect<Checkpoint<Id>, CheckpointError, KeyValueStore.KeyValueStore> =>
  Effect.gen(function*() {
    const store = yield* KeyValueStore.KeyValueStore
    const stored = yield* latest(key, yield* Effect.forEach(slots(key), (slot) => failing(key, store.get(slot))))
    const direction = directionOf(options.from)
    const position = Option.isNone(stored)
      ? options.from ?? Position.start
      : yield* positionOf(key, stored.value, subject, direction)
    let sequence = Option.match(stored, { onNone: () => 0, onSome: ({ sequence }) => sequence + 1 })

    const save: Checkpoint<Id>["save"] = (page) =>
      Effect.suspend(() => {
        const text = encode({
          version: 2,
          sequence,
          list: subject.list,
          filter: subject.filter,
          direction,
          position: page.next
        })
        return Effect.map(failing(key, store.set(slots(key)[sequence % 2]!, text)), () => {
          sequence++
        })
      })
    return { position, save }
  })

const latest = (
  key: string,
  texts: ReadonlyArray<Option.Option<string>>
): Either.Either<Option.Option<Stored>, CheckpointError> => {
  // The second slot is empty until the first is complete: if only a torn first slot exists, no page was done.
  const complete = texts.flatMap(Option.toArray).filter((text) => !isTorn(text))
  return Either.all(complete.map(decode)).pipe(
    Either.map((all) => Option.fromNullable(all.sort((a, b) => b.sequence - a.sequence)[0])),
    Either.mapLeft(() => failure("Corrupt", key, "unrecognized checkpoint"))
  )
}

const positionOf = <Id extends string>(
  key: string,
  stored: Stored,
  subject: Subject<Id>,
  direction: Stored["direction"]
): Either.Either<Position.Position<Id>, CheckpointError> => {
  const found = describe(stored.list, stored.filter, stored.direction)
  const wanted = describe(subject.list, subject.filter, direction)
  if (found !== wanted) {
    return Either.left(failure("Mismatch", key, `it belongs to ${found}, not to ${wanted}`))
  }
  return Either.mapLeft(
    Schema.decodeEither(Position.schema(subject.id))(stored.position),
    () => failure("Corrupt", key, "the stored ids are not ids of this list")
  )
}

const describe = (list: string, filter: Stored["filter"], direction: Stored["direction"]): string => {
  const fields = Object.keys(filter).sort().map((field) => `${field} ${JSON.stringify(filter[field])}`)
  return [list, ...fields, direction].join(", ")
}

/**
 * Removes the checkpoint stored under a key: the next walk starts over.
 *
 * @since 0.1.0
 * @category combinators
 */
export const clear = (key: string): Effect.Effect<void, CheckpointError, KeyValueStore.KeyValueStore> =>
  Effect.flatMap(KeyValueStore.KeyValueStore, (store) =>
    Effect.forEach(
      // The second slot first: if this is interrupted, a valid, possibly older, checkpoint is left.
      [...slots(key)].reverse(),
      (slot) => failing(key, Effect.whenEffect(store.remove(slot), store.has(slot))),
      { discard: true }
    ))

const failing = <A>(key: string, effect: Effect.Effect<A, Error>): Effect.Effect<A, CheckpointError> =>
  Effect.mapError(effect, ({ message }) => failure("Store", key, message))

const failure = (reason: CheckpointError["reason"], key: string, description: string): CheckpointError =>
  new CheckpointError({ reason, key, description })

/**
 * All items from where the last walk with this key stopped. A finished walk stays empty until it is cleared.
 * Nothing between this stream and its consumer may read ahead: pages in a buffer would already count as done.
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
    Effect.map(({ position, save }) =>
      Stream.flatMap(
        Walk.pages(source, { ...options, from: position }),
        (page) => Stream.concat(Stream.fromChunk(Chunk.unsafeFromArray(page.data)), Stream.execute(save(page)))
      )
    ),
    Stream.unwrap,
    (stream) => withStreamSpan(stream, `${source.name}.resumable`, { attributes: { key } })
  )
