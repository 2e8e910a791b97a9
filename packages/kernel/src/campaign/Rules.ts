/**
 * The life of a unit as pure rules: what to do next with a batch of frozen emails, by what is known about it. Nothing here sends
 * or stores anything.
 *
 * The one idea: a unit has a key and exact bytes, both durable before the first attempt. As long as nobody knows whether it was
 * accepted, it may only be repeated with the same key and the same bytes, and only while the service remembers the key.
 */
import type { Moment } from "../Moments.ts"

const hour = 3_600_000
const day = 24 * hour

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

/** The error of a request: one of the API, with its name and its status, or one without a response that can be used. */
export interface RequestFailure {
  readonly _tag: string
}

type Unanswered = { readonly _tag: "TransportError" | "UnexpectedResponse" }

/** What is known about a unit when an attempt has failed. */
export interface Failed<out E> {
  readonly error: E
  /** Whether this attempt certainly was not processed, and whether it may be repeated with its key. */
  readonly outcome: "not_processed" | "unknown"
  readonly isRepeatable: boolean
  /** How many milliseconds the service asks for. */
  readonly retryAfter: number | undefined
  /** Whether an earlier attempt may have been accepted. */
  readonly isDoubtful: boolean
  /** How many emails it has. */
  readonly size: number
}

/**
 * What to do next.
 *
 * - `Repeat`: the same key and the same bytes, a little later. `isDoubtful`: the attempt may have been accepted.
 * - `Pause`: nothing of it was accepted by this attempt, and the next unit would fare no better. `after`: in milliseconds.
 * - `Divide`: it was refused because of its content: send its halves under new keys, to find out which email it is.
 * - `Reject`: the one email in it was refused.
 * - `Reconcile`: only the emails of the account can tell what became of it.
 */
export type Verdict<E> =
  | { readonly _tag: "Repeat"; readonly isDoubtful: boolean }
  | { readonly _tag: "Pause"; readonly reason: "Quota" | "Refused"; readonly after: number | undefined }
  | { readonly _tag: "Divide" }
  | { readonly _tag: "Reject"; readonly error: Exclude<E, Unanswered> }
  | { readonly _tag: "Reconcile"; readonly because: "Refused" | "Conflict" }

/** A quota is one of a month at most. Whatever a service says, nobody waits for centuries. */
const longestPause = 31 * day

export const afterFailure = <E extends RequestFailure>(
  { error, isDoubtful, isRepeatable, outcome, retryAfter, size }: Failed<E>
): Verdict<E> => {
  // Someone has used the key with other bytes: with a new key, these people could be written to twice.
  if (error._tag === "invalid_idempotent_request") return { _tag: "Reconcile", because: "Conflict" }
  if (outcome === "unknown") return { _tag: "Repeat", isDoubtful: true }
  if (isRepeatable) return { _tag: "Repeat", isDoubtful }
  if (!isAboutContent(error)) {
    return {
      _tag: "Pause",
      reason: isQuota(error) ? "Quota" : "Refused",
      after: retryAfter === undefined ? undefined : Math.min(retryAfter, longestPause)
    }
  }
  // A service may check the content before it looks at the key: a template that was deleted meanwhile, for example.
  if (isDoubtful) return { _tag: "Reconcile", because: "Refused" }
  return size === 1 ? { _tag: "Reject", error } : { _tag: "Divide" }
}

const isQuota = ({ _tag }: RequestFailure): boolean =>
  _tag === "daily_quota_exceeded" || _tag === "monthly_quota_exceeded" || _tag === "email_above_quota"

/** Whether the service refused an email for what is in it. What has no name of the service's is from a gateway. */
const isAboutContent = <E extends RequestFailure>(error: E): error is Exclude<E, Unanswered> => {
  const { name = "", statusCode } = error as { readonly name?: string; readonly statusCode?: number }
  return error._tag !== "TransportError" && error._tag !== "UnexpectedResponse" && !isQuota(error) &&
    !(error._tag === "api_error" && ["", "api_error"].includes(name)) &&
    (error._tag === "not_found" || [400, 413, 422].includes(statusCode ?? 0))
}

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

/** What was seen in the emails of the account, beside those of the units that were looked for. */
export interface Looked {
  /** An email of this campaign, if possible of an earlier run: an empty text if none is known. */
  readonly known: string | undefined
  /** The anchors that are in the list. */
  readonly seen: ReadonlySet<string>
  /** The recipients of emails that do not say which tags they have, or that are no longer there. */
  readonly unclear: ReadonlyArray<ReadonlyArray<string> | undefined>
}

/** Why an email to this address that was not found may have been sent all the same. */
export const obstacleOf = (
  anchor: string | undefined,
  address: string,
  { known, seen, unclear }: Looked
): string | undefined => {
  // There were no emails before the campaign: then the list goes back far enough if it has any that this campaign has sent since.
  const wanted = anchor === "" ? known : anchor
  return wanted === undefined
    ? "The emails of the account could not be looked at when the campaign began, so nobody knows how far back to look."
    : wanted !== "" && !seen.has(wanted)
    ? "The list of emails does not go back to when this one may have been sent, or it is that of another account."
    : unclear.some(couldBeTo([address]))
    ? "The service does not say which tags some emails have."
    : undefined
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

/** How long a quota is waited for, in milliseconds, if the service does not say when there is one again; and at most, at a time. */
export const aWhile: number = hour / 4
export const longestRest: number = 6 * hour

/** For how long a service certainly keeps emails, in milliseconds. */
export const kept: number = 7 * day

/** How often the service is asked again for an email that it may not show yet, once a second. */
export const patience = 30

/** A clock that is set back by more than this, in milliseconds, is not one that is only adjusted. */
export const setBack = 60_000

/** Emails that are accepted within this many milliseconds may be listed in any order. */
export const margin = 600_000

/** How many times the lease of a silent process is watched before another one takes over. */
export const watched = 1.5
