/**
 * What can go wrong with the place that the output goes to.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * @since 0.1.0
 * @category errors
 */
export class OutputError extends Schema.TaggedError<OutputError>("@mailstream/cli/OutputError")("OutputError", {
  file: Schema.String,
  description: Schema.String
}) {
  override get message(): string {
    return `${this.file}: ${this.description}`
  }
}

/**
 * Says of a failure of the file system which file the user meant.
 *
 * @since 0.1.0
 * @category combinators
 */
export const failing =
  (file: string) => <A, R>(effect: Effect.Effect<A, PlatformError, R>): Effect.Effect<A, OutputError, R> =>
    Effect.mapError(effect, (error) => new OutputError({ file, description: describe(error) }))

const describe = (error: PlatformError): string => {
  if (error._tag === "BadArgument") return error.description ?? error.message
  switch (error.reason) {
    case "NotFound":
      return "there is no such file or directory"
    case "PermissionDenied":
      return "it may not be written to"
    default:
      return error.description ?? error.reason
  }
}
