/** Faults that are planted into the store of a server, to show that an experiment finds them. */
import type { Objects, StoreError, StoreService } from "@mailstream/server/Store"
import { Deferred, Effect } from "effect"

export type Name = keyof typeof plants

/** Long enough for a kill to come in between. */
const delay = "50 millis"

export const plants = {
  /** Forgets idempotency keys. */
  forgetful: (store: StoreService): StoreService => ({
    ...store,
    atomically: (work) =>
      store.atomically((objects) =>
        work({
          ...objects,
          line: (book, id) => book === "keys" ? Effect.succeed(undefined) : objects.line(book, id)
        })
      )
  }),
  /** Acknowledges before it commits. */
  early: (store: StoreService): StoreService => ({
    ...store,
    atomically: <A, E>(work: (objects: Objects) => Effect.Effect<A, E>) =>
      Effect.gen(function*() {
        const told = yield* Deferred.make<A, E | StoreError>()
        yield* store.atomically((objects) =>
          work(objects).pipe(
            Effect.tap((result) => Deferred.succeed(told, result)),
            Effect.zipLeft(Effect.sleep(delay))
          )
        ).pipe(
          Effect.catchAllCause((cause) => Deferred.failCause(told, cause)),
          Effect.forkDaemon
        )
        return yield* Deferred.await(told)
      })
  })
}
