/**
 * The recipients of a broadcast.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe, open } from "./internal/fields.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const BroadcastRecipientId = Id.opaque("BroadcastRecipientId")

/**
 * @since 1.0.0
 * @category ids
 */
export type BroadcastRecipientId = typeof BroadcastRecipientId.Type

/**
 * What happened to one recipient of a broadcast, as an item of a list. The id is a cursor, and names nothing else.
 *
 * @since 1.0.0
 * @category schemas
 */
export const BroadcastRecipient = Schema.Struct({
  id: BroadcastRecipientId,
  contact_id: maybe(Schema.String),
  email: maybe(Schema.String),
  count: maybe(Schema.Number),
  bounce_type: maybe(open("permanent", "transient", "undetermined")),
  clicked_links: maybe(Schema.Array(Schema.Struct({ url: Schema.String, clicks: maybe(Schema.Number) })))
}).annotate({ identifier: "BroadcastRecipient" })

/**
 * @since 1.0.0
 * @category models
 */
export interface BroadcastRecipient extends Schema.Schema.Type<typeof BroadcastRecipient> {}
