/** Turns the failures of Effect programs into what promises are rejected with. */
import type { ApiErrorFields, RequestError, ValidationError } from "@mailstream/core"
import { InvalidOption } from "@mailstream/core/InvalidOption"
import type { CommitError } from "@mailstream/stream/Commit"
import type { ListError } from "@mailstream/stream/ListError"
import type { VerificationError } from "@mailstream/webhook/WebhookError"
import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { pick } from "effect/Struct"
import * as Errors from "../MailstreamError.ts"
import type { Change } from "./change.ts"

/** An error that the caller's own code threw. It is thrown again as it is. */
export class Thrown {
  readonly _tag = "Thrown"
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Everything that a program of this package can fail with. */
export type Failure = RequestError | ListError | CommitError | InvalidOption | VerificationError | Thrown

/** The error that the caller gets. */
export const toError = (failure: Failure): unknown => {
  switch (failure._tag) {
    case "Thrown":
      return failure.error
    case "InvalidOption":
      return new Errors.InvalidOption(pick(failure, "message", "option"))
    case "TransportError":
      return new Errors.TransportError(pick(failure, "message", "reason", "method", "url", "outcome"))
    case "UnexpectedResponse":
      return new Errors.UnexpectedResponse(
        pick(failure, "message", "reason", "statusCode", "method", "url", "field", "outcome")
      )
    case "StalledWalk":
      return new Errors.StalledWalk(pick(failure, "message", "reason", "list", "position"))
    case "PositionLost":
      return new Errors.PositionLost(pick(failure, "message", "list", "position"))
    case "CheckpointError":
      return new Errors.CheckpointError(pick(failure, "message", "reason", "key"))
    case "LockError":
      return new Errors.LockError({ ...pick(failure, "message", "reason"), key: failure.name })
    case "MissingHeader":
      return new Errors.MissingHeader(pick(failure, "message", "header"))
    case "InvalidTimestamp":
      return new Errors.InvalidTimestamp(pick(failure, "message", "reason", "seconds"))
    case "InvalidSignature":
      return new Errors.InvalidSignature(pick(failure, "message", "reason"))
    case "InvalidEvent":
      return new Errors.InvalidEvent(pick(failure, "message", "messageId"))
    case "api_error":
      return new Errors.OtherApiError({ ...fieldsOf(failure), name: failure.name })
    default:
      return new Errors.apiErrors[failure._tag](fieldsOf(failure))
  }
}

const fieldsOf = (failure: ApiErrorFields): Errors.ApiErrorFields => ({
  ...pick(failure, "message", "statusCode", "method", "url", "outcome"),
  ...failure.retryAfter === undefined ? {} : { retryAfter: Duration.toMillis(failure.retryAfter) }
})

/** The error for a cause that is not an interruption: a failure, what a function that looks on threw, or a bug. */
export const fromCause = (cause: Cause.Cause<Failure>): unknown =>
  Option.match(Cause.failureOption(cause), { onNone: () => fromDefect(Cause.squash(cause)), onSome: toError })

/** The same for a change: it says what became of it. */
export const fromChange = (cause: Cause.Cause<Failure>, change: Change): unknown => {
  const error = fromCause(cause)
  return error instanceof Errors.MailstreamError
    ? Object.assign(error, aftermath(change), error.outcome === undefined ? {} : pick(error, "outcome"))
    : error
}

const aftermath = ({ idempotencyKey, outcome }: Change): Errors.WithOutcome => ({
  outcome,
  ...idempotencyKey === undefined ? {} : { idempotencyKey }
})

/**
 * The error of a call that is ended from outside, by its signal or else because the client is closed. For a call that only reads,
 * it is the signal's own reason.
 */
export const interruption = (signal: AbortSignal | undefined, change?: Change): unknown => {
  const isAborted = signal?.aborted === true
  if (change === undefined) {
    return isAborted ? signal.reason : new Errors.ClientClosed({ message: closed })
  }
  const after = aftermath(change)
  const isUnknown = after.outcome === "unknown"
  return isAborted
    ? new Errors.Aborted({
      message: `The call was aborted; ${isUnknown ? doubt(change) : "it was not processed."}`,
      cause: signal.reason,
      ...after
    })
    : new Errors.ClientClosed({
      message: isUnknown ? `The client was closed during the call; ${doubt(change)}` : closed,
      ...after
    })
}

const closed = "The client is closed: create another one."

const doubt = ({ idempotencyKey }: Change): string =>
  `whether it was processed is unknown.${
    idempotencyKey === undefined ?
      "" :
      ` Repeated within 24 hours with the idempotency key ${
        JSON.stringify(idempotencyKey)
      } and the same content, nothing is sent twice.`
  }`

const fromDefect = (defect: unknown): unknown =>
  defect instanceof Thrown || defect instanceof InvalidOption ? toError(defect) : defect

/** The first problem of options or of the environment. */
export const fromConfigError = (error: ConfigError.ConfigError | InvalidOption | ValidationError): unknown => {
  if (!ConfigError.isConfigError(error)) return toError(error)
  if (error._op === "And" || error._op === "Or") return fromConfigError(error.left)
  const option = error.path.join(".")
  return new Errors.InvalidOption({
    option,
    message: `${option} ${error._op === "MissingData" ? "is missing" : error.message}`
  })
}
