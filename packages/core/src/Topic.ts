/**
 * Topics that contacts can subscribe to.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maxCharacters, maybe, open, says, visibleCharacters } from "./internal/fields.ts"
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
}).annotations({ identifier: "Topic" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Topic extends Schema.Schema.Type<typeof Topic> {}

/**
 * The input for creating a topic: a name of at most 50 characters that is not blank, a description of at most 200.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateTopic = Schema.Struct({
  name: Schema.propertySignature(visibleCharacters("name", 50)).annotations({
    missingMessage: () => "Missing `name` field."
  }),
  description: Schema.optional(maxCharacters("description", 200)),
  default_subscription: Schema.optional(
    Schema.Literal("opt_in", "opt_out").annotations({
      message: says("The `default_subscription` field must be `opt_in` or `opt_out`.")
    })
  ),
  visibility: Schema.optional(
    Schema.Literal("public", "private").annotations({
      message: says("The `visibility` field must be `public` or `private`.")
    })
  )
}).annotations({ identifier: "CreateTopic", message: () => "The body must be an object." })

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateTopic extends Schema.Schema.Type<typeof CreateTopic> {}

/**
 * The API's response to the creation of a topic.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreatedTopic = Schema.Struct({
  object: Schema.Literal("topic"),
  id: TopicId
}).annotations({ identifier: "CreatedTopic" })

/**
 * @since 1.0.0
 * @category models
 */
export interface CreatedTopic extends Schema.Schema.Type<typeof CreatedTopic> {}
