/** Contact properties: one for each key. */
import { ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Life } from "./Life.ts"

export const life: Partial<Life> = {
  born: () => ({ fallback_value: null }),
  admit: ({ list, objects }, after, before) =>
    Effect.gen(function*() {
      const { fallback_value, key, type } = after
      if (before === undefined && (yield* objects.find(list, String(key))) !== undefined) {
        return yield* ValidationError.because("The `key` field must not be the key of another property.")
      }
      if (fallback_value !== null && typeof fallback_value !== type) {
        return yield* ValidationError.because("The `fallback_value` must be of the `type` of the property.")
      }
      return after
    })
}
