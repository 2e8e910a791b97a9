/** Turns the failures of Effect programs into what promises are rejected with. */
import type { RequestError } from "@mailstream/core"
import type { CommitError } from "@mailstream/stream/Commit"
import type { ListError } from "@mailstream/stream/ListError"
import * as Cause from "effect/Cause"
import type * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Errors from "../MailstreamError.ts"

/** An error that the caller's own code threw. It is thrown again as it is. */
export class Thrown {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Everything that a program of this package can fail with. */
export type Failure = RequestError | ListError | CommitError | Thrown | Errors.MailstreamError

const isThrown = (failure: Failure): failure is Thrown => failure instanceof Thrown

/** The error that the caller gets. */
export const toError = (failure: Failure): unknown => {
  if (isThrown(failure)) return failure.error
  if (failure instanceof Errors.MailstreamError) return failure
  const { message } = failure
  switch (failure._tag) {
    case "TransportError": {
      const { method, reason, url } = failure
      return new Errors.TransportError({ message, reason, method, url })
    }
    case "UnexpectedResponse": {
      const { field, method, reason, statusCode, url } = failure
      return new Errors.UnexpectedResponse({ message, reason, statusCode, method, url, field })
    }
    case "StalledWalk": {
      const { list, position, reason } = failure
      return new Errors.StalledWalk({ message, reason, list, position })
    }
    case "PositionLost": {
      const { list, position } = failure
      return new Errors.PositionLost({ message, list, position })
    }
    case "CheckpointError": {
      const { key, reason } = failure
      return new Errors.CheckpointError({ message, reason, key })
    }
    case "LockError":
      return new Errors.LockError({ message, reason: failure.reason, key: failure.name })
    case "api_error":
      return new Errors.OtherApiError({ ...fieldsOf(failure), name: failure.name })
    default:
      return new Errors.apiErrors[failure._tag](fieldsOf(failure))
  }
}

const fieldsOf = (
  { message, retryAfter, statusCode }: {
    readonly message: string
    readonly statusCode: number
    readonly retryAfter?: Duration.Duration | undefined
  }
): Errors.ApiErrorFields =>
  retryAfter === undefined
    ? { message, statusCode }
    : { message, statusCode, retryAfter: Duration.toMillis(retryAfter) }

/** The error for a cause that is not an interruption: a failure, or a bug. */
export const fromCause = (cause: Cause.Cause<Failure>): unknown =>
  Option.match(Cause.failureOption(cause), { onNone: () => Cause.squash(cause), onSome: toError })

/** The first problem that a configuration has. */
export const fromConfigError = (error: ConfigError.ConfigError): Errors.ConfigurationError => {
  if (error._op === "And" || error._op === "Or") return fromConfigError(error.left)
  const option = error.path.join(".")
  const message = error._op === "MissingData" ? "is missing" : error.message
  return new Errors.ConfigurationError({ option, message: `${option}: ${message}` })
}
