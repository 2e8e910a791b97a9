/**
 * The topics of a contact.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { maybe, open } from "./internal/fields.ts"
import { TopicId } from "./Topic.ts"

/**
 * A topic as one contact has it, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ContactTopic = Schema.Struct({
  id: TopicId,
  name: maybe(Schema.String),
  description: maybe(Schema.String),
  subscription: maybe(open("opt_in", "opt_out"))
}).annotate({ identifier: "ContactTopic" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ContactTopic extends Schema.Schema.Type<typeof ContactTopic> {}
