/**
 * The life of a unit as pure rules: what to do next with a batch of frozen emails, by what is known about it. Nothing here sends
 * or stores anything.
 *
 * The one idea: a unit has a key and exact bytes, both durable before the first attempt. As long as nobody knows whether it was
 * accepted, it may only be repeated with the same key and the same bytes, and only while the service remembers the key.
 */
import { type ApiError, type RequestError, retryAfter } from "@mailstream/core"
import * as Operation from "@mailstream/core/Operation"
import type { Moment } from "@mailstream/kernel/Moment"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

const hour = 3_600_000

/** The service remembers a key for 24 hours; one is left for clocks, queues and requests under way. */
export const window: number = 23 * hour

/** The clock was set back by more than this since the first attempt: nothing says how much time has passed. */
const tolerance = 5 * 60_000

/** Whether a unit may be sent with its key, if its first attempt was at this time: on both clocks. */
export const isWithinWindow = (first: Moment, now: Moment): boolean =>
  now.wall - first.wall < window &&
  now.wall - first.wall > -tolerance &&
  now.monotonic - first.monotonic < window

/** The moment of an earlier process on both clocks, by those of this one at another moment. */
export const momentOf = (wall: number | undefined, known: Moment): Moment | undefined =>
  wall === undefined ? undefined : { wall, monotonic: known.monotonic - (known.wall - wall) }

/** While this many requests may be in flight: how many units may be in flight or stored for the next requests. */
export const placesOf = (concurrency: number): number => 2 * concurrency

/** What is known about a unit when an attempt has failed. */
export interface Failed {
  readonly error: RequestError
  /** Whether an earlier attempt may have been accepted. */
  readonly isDoubtful: boolean
  /** How many emails it has. */
  readonly size: number
}

/**
 * What to do next.
 *
 * - `Repeat`: the same key and the same bytes, a little later. `isDoubtful`: the attempt may have been accepted.
 * - `Pause`: nothing of it was accepted by this attempt, and the next unit would fare no better.
 * - `Divide`: it was refused because of its content: send its halves under new keys, to find out which email it is.
 * - `Reject`: the one email in it was refused.
 * - `Reconcile`: only the emails of the account can tell what became of it.
 */
export type Verdict =
  | { readonly _tag: "Repeat"; readonly isDoubtful: boolean }
  | { readonly _tag: "Pause"; readonly reason: "Quota" | "Refused"; readonly after: Duration.Duration | undefined }
  | { readonly _tag: "Divide" }
  | { readonly _tag: "Reject"; readonly error: ApiError }
  | { readonly _tag: "Reconcile"; readonly because: "Refused" | "Conflict" }

/** A quota is one of a month at most. Whatever a service says, nobody waits for centuries. */
const longestPause = Duration.days(31)

export const afterFailure = ({ error, isDoubtful, size }: Failed): Verdict => {
  // Someone has used the key with other bytes: with a new key, these people could be written to twice.
  if (error._tag === "invalid_idempotent_request") return { _tag: "Reconcile", because: "Conflict" }
  if (Operation.outcomeOf("keyed", error) === "unknown") return { _tag: "Repeat", isDoubtful: true }
  if (Operation.isRepeatable("keyed", error)) return { _tag: "Repeat", isDoubtful }
  if (!isAboutContent(error)) {
    return {
      _tag: "Pause",
      reason: isQuota(error) ? "Quota" : "Refused",
      after: Option.getOrUndefined(Option.map(retryAfter(error), Duration.min(longestPause)))
    }
  }
  // A service may check the content before it looks at the key: a template that was deleted meanwhile, for example.
  if (isDoubtful) return { _tag: "Reconcile", because: "Refused" }
  return size === 1 ? { _tag: "Reject", error } : { _tag: "Divide" }
}

const isQuota = ({ _tag }: RequestError): boolean =>
  _tag === "daily_quota_exceeded" || _tag === "monthly_quota_exceeded" || _tag === "email_above_quota"

/** Whether the service refused an email for what is in it. What has no name of the service's is from a gateway. */
const isAboutContent = (error: RequestError): error is ApiError =>
  error._tag !== "TransportError" && error._tag !== "UnexpectedResponse" && !isQuota(error) &&
  !(error._tag === "api_error" && ["", "api_error"].includes(error.name)) &&
  (error._tag === "not_found" || [400, 413, 422].includes(error.statusCode))

/** What is known about an email of a doubtful unit after the emails of the account have been looked at. */
export type Finding = "Found" | "Absent" | "CannotLook"

/** Why a unit is reconciled: its window has passed, or a response left a doubt. */
export type Doubt = "Expired" | "Refused" | "Conflict"

/**
 * What becomes of an email of a doubtful unit: it was accepted, it is sent under a new key, or nobody knows. A unit that was
 * refused is sent again, too: it is then divided, as one without a doubt.
 */
export const afterLooking = (doubt: Doubt, finding: Finding): "accepted" | "planned" | "undecided" =>
  finding === "Found" ? "accepted" : finding === "Absent" && doubt !== "Conflict" ? "planned" : "undecided"

/** Addresses that every service writes in the same way, but for upper and lower case. */
const isPlain = (address: string): boolean => /^[!#-~]+$/.test(address) && !address.includes("xn--")

/**
 * Whether an email with these recipients could be one to these addresses, each of which may be several, joined by commas. Others are not
 * looked at. Addresses that can be written in several ways are compared with none.
 */
export const couldBeTo = (
  wanted: ReadonlyArray<string>
): (recipients: ReadonlyArray<string> | undefined) => boolean => {
  const plain = new Set(wanted.flatMap((address) => address.split(", ")))
  const isOdd = ![...plain].every(isPlain)
  return (recipients = []) =>
    recipients.length === 0 || recipients.some((address) => plain.has(address) || isOdd && !isPlain(address))
}

/** The halves of what was refused together. */
export const halves = <A>(all: ReadonlyArray<A>): readonly [ReadonlyArray<A>, ReadonlyArray<A>] => {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}

const few = 20

/** Whether to stop because everybody so far was rejected: most likely, the message itself is wrong. `rejectedBefore`: before this run. */
export const isHopeless = (
  counts: { readonly accepted: number; readonly rejected: number },
  rejectedBefore: number
): boolean => counts.accepted === 0 && counts.rejected - rejectedBefore >= few
