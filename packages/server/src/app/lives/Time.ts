/**
 * What becomes of objects as time passes. Whoever looks at a list or an object first sees to it that everything that is due there
 * has happened. In the background, this is done only for those who are told: see `webhooks`.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Fields, List, StoreError, StoreService } from "../../stores/Store.ts"
import * as Events from "../Events.ts"
import type { Settings } from "../Settings.ts"
import * as Lives from "./Lives.ts"

/** Does what is due in a list. */
export const settle = (store: StoreService, name: string, settings: Settings): Effect.Effect<void, StoreError> => {
  const { mature } = Lives.of(name)
  if (mature === undefined) return Effect.void
  const list = { name }
  return Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    // Some at a time: so many that others would have to wait may be due at once.
    while ((yield* store.due(list, now)).length > 0) {
      yield* store.atomically((objects) =>
        Effect.gen(function*() {
          const happenings: Array<Events.Happening> = []
          // Another request may have been faster.
          for (const id of yield* objects.due(list, now)) {
            const object = yield* objects.get(list, id)
            if (object === undefined) continue
            const { changes, happenings: own } = yield* mature(objects, object, now)
            const changed = { ...object, ...changes, due: undefined }
            yield* objects.put(list, changed)
            happenings.push(...own ?? Events.ofObject(list, "updated", changed))
          }
          yield* Events.record(objects, settings, now, happenings)
        })
      )
      settings.notify?.()
    }
  })
}

/** States that last only until somebody has seen them. */
const passing: ReadonlySet<unknown> = new Set(["queued", "pending"])

/** Ends a passing state that was seen: whoever looks again sees the next one. */
export const seen = (store: StoreService, list: List, { due, id, status }: Fields): Effect.Effect<void, StoreError> =>
  typeof due !== "number" || due === 0 || !passing.has(status) ?
    Effect.void :
    store.atomically((objects) =>
      Effect.gen(function*() {
        const object = yield* objects.get(list, String(id))
        if (object?.["due"] === due) yield* objects.put(list, { ...object, due: 0 })
      })
    )
