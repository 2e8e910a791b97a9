/** The rules of the kernel, with the errors of this line. */
import * as Rules from "@mailstream/kernel/campaign/Rules"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { type RequestError, retryAfter } from "../../core/index.ts"
import * as Operation from "../../core/Operation.ts"

export * from "@mailstream/kernel/campaign/Rules"

/** What is known about a unit when an attempt has failed. */
export type Failed = Pick<Rules.Failed<RequestError>, "error" | "isDoubtful" | "size">

export const afterFailure = (failed: Failed): Rules.Verdict<RequestError> => {
  const { error } = failed
  return Rules.afterFailure({
    ...failed,
    outcome: Operation.outcomeOf("keyed", error),
    isRepeatable: Operation.isRepeatable("keyed", error),
    retryAfter: Option.getOrUndefined(Option.map(retryAfter(error), Duration.toMillis))
  })
}
