/**
 * Handling every message once. The service delivers a message again until it is told that it was handled, and may deliver it
 * more than once even then: what was handled is remembered for a while.
 *
 * @since 1.0.0
 */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Lock from "@mailstream/stream/Lock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Memories from "./internal/memories.ts"

/**
 * A message was not handled, and it is not known whether it will be: it has to be delivered again.
 *
 * - `InProgress`: another process is handling it.
 * - `Failed`: it was delivered twice at once, and the first delivery was not handled.
 * - `Store`: the store failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class DeduplicationError
  extends Schema.TaggedError<DeduplicationError>("@mailstream/webhook/DeduplicationError")("DeduplicationError", {
    reason: Schema.Literal("InProgress", "Failed", "Store"),
    description: Schema.String
  })
{
  override get message(): string {
    return `The message ${this.description}`
  }
}

/**
 * Remembers which messages were handled.
 *
 * @since 1.0.0
 * @category services
 */
export class Deduplication extends Context.Tag("@mailstream/webhook/Deduplication")<Deduplication, {
  /**
   * Handles the message with this key, unless it was handled before; tells whether it was. Of several calls at once, one
   * handles it, and the others wait for its outcome. Only a message whose handling has succeeded is remembered.
   */
  readonly once: <E, R>(
    key: string,
    handle: Effect.Effect<unknown, E, R>
  ) => Effect.Effect<"Handled" | "Duplicate", E | DeduplicationError, R>
}>() {}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** How long a message is remembered; default: 24 hours. The service may deliver a message again for about as long. */
  readonly window?: Duration.DurationInput | undefined
  /** How many messages are remembered at most, the newest ones; default: 100,000. */
  readonly capacity?: number | undefined
}

const limitsOf = ({ capacity = 100_000, window = "24 hours" }: Options) =>
  Effect.gen(function*() {
    return {
      capacity: yield* InvalidOption.integer("capacity", capacity, { min: 1 }),
      window: Duration.toMillis(yield* InvalidOption.duration("window", window))
    }
  })

/** One call for each key at a time, in this process. */
const alone = (): typeof Deduplication.Service["once"] => {
  const running = new Map<string, Deferred.Deferred<boolean>>()
  return <E, R>(key: string, handle: Effect.Effect<unknown, E, R>) =>
    Effect.uninterruptibleMask((restore): Effect.Effect<"Handled" | "Duplicate", E | DeduplicationError, R> => {
      const first = running.get(key)
      if (first !== undefined) {
        return Effect.flatMap(
          Effect.interruptible(Deferred.await(first)),
          (isHandled) => isHandled ? Effect.succeed("Duplicate") : new DeduplicationError(failed)
        )
      }
      const outcome = Deferred.unsafeMake<boolean>(FiberId.none)
      running.set(key, outcome)
      return Effect.onExit(Effect.as(restore(handle), "Handled" as const), (exit) =>
        Effect.sync(() => {
          running.delete(key)
          Deferred.unsafeDone(outcome, Effect.succeed(Exit.isSuccess(exit)))
        }))
    })
}

const failed = {
  reason: "Failed",
  description: "was delivered twice at once, and the first one was not handled"
} as const

/** What may only be done in one place at a time. */
type Locked = <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | DeduplicationError, R>

/** Remembers what was handled in some memory. What is done there after a success cannot be interrupted. */
const make = (
  memory: Memories.Memory<DeduplicationError>,
  locked: Locked = (_, effect) => effect
): typeof Deduplication.Service => {
  const single = alone()
  return {
    once: <E, R>(key: string, handle: Effect.Effect<unknown, E, R>) =>
      Effect.suspend(() => {
        let isDuplicate = false
        const unlessKnown = Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(Effect.interruptible(memory.has(key)), (isKnown) => {
            isDuplicate = isKnown
            return isKnown ? Effect.void : Effect.zipRight(
              restore(handle),
              // It was handled: to handle it once more is better than to say that it was not.
              Effect.catchAll(memory.add(key), (error) => Effect.logWarning(error.message))
            )
          })
        )
        return Effect.map(
          single(key, locked(key, unlessKnown)),
          (outcome) => isDuplicate ? "Duplicate" as const : outcome
        )
      })
  }
}

/**
 * Remembers in memory: enough for one process, as far as a restart may handle a message once more.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerMemory = (options: Options = {}): Layer.Layer<Deduplication, InvalidOption.InvalidOption> =>
  Layer.effect(
    Deduplication,
    Effect.map(limitsOf(options), (limits) => make(Memories.inProcess(limits)))
  )

/**
 * Remembers in a `KeyValueStore`: across restarts, and for all processes that share the store. While one of them handles a
 * message, it holds a `Lock` of `@mailstream/stream`.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { KeyValueStore } from "@effect/platform"
 * import { NodeContext } from "@effect/platform-node"
 * import { Deduplication } from "@mailstream/webhook"
 * import { Layer } from "effect"
 *
 * const DeduplicationLive = Deduplication.layerKeyValueStore({ window: "2 days" }).pipe(
 *   Layer.provide(KeyValueStore.layerFileSystem("handled")),
 *   Layer.provide(NodeContext.layer)
 * )
 * ```
 */
export const layerKeyValueStore = (
  options: Options & {
    /** What the keys in the store begin with; default: `webhook-`. */
    readonly prefix?: string | undefined
  } = {}
): Layer.Layer<Deduplication, InvalidOption.InvalidOption, KeyValueStore.KeyValueStore> =>
  Layer.effect(
    Deduplication,
    Effect.gen(function*() {
      const { prefix = "webhook-" } = options
      const store = yield* KeyValueStore.KeyValueStore
      const limits = yield* limitsOf(options)
      const memory = Memories.inStore(
        store,
        { ...limits, prefix },
        (message) => new DeduplicationError({ reason: "Store", description: `cannot be remembered: ${message}` })
      )
      const locked: Locked = (key, effect) =>
        Effect.scopedWith((scope) =>
          Lock.acquire(`${prefix}${key}.lock`).pipe(
            Effect.provideService(KeyValueStore.KeyValueStore, store),
            Scope.extend(scope),
            // Before anything is handled, and so that its renewal can end.
            Effect.interruptible,
            Effect.mapError(({ description, reason }) =>
              new DeduplicationError({ reason: reason === "Store" ? "Store" : "InProgress", description })
            ),
            Effect.zipRight(effect)
          )
        )
      return make(memory, locked)
    })
  )
