/**
 * The position of a walk, kept in a `KeyValueStore`, so that the walk can be resumed after a crash.
 *
 * Programs use `process` and `processPages`, which commit what is done; this module is what they store.
 *
 * @since 1.0.0
 */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Position from "@mailstream/core/Position"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import * as BoundedStore from "./internal/boundedStore.ts"
import * as Lock from "./Lock.ts"

/**
 * What a checkpoint belongs to. A checkpoint that was stored for anything else is rejected.
 *
 * @since 1.0.0
 * @category models
 */
export interface Subject<Id extends string> {
  /** The base URL of the API; undefined if it is not known, as in tests without a network. */
  readonly service?: string | undefined
  readonly list: string
  /** The filter of the list: `{ segment_id: "…" }`. */
  readonly filter: { readonly [field: string]: string }
  readonly id: Schema.Schema<Id, string>
  /** Where the walk begins if nothing is stored. */
  readonly from: Position.Position<Id>
}

/**
 * The position of a walk, and how to store it.
 *
 * @since 1.0.0
 * @category models
 */
export interface Checkpoint<Id extends string> {
  /** Where the walk continues. */
  readonly position: Position.Position<Id>
  /** How many items are done, in all runs. */
  readonly items: number
  /** Stores that everything before a position is done, and how many items that are. Calls must not overlap. */
  readonly save: (
    position: Position.Position<Id>,
    items?: number
  ) => Effect.Effect<void, CheckpointError | Lock.LockError>
}

/**
 * - `Store`: the store failed.
 * - `Corrupt`: what is stored is not a checkpoint of a known version.
 * - `Mismatch`: what is stored belongs to another service, list, filter or beginning.
 * - `Closed`: a page was committed after its walk had ended. The page will be delivered again.
 *
 * @since 1.0.0
 * @category errors
 */
