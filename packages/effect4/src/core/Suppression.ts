/**
 * Suppressions: addresses that nothing is sent to.
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
export const SuppressionId = Id.opaque("SuppressionId")

/**
 * @since 1.0.0
 * @category ids
 */
export type SuppressionId = typeof SuppressionId.Type

/**
 * A suppression, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Suppression = Schema.Struct({
  id: SuppressionId,
  email: maybe(Schema.String),
  origin: maybe(open("bounce", "complaint", "manual")),
  source_id: maybe(Schema.String),
  created_at: maybe(Timestamp)
}).annotate({ identifier: "Suppression" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Suppression extends Schema.Schema.Type<typeof Suppression> {}
