/** A store whose accounts are prepared when they are first used. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberMap from "effect/FiberMap"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { StoreError } from "./StoreError.ts"
import { storeOf, type StoreService } from "./StoreService.ts"
import * as Views from "./Views.ts"

/**
 * Operations on the items of an account wait until it is prepared. Operations on keys do not: keys are inserted when a
 * server starts, and checked before the account is known. If a preparation fails, the next use retries it.
 */
export const make = (
  store: StoreService,
  prepare: (account: string) => Effect.Effect<void, StoreError>
): Effect.Effect<StoreService, never, Scope.Scope> =>
  Effect.gen(function*() {
    // In fibers of their own: a client that hangs up must not stop what others wait for.
    const preparing = yield* FiberMap.make<string, void, StoreError>()
    const start = yield* FiberMap.runtime(preparing)()
    const prepared = new Set<string>()

    const isReady = (account: string): Effect.Effect<void, StoreError> =>
      Effect.suspend(() => {
        if (prepared.has(account)) return Effect.void
        const fiber = Option.getOrElse(
          FiberMap.unsafeGet(preparing, account),
          () => start(account, Effect.tap(prepare(account), () => Effect.sync(() => prepared.add(account))))
        )
        return Fiber.join(fiber)
      })

    return Views.toStore((account) => {
      const view = storeOf(store, account)
      const ready = isReady(account)
      return {
        ...view,
        get: (list, id) => Effect.zipRight(ready, view.get(list, id)),
        find: (list, name) => Effect.zipRight(ready, view.find(list, name)),
        due: (list, now) => Effect.zipRight(ready, view.due(list, now)),
        atomically: (work) => Effect.zipRight(ready, view.atomically(work)),
        insert: (resource, items, ...into) => Effect.zipRight(ready, view.insert(resource, items, ...into)),
        update: (resource, id, change, ...from) => Effect.zipRight(ready, view.update(resource, id, change, ...from)),
        delete: (resource, ids, ...from) => Effect.zipRight(ready, view.delete(resource, ids, ...from)),
        join: (segment, contacts) => Effect.zipRight(ready, view.join(segment, contacts)),
        leave: (segment, contacts) => Effect.zipRight(ready, view.leave(segment, contacts)),
        page: (list, request) => Effect.zipRight(ready, view.page(list, request)),
        all: (list, request) => Effect.zipRight(ready, view.all(list, request))
      }
    })
  })
