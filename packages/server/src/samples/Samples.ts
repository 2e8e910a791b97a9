/** One sample item for each list. */
import {
  type ApiKey,
  type Broadcast,
  type Contact,
  type ContactProperty,
  type Domain,
  type Email,
  type EmailAttachment,
  EmailAttachmentId,
  type ReceivedEmail,
  type ReceivedEmailAttachment,
  ReceivedEmailAttachmentId,
  Resource,
  type Segment,
  type Suppression,
  type Template,
  type Topic,
  type Webhook
} from "@mailstream/core"
import * as Array from "effect/Array"
import { type Dice, iso, roll, type Sample, sample } from "./Dice.ts"
import * as words from "./words.ts"

/**
 * @since 1.0.0
 * @category samples
 */
export const domain: Sample<Domain> = sample(Resource.domains, (dice) => ({
  name: `${dice.pick(["mail", "news", "go", "updates"])}${dice.tag}.${dice.pick(words.companies)}.example`,
  status: dice.pick(["verified", "verified", "pending", "not_started", "failed"]),
  created_at: dice.after(0),
  region: dice.pick(["us-east-1", "eu-west-1", "sa-east-1", "ap-northeast-1"]),
  open_tracking: dice.chance(0.5),
  click_tracking: dice.chance(0.5),
  capabilities: { sending: "enabled", receiving: dice.pick(["enabled", "disabled"]) }
}))

/**
 * A listed key. It has no secret, so it cannot be used.
 *
 * @since 1.0.0
 * @category samples
 */
export const apiKey: Sample<ApiKey> = sample(Resource.apiKeys, (dice) => ({
  name: dice.chance(0.1) ? "" : `${dice.pick(["Production", "Staging", "CI", "Integração", "テスト"])} ${dice.number}`,
  created_at: dice.after(0),
  last_used_at: dice.chance(0.3) ? null : dice.after(dice.below(1_000_000))
}))

/**
 * @since 1.0.0
 * @category samples
 */
export const segment: Sample<Segment> = sample(Resource.segments, (dice) => ({
  name: `${dice.pick(words.themes)} ${dice.number}`,
  created_at: dice.after(0)
}))

/**
 * @since 1.0.0
 * @category samples
 */
export const broadcast: Sample<Broadcast> = sample(Resource.broadcasts, (dice) => {
  const status = dice.pick(["draft", "scheduled", "queued", "sent", "sent", "canceled"])
  return {
    name: dice.pick(words.subjects),
    segment_id: dice.chance(0.1) ? null : segment(dice.below(3), dice.seed, dice.account).id,
    status,
    created_at: dice.after(0),
    scheduled_at: status === "scheduled" ? dice.after(86_400) : null,
    sent_at: status === "sent" ? dice.after(dice.below(86_400)) : null
  }
})

/**
 * @since 1.0.0
 * @category samples
 */
export const contact: Sample<Contact> = sample(Resource.contacts, (dice) => {
  const { address, first, last } = dice.person()
  return {
    email: address,
    first_name: dice.chance(0.1) ? null : first,
    last_name: dice.chance(0.15) ? null : last,
    created_at: dice.after(0),
    unsubscribed: dice.chance(0.12)
  }
})

/** Up to three attachments. */
const attached = <Id extends string>(dice: Dice, { make }: { readonly make: (id: string) => Id }) =>
  Array.makeBy(dice.below(4) + 1, () => dice.pick(words.files)).slice(1).map(({ name, type }) => {
    const id = make(dice.uuid())
    const isInline = type.startsWith("image/") && dice.chance(0.5)
    return {
      id,
      filename: name,
      size: 100 + dice.below(5_000_000),
      content_type: type,
      content_disposition: isInline ? "inline" : "attachment",
      content_id: isInline ? `img${dice.below(1000)}` : null,
      download_url: `https://files.example.com/${id}?signature=${dice.below(1_000_000_000).toString(36)}`,
      expires_at: iso(dice.after(3600))
    }
  })

/**
 * The attachments of a received email.
 *
 * @since 1.0.0
 * @category samples
 */
export const attachments: Sample<ReadonlyArray<ReceivedEmailAttachment>> = roll(
  Resource.receivedEmailAttachments,
  (dice) => attached(dice, ReceivedEmailAttachmentId)
)

/**
 * The attachments of an email that was sent: every third has some.
 *
 * @since 1.0.0
 * @category samples
 */
