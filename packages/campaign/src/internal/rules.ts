/** The rules of the kernel, with the errors of this line. */
import { type ApiError, type RequestError, retryAfter } from "@mailstream/core"
import * as Operation from "@mailstream/core/Operation"
import * as Rules from "@mailstream/kernel/campaign/Rules"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

export * from "@mailstream/kernel/campaign/Rules"

/** What is known about a unit when an attempt has failed. */
export type Failed = Pick<Rules.Failed<RequestError>, "error" | "isDoubtful" | "size">

/** What to do next. */
export type Verdict =
  | Exclude<Rules.Verdict<RequestError>, { readonly _tag: "Pause" | "Reject" }>
  | { readonly _tag: "Pause"; readonly reason: "Quota" | "Refused"; readonly after: Duration.Duration | undefined }
  | { readonly _tag: "Reject"; readonly error: ApiError }

export const afterFailure = (failed: Failed): Verdict => {
  const { error } = failed
  const verdict = Rules.afterFailure({
    ...failed,
    outcome: Operation.outcomeOf("keyed", error),
    isRepeatable: Operation.isRepeatable("keyed", error),
    retryAfter: Option.getOrUndefined(Option.map(retryAfter(error), Duration.toMillis))
  })
  return verdict._tag === "Pause"
    ? { ...verdict, after: verdict.after === undefined ? undefined : Duration.millis(verdict.after) }
    : verdict
}
