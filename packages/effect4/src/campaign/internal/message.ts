/** Messages, as they are checked. */
import { type Draft, draftOf, obstacleToOnce, refusalOf } from "@mailstream/kernel/campaign/Messages"
import * as Result from "effect/Result"
import * as EmailOperations from "../../core/EmailOperations.ts"
import { type ApiError, type SendEmail, ValidationError } from "../../core/index.ts"
import * as Operation from "../../core/Operation.ts"

/** Checks an email as the service would; one that it would refuse is never sent. */
export const check = (email: SendEmail): Result.Result<Draft, ApiError> =>
  Result.flatMap(
    Operation.input(EmailOperations.operations.send, email),
    (encoded) => unless(refusalOf(email), () => draftOf(email, encoded))
  )

/** Checks an email that is to be the only one to its address. */
export const checkOnce = (email: SendEmail): Result.Result<Draft, ApiError> =>
  Result.flatMap(check(email), (draft) => unless(obstacleToOnce(draft), () => draft))

const unless = (refusal: string | undefined, draft: () => Draft): Result.Result<Draft, ApiError> =>
  refusal === undefined ? Result.succeed(draft()) : Result.fail(ValidationError.because(refusal))