export class CheckpointError extends Schema.TaggedError<CheckpointError>("@mailstream/stream/CheckpointError")(
  "CheckpointError",
  {
    reason: Schema.Literal("Store", "Corrupt", "Mismatch", "Closed"),
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

const Stored = Schema.Struct({
  version: Schema.Literal(3),
  sequence: Schema.Int.pipe(Schema.between(0, 2 ** 52)),
  service: Schema.optional(Schema.String),
  list: Schema.String,
  filter: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** As `placeOf` writes it. */
  from: Schema.String,
  position: Position.schema(Schema.String),
  /** Older checkpoints have none. */
  items: Schema.optional(Schema.Int)
})

type Stored = typeof Stored.Type

const decode = Schema.decodeEither(Schema.parseJson(Stored))

/**
 * Not every store replaces a value atomically: a process that is killed while it writes a file leaves a partial
 * file. So a checkpoint has two slots, which are written alternately: one of them is always complete. No two keys share
 * a slot, because each ends in a suffix of its own.
 */
const slots = (key: string): readonly [string, string] => [`${key}.0`, `${key}.1`]

/** The name of a file has up to 255 characters, and `.lock.renewed` is the longest suffix. */
const check = (key: string): Either.Either<void, InvalidOption.InvalidOption> =>
  InvalidOption.unless(
    // Lone surrogates cannot be encoded.
    !/\p{Cs}/u.test(key) && encodeURIComponent(key).length <= 242,
    "key",
    "must be well-formed text of at most 242 characters, percent-encoded"
  )

const lock = (key: string) => Effect.zipRight(check(key), Lock.acquire(`${key}.lock`, { name: key }))

/**
 * Whether a text can be what is left of a checkpoint whose write was interrupted: its beginning, or, after a loss of power,
 * as many zeros as it had bytes.
 */
const isTorn = (text: string): boolean =>
  (text.startsWith(head) || head.startsWith(text) || /^\0+$/.test(text)) &&
  Either.isLeft(Either.try(() => JSON.parse(text)))

/**
 * Opens the checkpoint stored under a key, or a new one, and locks it until the scope closes. In the store, `${key}.0`
 * and `${key}.1` are used, and what begins with `${key}.lock`.
 *
 * @since 1.0.0
 * @category constructors
 */
export const open = <Id extends string>(
  key: string,
  subject: Subject<Id>
): Effect.Effect<
  Checkpoint<Id>,
  CheckpointError | Lock.LockError | InvalidOption.InvalidOption,
  KeyValueStore.KeyValueStore | Scope.Scope
> =>
  Effect.gen(function*() {
    const store = BoundedStore.make(yield* KeyValueStore.KeyValueStore)
    const { verify } = yield* lock(key)
    const stored = yield* readLatest(key, store)
    const from = placeOf(subject.from)
    const position = Option.isNone(stored) ? subject.from : yield* positionOf(key, stored.value, subject, from)
    let sequence = Option.match(stored, { onNone: () => 0, onSome: ({ sequence }) => sequence + 1 })

    const save: Checkpoint<Id>["save"] = (position, items = 0) =>
      Effect.suspend(() => {
        const { filter, list, service } = subject
        const stored: Stored = { version: 3, sequence, service, list, filter, from, position, items }
        const slot = slots(key)[sequence % 2]!
        return Effect.zipRight(verify, failing(key, store.set(slot, JSON.stringify(stored)))).pipe(
          Effect.map(() => {
            sequence++
          }),
          // Not every store can stop a write: the lock must be held until it is done.
          Effect.uninterruptible
        )
      })
    return { position, items: Option.match(stored, { onNone: () => 0, onSome: itemsOf }), save }
  })

const itemsOf = ({ items = 0 }: Stored): number => items

const readLatest = (key: string, store: ReturnType<typeof BoundedStore.make>) =>
  Effect.flatMap(Effect.forEach(slots(key), (slot) => failing(key, store.get(slot))), (texts) => latest(key, texts))

/** The latest complete checkpoint of a key, if there is one, from the texts of its slots. */
const latest = (
  key: string,
  texts: ReadonlyArray<Option.Option<string>>
): Either.Either<Option.Option<Stored>, CheckpointError> => {
  const found = texts.flatMap(Option.toArray)
  const complete = found.filter((text) => !isTorn(text))
  // The second slot is empty until the first is complete: if only a torn first slot exists, nothing was committed.
  const isNew = found.length === 0 || (complete.length === 0 && found.length === 1 && Option.isSome(texts[0]!))
  if (isNew) return Either.right(Option.none())
  return complete.length === 0 ? Either.left(corrupt(key)) : Either.all(complete.map((text) => decode(text))).pipe(
    Either.map((all) => Option.fromNullable(all.sort((a, b) => b.sequence - a.sequence)[0])),
    Either.mapLeft(() => corrupt(key))
  )
}

const corrupt = (key: string): CheckpointError =>
  failure("Corrupt", key, "the stored checkpoint is corrupt; clear it to start over")

const positionOf = <Id extends string>(
  key: string,
  stored: Stored,
  subject: Subject<Id>,
  from: string
): Either.Either<Position.Position<Id>, CheckpointError> => {
  const isSame = stored.list === subject.list &&
    filterText(stored.filter) === filterText(subject.filter) &&
    (stored.service ?? subject.service) === (subject.service ?? stored.service) && stored.from === from
  if (!isSame) {
    const wanted = describe({ ...subject, from })
    return Either.left(
      failure("Mismatch", key, `belongs to ${describe(stored)}, not to ${wanted}; use another key, or clear this one`)
    )
  }
  const isBackward = stored.position._tag === "Before"
  if ("id" in stored.position && isBackward !== from.startsWith("before ")) return Either.left(corrupt(key))
  return Either.mapLeft(
    Schema.decodeEither(Position.schema(subject.id))(stored.position),
    () => failure("Corrupt", key, "the stored ids are not ids of this list; to start over, clear it")
  )
}

/** Where a walk begins, without the fallbacks. */
const placeOf = (position: Position.Position): string =>
  "id" in position ? `${position._tag.toLowerCase()} ${position.id}` : position._tag.toLowerCase()

const filterText = (filter: Stored["filter"]): string =>
  Object.keys(filter).sort().map((field) => `, ${field} ${JSON.stringify(filter[field])}`).join("")

const describe = (
  { filter, from, list, service }: Pick<Stored, "filter" | "from" | "list" | "service">
): string => `${list}${filterText(filter)}, ${from}${service === undefined ? "" : `, at ${service}`}`

/**
 * What is stored of a walk.
 *
 * @since 1.0.0
 * @category models
 */
export interface Status extends Pick<Subject<string>, "filter" | "list" | "service"> {
  /** Where the next run continues; `Position.end` if the walk is complete. */
  readonly position: Position.Position
  /** How many items are done, in all runs. */
  readonly items: number
}

/**
 * Reads what is stored under a key, also while a walk is using it; none if no page was committed.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Checkpoint } from "@mailstream/stream"
 * import { Effect, Option } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const status = yield* Checkpoint.read("export-2026-11")
 *   if (Option.isNone(status)) return yield* Effect.log("not started")
 *   const { items, position } = status.value
 *   yield* Effect.log(`${items} contacts exported${position._tag === "End" ? ", all of them" : ""}`)
 * })
 * ```
 */
export const read = (
  key: string
): Effect.Effect<
  Option.Option<Status>,
  CheckpointError | InvalidOption.InvalidOption,
  KeyValueStore.KeyValueStore
> =>
  Effect.gen(function*() {
    yield* check(key)
    const stored = yield* readLatest(key, BoundedStore.make(yield* KeyValueStore.KeyValueStore)).pipe(
      // Both slots may be read while they are written: one after the other, but not again and again.
      Effect.retry({ times: 3, while: ({ reason }) => reason === "Corrupt" })
    )
    return Option.map(stored, (stored) => ({
      ...Struct.pick(stored, "service", "list", "filter", "position"),
      items: itemsOf(stored)
    }))
  })

/**
 * Removes the checkpoint stored under a key: the next walk starts over. Fails if the key is in use.
 *
 * @since 1.0.0
 * @category combinators
 */
export const clear = (
  key: string
): Effect.Effect<
  void,
  CheckpointError | Lock.LockError | InvalidOption.InvalidOption,
  KeyValueStore.KeyValueStore
> =>
  Effect.gen(function*() {
    const store = BoundedStore.make(yield* KeyValueStore.KeyValueStore)
    yield* lock(key)
    // The second slot first: if this is interrupted, a valid, possibly older, checkpoint is left.
    yield* Effect.forEach(Array.reverse(slots(key)), (slot) => failing(key, store.remove(slot)), { discard: true })
  }).pipe(Effect.scoped)

const failing = <A>(key: string, effect: Effect.Effect<A, Error>): Effect.Effect<A, CheckpointError> =>
  Effect.mapError(effect, ({ message }) => failure("Store", key, message))

const failure = (reason: CheckpointError["reason"], key: string, description: string): CheckpointError =>
  new CheckpointError({ reason, key, description })
