/** The failures of campaigns, as callers get them. */
import type { MigrationError } from "@effect/sql/Migrator"
import type { SqlError } from "@effect/sql/SqlError"
import type { RunError } from "@mailstream/campaign/Campaign"
import type { UnknownCampaign } from "@mailstream/campaign/CampaignError"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import { pick } from "effect/Struct"
import * as Errors from "../../MailstreamError.ts"
import { type Failure, Thrown, toError } from "../errors.ts"

/** The failure of a program about a campaign, as one of this package. */
export const toFailure =
  (campaign: string) => (failure: Failure | RunError | UnknownCampaign | SqlError | MigrationError): Failure => {
    switch (failure._tag) {
      case "CampaignBusy":
        return new Thrown(new Errors.CampaignBusy(pick(failure, "message", "campaign")))
      case "CampaignTakenOver":
        return new Thrown(new Errors.CampaignTakenOver(pick(failure, "message", "campaign")))
      case "CampaignMismatch":
        return new Thrown(
          new Errors.CampaignMismatch({
            ...pick(failure, "message", "campaign", "reason"),
            begunWith: failure.begunWith
          })
        )
      case "UndecidedRecipients":
        return new Thrown(new Errors.UndecidedRecipients(pick(failure, "message", "campaign", "count")))
      case "UnknownCampaign":
        return new Thrown(new Errors.UnknownCampaign(pick(failure, "message", "campaign", "known")))
      case "CampaignPaused":
        return new Thrown(
          new Errors.CampaignPaused({
            ...pick(failure, "message", "campaign", "reason"),
            // The error of a request, as a class of this package.
            error: toError(failure.error) as Errors.CampaignPaused["error"],
            until: failure.until === undefined ? undefined : DateTime.toDate(failure.until)
          })
        )
      case "SqlError":
      case "MigrationError":
        return new Thrown(
          new Errors.CampaignStoreError({
            campaign,
            message: `The store of the campaign "${campaign}" failed: ${reasonOf(failure)}`
          })
        )
      default:
        return failure
    }
  }

/** What happened, and why: most drivers say only the one or the other. */
const reasonOf = ({ cause, message }: SqlError | MigrationError): string => {
  const reason = Predicate.isError(cause) ? cause.message : ""
  return message.includes(reason) ? message : `${message}: ${reason}`
}
