/**
 * The API of the email service with promises and async iterables.
 *
 * @since 1.0.0
 */
export * from "./Attachment.ts"
export type * from "./Campaigns.ts"
export * from "./Checkpoint.ts"
export type * from "./Items.ts"
export type * from "./List.ts"
export type * from "./Lists.ts"
export type * from "./Logger.ts"
export * from "./Mailstream.ts"
export * from "./MailstreamError.ts"
export type * from "./Objects.ts"
export * from "./Position.ts"
export type * from "./Progress.ts"
export type * from "./Secret.ts"
export type * from "./Store.ts"
export type * from "./Transport.ts"
export type * from "./Walk.ts"
