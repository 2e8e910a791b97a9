/**
 * What can be done with one contact.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { Contact, ContactId } from "./Contact.ts"
import {
  acknowledged,
  address,
  changes,
  flag,
  input,
  maybe,
  nullableText,
  oneOf,
  required,
  some,
  unchanged
} from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { SegmentId } from "./Segment.ts"
import { TopicId } from "./Topic.ts"

/**
 * What names one contact: its id, or its address as `{ email: "ada@example.com" }`.
 *
 * @since 1.0.0
 * @category ids
 */
export const ContactRef = Schema.Union(ContactId, Schema.Struct({ email: address("email") })).annotations({
  identifier: "ContactRef",
  description: "the id of a contact, or `{ email }`"
})

/**
 * @since 1.0.0
 * @category ids
 */
export type ContactRef = typeof ContactRef.Type

/**
 * One contact, with its properties.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ContactDetails = Schema.Struct({
  ...Contact.fields,
  properties: Schema.optionalWith(
    Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
    { exact: true }
  )
}).annotations({ identifier: "ContactDetails" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ContactDetails extends Schema.Schema.Type<typeof ContactDetails> {}

/**
 * Whether a contact gets what is sent on a topic.
 *
 * @since 1.0.0
 * @category schemas
 */
export const TopicSubscription = input("TopicSubscription", {
  id: required("id", TopicId),
  subscription: required("subscription", oneOf("subscription", "opt_in", "opt_out"))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface TopicSubscription extends Schema.Schema.Type<typeof TopicSubscription> {}

const properties = <Value extends string | number | boolean | null>(value: Schema.Schema<Value>) =>
  Schema.Record({ key: Schema.String, value })

/**
 * The input for creating a contact. An address that exists already is not created again.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateContact = input("CreateContact", {
  email: required("email", address("email")),
  first_name: Schema.optional(nullableText("first_name")),
  last_name: Schema.optional(nullableText("last_name")),
  unsubscribed: Schema.optional(flag("unsubscribed")),
  properties: Schema.optional(properties(Schema.Union(Schema.String, Schema.Number, Schema.Null))),
  segments: Schema.optional(Schema.Array(Schema.Struct({ id: SegmentId }))),
  topics: Schema.optional(Schema.Array(TopicSubscription))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateContact extends Schema.Schema.Type<typeof CreateContact> {}

/**
 * What to change of a contact: a field that is absent stays as it is, and null removes it.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateContact = changes("UpdateContact", {
  first_name: unchanged(nullableText("first_name")),
  last_name: unchanged(nullableText("last_name")),
  unsubscribed: unchanged(flag("unsubscribed")),
  properties: unchanged(properties(Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateContact extends Schema.Schema.Type<typeof UpdateContact> {}

/**
 * The API's response to a change of a contact.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedContact = acknowledged("contact", ContactId).annotations({ identifier: "ChangedContact" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedContact extends Schema.Schema.Type<typeof ChangedContact> {}

/**
 * The API's response to the removal of a contact: `contact` is what named it.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedContact = Schema.Struct({
  object: Schema.optionalWith(Schema.Literal("contact"), { exact: true }),
  contact: Schema.String,
  deleted: Schema.Boolean
}).annotations({ identifier: "RemovedContact" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedContact extends Schema.Schema.Type<typeof RemovedContact> {}

/**
 * The API's response when a contact joins or leaves a segment.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedMembership = Schema.Struct({
  id: maybe(Schema.String),
  contact_id: maybe(Schema.String),
  segment_id: maybe(Schema.String),
  deleted: maybe(Schema.Boolean)
}).annotations({ identifier: "ChangedMembership" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedMembership extends Schema.Schema.Type<typeof ChangedMembership> {}

/**
 * The operations on a contact.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a contact, with its properties.",
    method: "GET",
    path: "/contacts/:contact",
    params: [Operation.param("contact", ContactRef)],
    success: ContactDetails,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a contact. If the address exists, that contact is returned, unchanged.",
    method: "POST",
    path: "/contacts",
    params: [],
    payload: CreateContact,
    success: ChangedContact,
    status: 201,
    repetition: "natural"
  }),
  update: Operation.make({
    name: "update",
    summary: "Changes a contact.",
    method: "PATCH",
    path: "/contacts/:contact",
    params: [Operation.param("contact", ContactRef)],
    payload: UpdateContact,
    success: ChangedContact,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a contact, from all segments as well.",
    method: "DELETE",
    path: "/contacts/:contact",
    params: [Operation.param("contact", ContactRef)],
    success: RemovedContact,
    repetition: "natural",
    gone: (contact) => ({
      contact: typeof contact === "string" ? contact : contact.email,
      deleted: true
    })
  }),
  join: Operation.make({
    name: "join",
    summary: "Adds a contact to a segment.",
    method: "POST",
    path: "/contacts/:contact/segments/:segment_id",
    params: [Operation.param("contact", ContactRef), Operation.param("segment_id", SegmentId)],
    success: ChangedMembership,
    repetition: "natural"
  }),
  leave: Operation.make({
    name: "leave",
    summary: "Removes a contact from a segment. The contact stays.",
    method: "DELETE",
    path: "/contacts/:contact/segments/:segment_id",
    params: [Operation.param("contact", ContactRef), Operation.param("segment_id", SegmentId)],
    success: ChangedMembership,
    repetition: "natural",
    gone: (_, segment_id) => ({ segment_id, deleted: true })
  }),
  updateTopics: Operation.make({
    name: "updateTopics",
    summary: "Changes which topics a contact is subscribed to; topics that are not named stay as they are.",
    method: "PATCH",
    path: "/contacts/:contact/topics",
    params: [Operation.param("contact", ContactRef)],
    payload: some("Pass an array of at least one topic.", TopicSubscription),
    success: ChangedMembership,
    repetition: "natural"
  })
}
