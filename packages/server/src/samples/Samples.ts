/** One sample item for each list. */
import type { Contact } from "@mailstream/core"
import {
  ApiKey,
  ApiKeyId,
  Broadcast,
  BroadcastId,
  ContactId,
  Domain,
  DomainId,
  Email,
  EmailId,
  ReceivedEmail,
  ReceivedEmailAttachment,
  ReceivedEmailAttachmentId,
  ReceivedEmailId,
  Segment,
  SegmentId,
  Template,
  TemplateId,
  Timestamp,
  Topic,
  TopicId
} from "@mailstream/core"
import * as Array from "effect/Array"
import { iso, later, type Sample, sample } from "./Dice.ts"
import * as words from "./words.ts"

/**
 * @since 1.0.0
 * @category samples
 */
export const domain: Sample<Domain> = sample(1, (dice) =>
  Domain.make({
    id: DomainId.make(dice.uuid()),
    name: `${dice.pick(["mail", "news", "go", "updates"])}${dice.tag}.${dice.pick(words.companies)}.example`,
    status: dice.pick(["verified", "verified", "pending", "not_started", "failed"]),
    created_at: Timestamp.fromEpochMicros(dice.micros()),
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
export const apiKey: Sample<ApiKey> = sample(2, (dice) => {
  const micros = dice.micros()
  return ApiKey.make({
    id: ApiKeyId.make(dice.uuid()),
    name: dice.chance(0.1)
      ? ""
      : `${dice.pick(["Production", "Staging", "CI", "Integração", "テスト"])} ${dice.number}`,
    created_at: Timestamp.fromEpochMicros(micros),
    last_used_at: dice.chance(0.3) ? null : later(micros, dice.below(1_000_000))
  })
})

/**
 * @since 1.0.0
 * @category samples
 */
export const segment: Sample<Segment> = sample(4, (dice) =>
  Segment.make({
    id: SegmentId.make(dice.uuid()),
    name: `${dice.pick(words.themes)} ${dice.number}`,
    created_at: Timestamp.fromEpochMicros(dice.micros())
  }))

/**
 * @since 1.0.0
 * @category samples
 */
export const broadcast: Sample<Broadcast> = sample(3, (dice) => {
  const micros = dice.micros()
  const status = dice.pick(["draft", "scheduled", "queued", "sent", "sent", "canceled"])
  return Broadcast.make({
    id: BroadcastId.make(dice.uuid()),
    name: dice.pick(words.subjects),
    segment_id: dice.chance(0.1) ? null : segment(dice.below(3), dice.seed, dice.account).id,
    status,
    created_at: Timestamp.fromEpochMicros(micros),
    scheduled_at: status === "scheduled" ? later(micros, 86_400) : null,
    sent_at: status === "sent" ? later(micros, dice.below(86_400)) : null
  })
})

/**
 * @since 1.0.0
 * @category samples
 */
export const contact: Sample<Contact> = sample(5, (dice) => {
  const { address, first, last } = dice.person()
  return {
    id: ContactId.make(dice.uuid()),
    email: address,
    first_name: dice.chance(0.1) ? null : first,
    last_name: dice.chance(0.15) ? null : last,
    created_at: Timestamp.fromEpochMicros(dice.micros()),
    unsubscribed: dice.chance(0.12)
  }
})

/**
 * The attachments of a received email.
 *
 * @since 1.0.0
 * @category samples
 */
export const attachments: Sample<ReadonlyArray<ReceivedEmailAttachment>> = sample(7, (dice) => {
  const expires_at = iso(dice.micros() + 3_600_000_000n)
  return Array.makeBy(dice.below(4) + 1, () => dice.pick(words.files)).slice(1).map(({ name, type }) => {
    const id = ReceivedEmailAttachmentId.make(dice.uuid())
    const isInline = type.startsWith("image/") && dice.chance(0.5)
    return ReceivedEmailAttachment.make({
      id,
      filename: name,
      size: 100 + dice.below(5_000_000),
      content_type: type,
      content_disposition: isInline ? "inline" : "attachment",
      content_id: isInline ? `img${dice.below(1000)}` : null,
      download_url: `https://files.example.com/${id}?signature=${dice.below(1_000_000_000).toString(36)}`,
      expires_at
    })
  })
})

/**
 * @since 1.0.0
 * @category samples
 */
export const receivedEmail: Sample<ReceivedEmail> = sample(6, (dice) => {
  const to = dice.addresses(2)
  const id = ReceivedEmailId.make(dice.uuid())
  return ReceivedEmail.make({
    id,
    to,
    from: dice.person().address,
    created_at: iso(dice.micros()),
    subject: dice.chance(0.1) ? null : dice.pick(words.subjects),
    bcc: [],
    cc: dice.chance(0.2) ? dice.addresses(3) : [],
    reply_to: dice.chance(0.2) ? dice.addresses(1) : null,
    message_id: `<${id}@${dice.pick(words.mailDomains)}>`,
    received_for: to,
    attachments: attachments(dice.number, dice.seed, dice.account).map((
      { download_url: _, expires_at: __, ...attachment }
    ) => attachment)
  })
})

/**
 * @since 1.0.0
 * @category samples
 */
export const email: Sample<Email> = sample(8, (dice) => {
  const micros = dice.micros()
  const last_event = dice.pick(["delivered", "delivered", "delivered", "opened", "clicked", "bounced", "scheduled"])
  return Email.make({
    id: EmailId.make(dice.uuid()),
    to: dice.addresses(3),
    from: `${dice.pick(words.companies)} <hello@${dice.pick(words.mailDomains)}>`,
    created_at: Timestamp.fromEpochMicros(micros),
    subject: dice.pick(words.subjects),
    bcc: null,
    cc: dice.chance(0.2) ? dice.addresses(2) : null,
    reply_to: dice.chance(0.2) ? dice.addresses(1) : null,
    last_event,
    scheduled_at: last_event === "scheduled" ? later(micros, 86_400) : null
  })
})

/**
 * @since 1.0.0
 * @category samples
 */
export const template: Sample<Template> = sample(9, (dice) => {
  const micros = dice.micros()
  const isPublished = dice.chance(0.7)
  return Template.make({
    id: TemplateId.make(dice.uuid()),
    name: `${dice.pick(words.themes)} ${dice.number}`,
    status: isPublished ? "published" : "draft",
    published_at: isPublished ? later(micros, 600) : null,
    created_at: Timestamp.fromEpochMicros(micros),
    updated_at: dice.chance(0.2) ? null : later(micros, 600 + dice.below(86_400)),
    alias: dice.chance(0.5) ? null : `template-${dice.number}`
  })
})

/**
 * @since 1.0.0
 * @category samples
 */
export const topic: Sample<Topic> = sample(10, (dice) =>
  Topic.make({
    id: TopicId.make(dice.uuid()),
    name: `${dice.pick(words.themes)} ${dice.number}`,
    description: dice.chance(0.3) ? null : `All about: ${dice.pick(words.themes)}`,
    default_subscription: dice.pick(["opt_in", "opt_out"]),
    visibility: dice.pick(["public", "private"]),
    created_at: Timestamp.fromEpochMicros(dice.micros())
  }))
