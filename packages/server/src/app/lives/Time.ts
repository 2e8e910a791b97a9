/**
 * What becomes of objects as time passes. Nothing runs in the background: whoever looks at a list or an object first sees to
 * it that everything that is due there has happened.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Fields, List, StoreError, StoreService } from "../../stores/Store.ts"
import * as Lives from "./Lives.ts"

/** Does what is due in a list. */
export const settle = (store: StoreService, name: string): Effect.Effect<void, StoreError> => {
  const { mature } = Lives.of(name)
  if (mature === undefined) return Effect.void
  const list = { name }
  return Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const due = yield* store.due(list, now)
    if (due.length === 0) return
    yield* store.atomically((objects) =>
      Effect.gen(function*() {
        // Another request may have been faster.
        for (const id of yield* objects.due(list, now)) {
          const object = yield* objects.get(list, id)
          if (object === undefined) continue
          yield* objects.put(list, { ...object, ...yield* mature(objects, object, now), due: undefined })
        }
      })
    )
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
