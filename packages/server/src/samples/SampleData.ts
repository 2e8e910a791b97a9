/**
 * Sample data: any amount, realistically varied, and always the same. An item is determined by the seed, its list and
 * its number alone, so a longer list starts with the shorter one.
 *
 * @since 0.1.0
 */
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
  Resource,
  Segment,
  SegmentId,
  Template,
  TemplateId,
  Timestamp,
  Topic,
  TopicId
} from "@mailstream/core"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PCGRandom } from "effect/Utils"
import { Store, type StoreError } from "../stores/Store.ts"
import * as words from "./words.ts"

/**
 * How many items each list gets. Default: none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Each seed gives different data. Default: 0. */
  readonly seed?: number | undefined
  readonly domains?: number | undefined
  readonly apiKeys?: number | undefined
  readonly broadcasts?: number | undefined
  /** Every second contact is in one of them, and some are in two. */
  readonly segments?: number | undefined
  readonly contacts?: number | undefined
  /** Each with zero to three attachments. */
  readonly receivedEmails?: number | undefined
  readonly emails?: number | undefined
  readonly templates?: number | undefined
  readonly topics?: number | undefined
}

/**
 * A sample item by its number: the oldest of a list has the number 0.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sample<Item> {
  (number: number, seed?: number): Item
}

/** A name, and the part of it that fits into an email address. */
const named = (name: string) => ({
  name,
  plain: name.normalize("NFKD").toLowerCase().replace(/[^a-z-]/g, "").replace(/^-+|-+$/g, "")
})

const people = words.people.map(({ first, last }) => ({ first: first.map(named), last: last.map(named) }))

/** The random choices of one item. */
class Dice {
  private readonly random: PCGRandom
  readonly seed: number
  readonly number: number

  constructor(seed: number, list: number, number: number) {
    this.random = new PCGRandom(seed * 31 + list, number)
    this.seed = seed
    this.number = number
  }

  below(bound: number): number {
    return this.random.integer(bound)
  }

  chance(share: number): boolean {
    return this.random.number() < share
  }

  pick<A>(values: ReadonlyArray<A>): A {
    return values[this.below(values.length)]!
  }

  /** An id that looks like a random UUID. */
  uuid(): string {
    const word = () => this.below(0x10000).toString(16).padStart(4, "0")
    const variant = (0x8000 + this.below(0x4000)).toString(16)
    return `${word()}${word()}-${word()}-4${word().slice(1)}-${variant}-${word()}${word()}${word()}`
  }

  /** Items are created about a minute apart. */
  micros(): bigint {
    return BigInt(Date.UTC(2023, 0, 1)) * 1000n + BigInt(this.number) * 61_000_000n + BigInt(this.below(60_000_000))
  }

  person(): { readonly first: string; readonly last: string; readonly address: string } {
    const names = this.pick(people)
    const first = this.pick(names.first)
    const last = this.pick(names.last)
    const local = [first.plain, last.plain].filter((part) => part !== "").join(".") || "contact"
    return { first: first.name, last: last.name, address: `${local}+${this.number}@${this.pick(words.mailDomains)}` }
  }

  addresses(most: number): ReadonlyArray<string> {
    return Array.makeBy(1 + this.below(most), () => this.person().address)
  }
}

const later = (micros: bigint, seconds: number): Timestamp.Timestamp =>
  Timestamp.fromEpochMicros(micros + BigInt(seconds) * 1_000_000n)

const iso = (micros: bigint): Timestamp.Timestamp =>
  Timestamp.Timestamp.make(new Date(Number(micros / 1000n)).toISOString())

const sample = <Item>(list: number, make: (dice: Dice) => Item): Sample<Item> => (number, seed = 0) =>
  make(new Dice(seed, list, number))

/**
 * @since 0.1.0
 * @category samples
 */
