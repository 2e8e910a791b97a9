/**
 * Why a campaign stopped before everybody was written to. Nothing is lost by any of these: run it again, and it continues.
 *
 * @since 1.0.0
 */
import * as Sentences from "@mailstream/kernel/campaign/Sentences"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { reasonOf, RequestError } from "../core/index.ts"

/**
 * Another process is running the campaign. This one sent nothing.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignBusy extends Schema.TaggedError<CampaignBusy>()("CampaignBusy", { campaign: Schema.String }) {
  override get message(): string {
    return Sentences.busy(this.campaign)
  }
}

/**
 * Another process took the campaign over, because this one did not renew its lease in time: it was paused, or the database did not
 * respond. It sends nothing any more.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignTakenOver
  extends Schema.TaggedError<CampaignTakenOver>()("CampaignTakenOver", { campaign: Schema.String })
{
  override get message(): string {
    return Sentences.takenOver(this.campaign)
  }
}

/**
 * The service does not accept emails at the moment. Nothing was lost: run the campaign again, and it continues.
 *
 * - `Quota`: the quota of the day or the month is used up. `until` says when the service accepts emails again, if it said so.
 * - `Refused`: the API key may not send, or the sender is not allowed. Change that first.
 * - `Unavailable`: the service did not respond, after all retries.
 * - `Rejected`: every email so far was rejected, each for the reason in `error`. Fix the message, and `forget` those who were
 *   rejected, and those who are planned: their emails are stored as they were.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignPaused extends Schema.TaggedError<CampaignPaused>()("CampaignPaused", {
  campaign: Schema.String,
  reason: Schema.Literals(["Quota", "Refused", "Unavailable", "Rejected"]),
  error: RequestError,
  until: Schema.optional(Schema.DateTimeUtc)
}) {
  override get message(): string {
    const until = this.until === undefined ? undefined : DateTime.formatIso(this.until)
    return Sentences.paused(this.campaign, this.reason, reasonOf(this.error), until)
  }
}

/**
 * Nobody can tell whether these people were written to: a request had no response for more than 23 hours, and the emails of the
 * account could not be looked at. Decide with `Campaign.resolve`.
 *
 * @since 1.0.0
 * @category errors
 */
export class UndecidedRecipients extends Schema.TaggedError<UndecidedRecipients>()("UndecidedRecipients", {
  campaign: Schema.String,
  count: Schema.Number,
  /** Why nobody can tell. */
  description: Schema.optional(Schema.String)
}) {
  override get message(): string {
    return Sentences.undecided(this.campaign, this.count, this.description)
  }
}

/**
 * The campaign was begun in another way: continue it as it was begun. A campaign of another name writes to everybody again.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignMismatch extends Schema.TaggedError<CampaignMismatch>()("CampaignMismatch", {
  campaign: Schema.String,
  /** What differs: the base URL, the account of the API key, `once` or `scope`. */
  reason: Schema.Literals(["Service", "Account", "Once", "Scope"]),
  /** What it was begun with, if that is known: an account has no name, and there may have been no scope. */
  begunWith: Schema.optional(Schema.String),
  /** What differs, how it was before, and how to continue. */
  description: Schema.String
}) {
  override get message(): string {
    return Sentences.mismatch(this.campaign, this.description)
  }
}

/**
 * The database does not know a campaign of this name.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnknownCampaign extends Schema.TaggedError<UnknownCampaign>()("UnknownCampaign", {
  campaign: Schema.String,
  /** Those that it knows, the newest first. */
  known: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return Sentences.unknown(this.campaign, this.known)
  }
}
