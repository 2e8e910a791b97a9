/**
 * A failure whose lines have been printed while the command continued.
 *
 * @since 1.0.0
 */
import * as Data from "effect/Data"

/**
 * @since 1.0.0
 * @category errors
 */
export class Reported extends Data.TaggedError("Reported")<{}> {}
