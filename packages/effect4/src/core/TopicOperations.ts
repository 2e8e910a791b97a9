/**
 * What can be done with one topic.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import {
  acknowledged,
  changes,
  maxCharacters,
  missing,
  oneOf,
  removed,
  says,
  told,
  unchanged,
  visibleCharacters
} from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { Topic, TopicId } from "./Topic.ts"

/**
 * The input for creating a topic: a name of at most 50 characters that is not blank, a description of at most 200.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateTopic = Schema.Struct({
  name: missing("Missing `name` field.", visibleCharacters("name", 50)),
  description: Schema.optional(maxCharacters("description", 200)),
  default_subscription: Schema.optional(
    Schema.Literals(["opt_in", "opt_out"]).annotate(told({
      message: says("The `default_subscription` field must be `opt_in` or `opt_out`.")
    }))
  ),
  visibility: Schema.optional(
    Schema.Literals(["public", "private"]).annotate(told({
      message: says("The `visibility` field must be `public` or `private`.")
    }))
  )
}).annotate(told({ identifier: "CreateTopic", message: () => "The body must be an object." }))

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateTopic extends Schema.Schema.Type<typeof CreateTopic> {}

/**
 * What to change of a topic: a field that is absent stays as it is. The default subscription cannot change.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateTopic = changes("UpdateTopic", {
  name: unchanged(visibleCharacters("name", 50)),
  description: unchanged(maxCharacters("description", 200)),
  visibility: unchanged(oneOf("visibility", "public", "private"))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateTopic extends Schema.Schema.Type<typeof UpdateTopic> {}

/**
 * The API's response to a change of a topic.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedTopic = acknowledged("topic", TopicId).annotate({ identifier: "ChangedTopic" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedTopic extends Schema.Schema.Type<typeof ChangedTopic> {}

/**
 * The API's response to the removal of a topic.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedTopic = removed("topic").annotate({ identifier: "RemovedTopic" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedTopic extends Schema.Schema.Type<typeof RemovedTopic> {}

/**
 * What the fields are that operations on a topic take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  name: "The name of the topic, which contacts see.",
  description: "What contacts are told about the topic.",
  default_subscription: "Whether contacts who have not chosen receive it. It cannot be changed later.",
  visibility: "Whether the topic is shown to contacts."
}

/**
 * The operations on a topic.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a topic.",
    method: "GET",
    path: "/topics/:topic_id",
    params: [Operation.param("topic_id", TopicId)],
    success: Topic,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a topic that contacts can subscribe to.",
    method: "POST",
    path: "/topics",
    params: [],
    payload: CreateTopic,
    success: ChangedTopic,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Changes a topic.",
    method: "PATCH",
    path: "/topics/:topic_id",
    params: [Operation.param("topic_id", TopicId)],
    payload: UpdateTopic,
    success: ChangedTopic,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a topic.",
    method: "DELETE",
    path: "/topics/:topic_id",
    params: [Operation.param("topic_id", TopicId)],
    success: RemovedTopic,
    repetition: "natural",
    gone: (id) => ({ id, deleted: true })
  })
}
