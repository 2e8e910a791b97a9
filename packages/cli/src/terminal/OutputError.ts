/**
 * Failures to write the output, to a file or to a stream.
 *
 * @since 1.0.0
 */
import type { PlatformError, SystemErrorReason } from "@effect/platform/Error"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/**
 * @since 1.0.0
 * @category errors
 */
export class OutputError extends Data.TaggedError("OutputError")<{
  readonly file: string
  readonly description: string
}> {
  override get message(): string {
    return `${this.file}: ${this.description}`
  }
}

/**
 * Turns a file system failure into one that names the file as the user typed it.
 *
 * @since 1.0.0
 * @category combinators
 */
export const failing =
  (file: string) => <A, R>(effect: Effect.Effect<A, PlatformError, R>): Effect.Effect<A, OutputError, R> =>
    Effect.mapError(effect, (error) => new OutputError({ file, description: describe(error) }))

/**
 * None if there is no such file.
 *
 * @since 1.0.0
 * @category combinators
 */
export const unlessMissing = <A, R>(
  effect: Effect.Effect<A, PlatformError, R>
): Effect.Effect<Option.Option<A>, PlatformError, R> =>
  Effect.catchIf(Effect.asSome(effect), hasReason("NotFound"), () => Effect.succeedNone)

/**
 * Whether a file system failure has a reason.
 *
 * @since 1.0.0
 * @category guards
 */
export const hasReason = (reason: SystemErrorReason) => (error: PlatformError): boolean =>
  error._tag === "SystemError" && error.reason === reason

const describe = (error: PlatformError): string => {
  if (error._tag === "BadArgument") return error.description ?? error.message
  switch (error.reason) {
    case "NotFound":
      return "no such file or directory"
    case "PermissionDenied":
      return "permission denied"
    case "Busy":
      return "cannot be replaced: it is in use or a mount point; choose another file, or redirect standard output to it"
    default:
      return error.description ?? error.reason
  }
}
