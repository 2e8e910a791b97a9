/**
 * What can be done with one contact.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { Contact, ContactId, ContactRef } from "./Contact.ts"
import {
  acknowledged,
  address,
  anything,
  changes,
  flag,
  input,
  kind,
  maybe,
  missing,
  nullableText,
  oneOf,
  required,
  scalar,
  told,
  unchanged
} from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { SegmentId } from "./Segment.ts"
import { TopicId } from "./Topic.ts"

/**
 * One contact, with its properties.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ContactDetails = Schema.Struct({
  ...Contact.fields,
  properties: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, anything)))
}).annotate({ identifier: "ContactDetails" })

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

/**
 * Which topics a contact subscribes to, or no longer does: at least one.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateTopics = Schema.TupleWithRest(
  Schema.Tuple([missing("Pass at least one topic.", TopicSubscription)]),
  [TopicSubscription]
).annotate(told({ identifier: "UpdateTopics", message: () => "The body must be an array." }))

/**
 * @since 1.0.0
 * @category models
 */
export type UpdateTopics = typeof UpdateTopics.Type

const properties = Schema.Record(Schema.String, scalar("properties")).annotate(told({
  message: () => "The `properties` field must be an object."
}))

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
  properties: Schema.optional(properties),
  segments: Schema.optional(Schema.Array(Schema.Struct({ id: required("id", SegmentId) }))),
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
  properties: unchanged(properties)
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
export const ChangedContact = acknowledged("contact", ContactId).annotate({ identifier: "ChangedContact" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedContact extends Schema.Schema.Type<typeof ChangedContact> {}

/**
 * The API's response to the removal of a contact: `contact` is its id, or what named one that does not exist.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedContact = Schema.Struct({
  object: kind("contact"),
  contact: Schema.String,
  deleted: Schema.Boolean
}).annotate({ identifier: "RemovedContact" })

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
}).annotate({ identifier: "ChangedMembership" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedMembership extends Schema.Schema.Type<typeof ChangedMembership> {}

/**
 * What the fields are that operations on a contact take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  email: "The address of the contact. If a contact has it already, that one is returned as it is, and none of the " +
    "other fields is applied: the response does not tell. To change a contact, use `update`.",
  first_name: "The first name of the contact.",
  last_name: "The last name of the contact.",
  unsubscribed: "Whether the contact is unsubscribed, and receives no broadcasts.",
  properties: "Values of contact properties by their keys; null removes one.",
  segments: "The ids of the segments that the contact is added to.",
  topics: "Topics that the contact opts in to or out of, such as `{\"id\":\"…\",\"subscription\":\"opt_in\"}`.",
  id: "The id of a topic to opt in to or out of.",
  subscription: "Whether the contact receives what is sent on the topic."
}

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
    summary: "Removes a contact, from all segments as well. One that does not exist is reported as deleted, too.",
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
    // As in the list at the same path: OpenAPI has one name for a place.
    path: "/contacts/:contact_id/topics",
    params: [Operation.param("contact_id", ContactRef)],
    payload: UpdateTopics,
    success: ChangedMembership,
    repetition: "natural"
  })
}
