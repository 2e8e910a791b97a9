/**
 * Errors as people see them: with where to read more about them.
 *
 * @since 1.0.0
 */
import * as Predicate from "effect/Predicate"
import * as Text from "../terminal/Text.ts"
import * as Explanations from "./Explanations.ts"
import { homepage } from "./Homepage.ts"

/**
 * Where to read about an error: its page in the documentation, or the command that prints the same while the
 * documentation has no address.
 *
 * @since 1.0.0
 * @category getters
 */
export const placeOf = (tag: Explanations.Tag, base: string = homepage): string =>
  base === "" ? `mailstream explain ${tag}` : `${base}/e/${tag}`

/**
 * An error on one line: its tag, its message, and where to read more.
 *
 * @since 1.0.0
 * @category conversions
 */
export const line = (error: unknown, hasColors: boolean): string => {
  const text = Text.ofError(error)
  const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : Explanations.unexpected
  const shown = hasColors && text.startsWith(tag) ? Text.red(tag) + text.slice(tag.length) : text
  if (!Explanations.isTag(tag)) return shown
  const place = placeOf(tag)
  return `${shown} (${hasColors ? Text.cyan(place) : place})`
}
