/**
 * Campaigns: emails that belong together, because each carries a tag that names its campaign.
 *
 * The tag is called `mailstream`, and its value is `<campaign>_<unit>_<index>`: `spring_9f3c_41`. An email belongs to a campaign
 * from when it is stored, and stays in it.
 *
 * @since 1.0.0
 */
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * What is known of the emails of a campaign that are stored.
 *
 * @since 1.0.0
 * @category models
 */
export interface Campaign {
  readonly name: string
  /** How many emails it has. */
  readonly emails: number
  /** When its oldest email was created. */
  readonly first_at: string | null
  /** When its newest email was created. */
  readonly last_at: string | null
  /** How many emails have each last event: `{ delivered: 98, bounced: 2 }`. */
  readonly events: { readonly [event: string]: number }
  /** How many addresses have more than one email, which should be none. The first address in `to` counts. */
  readonly repeated: number
}

/**
 * @since 1.0.0
 * @category models
 */
export interface ReadCampaigns {
  /**
   * Campaigns, the one that began last first. Fails with the reason `UnknownCursor` if there is no email of the campaign `after`.
   */
  readonly campaigns: (request: {
    readonly limit: number
    readonly after?: string | undefined
  }) => Effect.Effect<{ readonly items: ReadonlyArray<Campaign>; readonly has_more: boolean }, StoreError>

  /** The campaign with a name, if it has emails. */
  readonly campaign: (name: string) => Effect.Effect<Campaign | undefined, StoreError>

  /** The names of the campaigns of emails, by the ids of those that belong to one. */
  readonly campaignsOf: (emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
}
