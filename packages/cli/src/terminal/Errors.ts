/** What a command can fail with besides the errors of the library, and how it describes failures of the system. */
import type { PlatformError, SystemErrorReason } from "@effect/platform/Error"
import type { Outcome, RequestError } from "@mailstream/core/RequestError"
import * as Address from "@mailstream/kernel/Address"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Text from "./Text.ts"

/** An error that says what failed, and why. */
class Described extends Data.Error<{
  readonly subject: string
  readonly description: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.subject}: ${this.description}`
  }
}

/** A change that failed: the error of the library, under its own tag, and what to do. */
export class ChangeError extends Data.Error<{
  readonly error: RequestError
  /** Whether the change was certainly not made, or whether nobody knows. */
  readonly outcome: Outcome
  /** The message of the error, in the words of the command line. */
  readonly text: string
  readonly advice: string
}> {
  get _tag(): RequestError["_tag"] {
    return this.error._tag
  }
  override get message(): string {
    const { advice, text } = this
    return advice === "" ? text : `${text.replace(/\.$/, "")}. ${advice}`
  }
}

/** The output cannot be written. The subject is the file, as the user typed it. */
export class OutputError extends Described {
  readonly _tag = "OutputError"
}

/** The input cannot be read, or is not what it should be. The subject is the file, as the user typed it. */
export class InputError extends Described {
  readonly _tag = "InputError"
}

/** The service or a worker cannot listen at its address. */
export class ServeError extends Described {
  readonly _tag = "ServeError"
}

/** The database of a copy cannot be used. */
export class DatabaseError extends Described {
  readonly _tag = "DatabaseError"
}

/** The database has a table of the same name that is not a copy. */
export class TableInUse extends Data.TaggedError("TableInUse")<{ readonly message: string }> {}

/** The reader of the output has closed the pipe, as `| head` does. */
export class PipeClosed extends Data.TaggedError("PipeClosed")<{}> {}

/** A failure whose lines have been printed while the command continued. */
export class Reported extends Data.TaggedError("Reported")<{}> {}

/** Why nothing listens at an address. `option` is the one that sets the port. */
export const notListening = (
  { host, option, port }: { readonly host: string; readonly port: number; readonly option: string },
  cause: unknown
): ServeError =>
  new ServeError({
    subject: Address.authority(host, port),
    description: Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"
      ? `the address is already in use; choose another ${option}`
      : Text.reasonOf(cause)
  })

/** Turns a file system failure into one that names the file as the user typed it. */
export const failing =
  (file: string) => <A, R>(effect: Effect.Effect<A, PlatformError, R>): Effect.Effect<A, OutputError, R> =>
    Effect.mapError(effect, (error) => new OutputError({ subject: file, description: describe(error) }))

/** None if there is no such file. */
export const unlessMissing = <A, R>(
  effect: Effect.Effect<A, PlatformError, R>
): Effect.Effect<Option.Option<A>, PlatformError, R> =>
  Effect.catchIf(Effect.asSome(effect), hasReason("NotFound"), () => Effect.succeedNone)

/** Whether a file system failure has a reason. */
export const hasReason = (reason: SystemErrorReason) => (error: PlatformError): boolean =>
  error._tag === "SystemError" && error.reason === reason

const descriptions: { readonly [reason in SystemErrorReason]?: string } = {
  NotFound: "no such file or directory",
  PermissionDenied: "permission denied",
  Busy: "cannot be replaced: it is in use or a mount point; choose another file, or redirect standard output to it"
}

const describe = (error: PlatformError): string =>
  error._tag === "BadArgument"
    ? error.description ?? error.message
    : descriptions[error.reason] ?? error.description ?? error.reason
