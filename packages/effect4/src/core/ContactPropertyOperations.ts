/**
 * What can be done with one contact property.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { ContactProperty, ContactPropertyId } from "./ContactProperty.ts"
import * as Checks from "./internal/checks.ts"
import { acknowledged, changes, input, oneOf, removed, required, says, told, unchanged } from "./internal/fields.ts"
import * as Operation from "./Operation.ts"

const fallback = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])).annotate(told({
  message: says("The `fallback_value` field must be a string, a finite number, or null.")
}))

/**
 * The input for creating a contact property.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateContactProperty = input("CreateContactProperty", {
  key: required(
    "key",
    Schema.String.pipe(Checks.pattern(/^\w{1,50}$/)).annotate(told({
      message: says("The `key` field must consist of 1 to 50 letters, digits and underscores.")
    }))
  ),
  type: required("type", oneOf("type", "string", "number")),
  fallback_value: Schema.optional(fallback)
}).pipe(
  Checks.filter(
    ({ fallback_value, type }) =>
      fallback_value === undefined || fallback_value === null || typeof fallback_value === type,
    { message: () => "The `fallback_value` must be of the `type` of the property." }
  )
)

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateContactProperty extends Schema.Schema.Type<typeof CreateContactProperty> {}

/**
 * What to change of a contact property: null removes the fallback.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateContactProperty = changes("UpdateContactProperty", { fallback_value: unchanged(fallback) })

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateContactProperty extends Schema.Schema.Type<typeof UpdateContactProperty> {}

/**
 * The API's response to a change of a contact property.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedContactProperty = acknowledged("contact_property", ContactPropertyId).annotate({
  identifier: "ChangedContactProperty"
})

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedContactProperty extends Schema.Schema.Type<typeof ChangedContactProperty> {}

/**
 * The API's response to the removal of a contact property.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedContactProperty = removed("contact_property").annotate({ identifier: "RemovedContactProperty" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedContactProperty extends Schema.Schema.Type<typeof RemovedContactProperty> {}

/**
 * What the fields are that operations on a contact property take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  key: "The name under which contacts have it: letters, digits and underscores, at most 50.",
  type: "What its values are: texts or numbers. It cannot be changed later.",
  fallback_value: "The value for contacts that have none: a text or a number, as its type is."
}

/**
 * The operations on a contact property.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a contact property.",
    method: "GET",
    path: "/contact-properties/:contact_property_id",
    params: [Operation.param("contact_property_id", ContactPropertyId)],
    success: ContactProperty,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a contact property.",
    method: "POST",
    path: "/contact-properties",
    params: [],
    payload: CreateContactProperty,
    success: ChangedContactProperty,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Changes the fallback of a contact property.",
    method: "PATCH",
    path: "/contact-properties/:contact_property_id",
    params: [Operation.param("contact_property_id", ContactPropertyId)],
    payload: UpdateContactProperty,
    success: ChangedContactProperty,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a contact property, from all contacts.",
    method: "DELETE",
    path: "/contact-properties/:contact_property_id",
    params: [Operation.param("contact_property_id", ContactPropertyId)],
    success: RemovedContactProperty,
    repetition: "natural",
    gone: (id) => ({ id, deleted: true })
  })
}
