/** Messages, as they are checked. */
import { type ApiError, type SendEmail, ValidationError } from "@mailstream/core"
import * as EmailOperations from "@mailstream/core/EmailOperations"
import * as Operation from "@mailstream/core/Operation"
import { type Draft, draftOf, obstacleToOnce, refusalOf } from "@mailstream/kernel/campaign/Messages"
import * as Either from "effect/Either"

/** Checks an email as the service would; one that it would refuse is never sent. */
export const check = (email: SendEmail): Either.Either<Draft, ApiError> =>
  Either.flatMap(
    Operation.input(EmailOperations.operations.send, email),
    (encoded) => unless(refusalOf(email), () => draftOf(email, encoded))
  )

/** Checks an email that is to be the only one to its address. */
export const checkOnce = (email: SendEmail): Either.Either<Draft, ApiError> =>
  Either.flatMap(check(email), (draft) => unless(obstacleToOnce(draft), () => draft))

const unless = (refusal: string | undefined, draft: () => Draft): Either.Either<Draft, ApiError> =>
  refusal === undefined ? Either.right(draft()) : Either.left(ValidationError.because(refusal))
