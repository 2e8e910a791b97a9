/** Suppressions: one for each address. */
import * as Effect from "effect/Effect"
import type { Fields } from "../../stores/Store.ts"
import * as Events from "../Events.ts"
import type { Call, Life, Result } from "./Life.ts"
import * as Moment from "./Moment.ts"

const born = { origin: "manual", source_id: null }

const suppress = ({ list, now, objects, settings }: Call, email: string): Result<unknown> =>
  Effect.gen(function*() {
    const known = yield* objects.find(list, email)
    if (known !== undefined) return known["id"]
    const suppression = { id: crypto.randomUUID(), email, ...born, created_at: Moment.format(now) }
    yield* objects.add(list, [suppression])
    yield* Events.record(objects, settings, now, Events.ofObject(list, "created", suppression))
    return suppression.id
  })

const lift = ({ list, now, objects, settings }: Call, by: "get" | "find", name: string): Result<unknown> =>
  Effect.gen(function*() {
    const known = yield* objects[by](list, name)
    if (known === undefined) return undefined
    yield* objects.remove(list, [String(known["id"])])
    yield* Events.record(objects, settings, now, Events.ofObject(list, "deleted", known))
    return known["id"]
  })

const texts = (value: unknown): ReadonlyArray<string> => Array.isArray(value) ? value.map(String) : []

const data = (ids: ReadonlyArray<unknown>, more: Fields = {}): Fields => ({
  data: ids.filter((id) => id !== undefined).map((id) => ({ object: "suppression", id, ...more }))
})

export const life: Partial<Life> = {
  born: () => born,
  actions: {
    createMany: (call) =>
      Effect.map(Effect.forEach(texts(call.fields["emails"]), (email) => suppress(call, email)), (ids) => data(ids)),
    removeMany: (call) =>
      Effect.map(
        Effect.all([
          Effect.forEach(texts(call.fields["emails"]), (email) => lift(call, "find", email)),
          Effect.forEach(texts(call.fields["ids"]), (id) => lift(call, "get", id))
        ]),
        (ids) => data(ids.flat(), { deleted: true })
      )
  }
}
