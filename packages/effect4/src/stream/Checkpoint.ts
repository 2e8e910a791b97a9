/**
 * The position of a walk, kept in a `KeyValueStore`, so that the walk can be resumed after a crash.
 *
 * Programs use `process` and `processPages`, which commit what is done; this module is what they store.
 *
 * @since 1.0.0
 */
import * as Rules from "@mailstream/kernel/CheckpointRules"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as InvalidOption from "../core/InvalidOption.ts"
import * as Position from "../core/Position.ts"
import * as BoundedStore from "./internal/boundedStore.ts"
import * as Lock from "./Lock.ts"
import { Store } from "./Store.ts"

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
  readonly id: Schema.Codec<Id, string>
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
export class CheckpointError extends Schema.TaggedError<CheckpointError>()(
  "CheckpointError",
  {
    reason: Schema.Literals(["Store", "Corrupt", "Mismatch", "Closed"]),
    key: Schema.String,
    description: Schema.String
  }
) {
  override get message(): string {
    return `checkpoint ${JSON.stringify(this.key)}: ${this.description}`
  }
}

const check = (key: string): Result.Result<void, InvalidOption.InvalidOption> =>
  InvalidOption.unless(
    Rules.isKey(key),
    "key",
    "must be well-formed text of at most 242 characters, percent-encoded"
  )

const lock = (key: string) => Effect.andThen(Effect.fromResult(check(key)), Lock.acquire(`${key}.lock`, { name: key }))

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
  Store | Scope.Scope
> =>
  Effect.gen(function*() {
    const store = BoundedStore.make(yield* Store)
    const { verify } = yield* lock(key)
    const stored = yield* readLatest(key, store)
    const from = Rules.placeOf(subject.from)
    const position = stored === undefined
      ? subject.from
      : yield* Effect.fromResult(positionOf(key, stored, subject, from))
    let sequence = stored === undefined ? 0 : stored.sequence + 1

    const save: Checkpoint<Id>["save"] = (position, items = 0) =>
      Effect.suspend(() => {
        const { filter, list, service } = subject
        const text = Rules.encode({ sequence, service, list, filter, from, position, items })
        return Effect.andThen(verify, failing(key, store.set(Rules.slotOf(key, sequence), text))).pipe(
          Effect.map(() => {
            sequence++
          }),
          // Not every store can stop a write: the lock must be held until it is done.
          Effect.uninterruptible
        )
      })
    return { position, items: stored?.items ?? 0, save }
  })

const readLatest = (
  key: string,
  store: ReturnType<typeof BoundedStore.make>
): Effect.Effect<Rules.Stored | undefined, CheckpointError> =>
  Effect.flatMap(Effect.forEach(Rules.slots(key), (slot) => failing(key, store.get(slot))), (texts) => {
    const latest = Rules.latest(texts)
    return latest === "Corrupt" ? Effect.fail(refused(key, Rules.corrupt)) : Effect.succeed(latest)
  })

const positionOf = <Id extends string>(
  key: string,
  stored: Rules.Stored,
  subject: Subject<Id>,
  from: string
): Result.Result<Position.Position<Id>, CheckpointError> => {
  const problem = Rules.problemOf(stored, subject, from)
  return problem === undefined
    ? Result.mapError(
      Schema.decodeResult(Position.schema(subject.id))(stored.position),
      () => refused(key, Rules.foreign)
    )
    : Result.fail(refused(key, problem))
}

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
 * import { Checkpoint } from "@mailstream/effect4"
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
  Store
> =>
  Effect.gen(function*() {
    yield* Effect.fromResult(check(key))
    const stored = yield* readLatest(key, BoundedStore.make(yield* Store)).pipe(
      // Both slots may be read while they are written: one after the other, but not again and again.
      Effect.retry({ times: 3, while: ({ reason }) => reason === "Corrupt" })
    )
    return Option.map(Option.fromNullishOr(stored), ({ filter, items = 0, list, position, service }) => ({
      service,
      list,
      filter,
      position,
      items
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
  Store
> =>
  Effect.gen(function*() {
    const store = BoundedStore.make(yield* Store)
    yield* lock(key)
    // The second slot first: if this is interrupted, a valid, possibly older, checkpoint is left.
    yield* Effect.forEach(Array.reverse(Rules.slots(key)), (slot) => failing(key, store.remove(slot)), {
      discard: true
    })
  }).pipe(Effect.scoped)

const failing = <A>(
  key: string,
  effect: Effect.Effect<A, BoundedStore.StoreError>
): Effect.Effect<A, CheckpointError> =>
  Effect.mapError(effect, ({ message }) => new CheckpointError({ reason: "Store", key, description: message }))

const refused = (key: string, { description, reason }: Rules.Problem): CheckpointError =>
  new CheckpointError({ reason, key, description })