export const emailAttachments: Sample<ReadonlyArray<EmailAttachment>> = roll(
  Resource.emailAttachments,
  (dice) =>
    dice.number % 3 !== 0 ? [] : attached(dice, EmailAttachmentId).map(({ content_id, filename, ...attachment }) => ({
      ...attachment,
      filename: filename ?? "attachment",
      ...content_id === null ? {} : { content_id }
    }))
)

/**
 * @since 1.0.0
 * @category samples
 */
export const receivedEmail: Sample<ReceivedEmail> = sample(Resource.receivedEmails, (dice) => {
  const to = dice.addresses(2)
  return {
    to,
    from: dice.person().address,
    created_at: iso(dice.after(0)),
    subject: dice.chance(0.1) ? null : dice.pick(words.subjects),
    bcc: [],
    cc: dice.chance(0.2) ? dice.addresses(3) : [],
    reply_to: dice.chance(0.2) ? dice.addresses(1) : null,
    message_id: `<${dice.uuid()}@${dice.pick(words.mailDomains)}>`,
    received_for: to,
    attachments: attachments(dice.number, dice.seed, dice.account).map((
      { download_url: _, expires_at: __, ...attachment }
    ) => attachment)
  }
})

/**
 * @since 1.0.0
 * @category samples
 */
export const email: Sample<Email> = sample(Resource.emails, (dice) => {
  const last_event = dice.pick(["delivered", "delivered", "delivered", "opened", "clicked", "bounced", "scheduled"])
  return {
    to: dice.addresses(3),
    from: `${dice.pick(words.companies)} <hello@${dice.pick(words.mailDomains)}>`,
    created_at: dice.after(0),
    subject: dice.pick(words.subjects),
    bcc: null,
    cc: dice.chance(0.2) ? dice.addresses(2) : null,
    reply_to: dice.chance(0.2) ? dice.addresses(1) : null,
    last_event,
    scheduled_at: last_event === "scheduled" ? dice.after(86_400) : null
  }
})

/**
 * @since 1.0.0
 * @category samples
 */
export const template: Sample<Template> = sample(Resource.templates, (dice) => {
  const isPublished = dice.chance(0.7)
  return {
    name: `${dice.pick(words.themes)} ${dice.number}`,
    status: isPublished ? "published" : "draft",
    published_at: isPublished ? dice.after(600) : null,
    created_at: dice.after(0),
    updated_at: dice.chance(0.2) ? null : dice.after(600 + dice.below(86_400)),
    alias: dice.chance(0.5) ? null : `template-${dice.number}`
  }
})

/**
 * @since 1.0.0
 * @category samples
 */
export const topic: Sample<Topic> = sample(Resource.topics, (dice) => ({
  name: `${dice.pick(words.themes)} ${dice.number}`,
  description: dice.chance(0.3) ? null : `All about: ${dice.pick(words.themes)}`,
  default_subscription: dice.pick(["opt_in", "opt_out"]),
  visibility: dice.pick(["public", "private"]),
  created_at: dice.after(0)
}))

/**
 * @since 1.0.0
 * @category samples
 */
export const contactProperty: Sample<ContactProperty> = sample(Resource.contactProperties, (dice) => {
  const [key, type] = dice.pick([["company", "string"], ["seats", "number"], ["plan", "string"]] as const)
  return {
    key: `${key}_${dice.number}`,
    type,
    fallback_value: dice.chance(0.5) ? null : type === "number" ? dice.below(100) : "unknown",
    created_at: dice.after(0)
  }
})

/**
 * @since 1.0.0
 * @category samples
 */
export const suppression: Sample<Suppression> = sample(Resource.suppressions, (dice) => ({
  email: dice.person().address.replace("@", ".suppressed@"),
  origin: dice.pick(["bounce", "bounce", "complaint", "manual"]),
  source_id: null,
  created_at: dice.after(0)
}))

/**
 * @since 1.0.0
 * @category samples
 */
export const webhook: Sample<Webhook> = sample(Resource.webhooks, (dice) => ({
  endpoint: `https://${dice.pick(words.companies)}.example/hooks/${dice.tag}`,
  status: dice.pick(["enabled", "enabled", "disabled"]),
  events: dice.pick([["email.sent", "email.delivered"], ["email.bounced", "email.complained"], ["contact.created"]]),
  created_at: dice.after(0)
}))
