/**
 * Topics that contacts can subscribe to.
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
export const TopicId = Id.uuid("TopicId")

/**
 * @since 1.0.0
 * @category ids
 */
export type TopicId = typeof TopicId.Type

/**
 * A topic, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Topic = Schema.Struct({
  id: TopicId,
  name: maybe(Schema.String),
  description: maybe(Schema.String),
  default_subscription: maybe(open("opt_in", "opt_out")),
  visibility: maybe(open("public", "private")),
  created_at: maybe(Timestamp)
}).annotate({ identifier: "Topic" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Topic extends Schema.Schema.Type<typeof Topic> {}
