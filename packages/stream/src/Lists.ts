/**
 * The ten lists of the API, each a module of Streams.
 *
 * @since 0.1.0
 */

/**
 * All domains.
 *
 * @since 0.1.0
 * @category lists
 */
export * as domains from "./domains.ts"

/**
 * All API keys.
 *
 * @since 0.1.0
 * @category lists
 */
export * as apiKeys from "./apiKeys.ts"

/**
 * All broadcasts.
 *
 * @since 0.1.0
 * @category lists
 */
export * as broadcasts from "./broadcasts.ts"

/**
 * All segments.
 *
 * @since 0.1.0
 * @category lists
 */
export * as segments from "./segments.ts"

/**
 * All contacts, or those of one segment.
 *
 * @since 0.1.0
 * @category lists
 */
export * as contacts from "./contacts.ts"

/**
 * All received emails.
 *
 * @since 0.1.0
 * @category lists
 */
export * as receivedEmails from "./receivedEmails.ts"

/**
 * The attachments of one received email.
 *
 * @since 0.1.0
 * @category lists
 */
export * as receivedEmailAttachments from "./receivedEmailAttachments.ts"

/**
 * All emails that were sent.
 *
 * @since 0.1.0
 * @category lists
 */
export * as emails from "./emails.ts"

/**
 * All templates.
 *
 * @since 0.1.0
 * @category lists
 */
export * as templates from "./templates.ts"

/**
 * All topics.
 *
 * @since 0.1.0
 * @category lists
 */
export * as topics from "./topics.ts"