export const domain: Sample<Domain> = sample(1, (dice) =>
  Domain.make({
    id: DomainId.make(dice.uuid()),
    name: `${dice.pick(["mail", "news", "go", "updates"])}${dice.number}.${dice.pick(words.companies)}.example`,
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
 * @since 0.1.0
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
 * @since 0.1.0
 * @category samples
 */
export const segment: Sample<Segment> = sample(4, (dice) =>
  Segment.make({
    id: SegmentId.make(dice.uuid()),
    name: `${dice.pick(words.themes)} ${dice.number}`,
    created_at: Timestamp.fromEpochMicros(dice.micros())
  }))

/**
 * @since 0.1.0
 * @category samples
 */
export const broadcast: Sample<Broadcast> = sample(3, (dice) => {
  const micros = dice.micros()
  const status = dice.pick(["draft", "scheduled", "queued", "sent", "sent", "canceled"])
  return Broadcast.make({
    id: BroadcastId.make(dice.uuid()),
    name: dice.pick(words.subjects),
    segment_id: dice.chance(0.1) ? null : segment(dice.below(3), dice.seed).id,
    status,
    created_at: Timestamp.fromEpochMicros(micros),
    scheduled_at: status === "scheduled" ? later(micros, 86_400) : null,
    sent_at: status === "sent" ? later(micros, dice.below(86_400)) : null
  })
})

/**
 * @since 0.1.0
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
 * @since 0.1.0
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
 * @since 0.1.0
 * @category samples
 */
export const receivedEmail: Sample<ReceivedEmail> = (number, seed) =>
  sample(6, (dice) => {
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
      attachments: attachments(number, seed).map(({ download_url: _, expires_at: __, ...attachment }) => attachment)
    })
  })(number, seed)

/**
 * @since 0.1.0
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
 * @since 0.1.0
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
 * @since 0.1.0
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

/** How many items are inserted at once. */
const batch = 1000

/**
 * Inserts sample data into the store. The item with the highest number is the newest of its list.
 *
 * @since 0.1.0
 * @category combinators
 * @example
 * ```ts
 * import { SampleData, Store } from "@mailstream/server"
 * import { Effect } from "effect"
 *
 * const page = Effect.gen(function*() {
 *   yield* SampleData.insert({ contacts: 1000, segments: 3 })
 *   const store = yield* Store
 *   return yield* store.page({ name: "contacts" }, { limit: 10 })
 * }).pipe(Effect.provide(Store.layerMemory))
 * ```
 */
export const insert = (options: Options): Effect.Effect<void, StoreError, Store> =>
  Effect.gen(function*() {
    const store = yield* Store
    const { seed, segments = 0 } = options

    const fill = <Item extends { readonly id: string }, Encoded>(
      resource: Resource.Any<Item, Encoded, Resource.NoFilter> | Resource.Any<Item, Encoded, Resource.SegmentFilter>,
      count = 0,
      sample: Sample<Item>,
      then: (numbers: ReadonlyArray<number>, items: ReadonlyArray<Item>) => Effect.Effect<void, StoreError> = () =>
        Effect.void
    ): Effect.Effect<void, StoreError> =>
      Effect.iterate(0, {
        while: (start) => start < count,
        body: (start) => {
          const numbers = Array.range(start, Math.min(start + batch, count) - 1)
          const items = numbers.map((number) => sample(number, seed))
          return store.insert(resource as Resource.Any<Item, Encoded, Resource.NoFilter>, items).pipe(
            Effect.zipRight(then(numbers, items)),
            Effect.as(start + batch)
          )
        }
      })

    yield* fill(Resource.domains, options.domains, domain)
    yield* fill(Resource.apiKeys, options.apiKeys, apiKey)
    yield* fill(Resource.segments, segments, segment)
    yield* fill(Resource.broadcasts, options.broadcasts, broadcast)
    yield* fill(Resource.contacts, options.contacts, contact, (numbers, contacts) =>
      Effect.forEach(Array.take(Array.range(0, segments), segments), (index) =>
        store.join(
          segment(index, seed).id,
          contacts.filter((_, at) =>
            segmentsOf(numbers[at]!, segments).includes(index)
          ).map(({ id }) =>
            id
          )
        ), { discard: true }))
    yield* fill(Resource.receivedEmails, options.receivedEmails, receivedEmail, (numbers, emails) =>
      Effect.forEach(emails, ({ id }, index) =>
        store.insert(Resource.receivedEmailAttachments, attachments(numbers[index]!, seed), { email_id: id }), {
        discard: true
      }))
    yield* fill(Resource.emails, options.emails, email)
    yield* fill(Resource.templates, options.templates, template)
    yield* fill(Resource.topics, options.topics, topic)
  })

/** Every second contact is in one segment, every tenth in the next one too. */
const segmentsOf = (number: number, segments: number): ReadonlyArray<number> => {
  const home = (number >> 1) % segments
  return number % 2 === 1 ? [] : number % 10 === 0 ? [home, (home + 1) % segments] : [home]
}

/**
 * Inserts sample data when the layer is built.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<never, StoreError, Store> => Layer.effectDiscard(insert(options))
