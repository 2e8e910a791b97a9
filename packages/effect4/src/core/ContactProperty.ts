/**
 * Contact properties: what else is known about contacts.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe, open } from "./internal/fields.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const ContactPropertyId = Id.opaque("ContactPropertyId")

/**
 * @since 1.0.0
 * @category ids
 */
export type ContactPropertyId = typeof ContactPropertyId.Type

/**
 * A contact property, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ContactProperty = Schema.Struct({
  id: ContactPropertyId,
  key: maybe(Schema.String),
  type: maybe(open("string", "number")),
  fallback_value: maybe(Schema.Union([Schema.String, Schema.Number])),
  created_at: maybe(Timestamp)
}).annotate({ identifier: "ContactProperty" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ContactProperty extends Schema.Schema.Type<typeof ContactProperty> {}
