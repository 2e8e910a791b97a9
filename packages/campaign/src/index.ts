/**
 * @since 1.0.0
 */
export * as Campaign from "./Campaign.ts"
export * from "./CampaignError.ts"
export * from "./Recipient.ts"
