/**
 * Topics that contacts can subscribe to.
 *
 * @since 1.0.0
 */
import {
  CreatedTopic,
  CreateTopic,
  isTransient,
  isUnprocessed,
  type RequestError,
  type Topic,
  TopicId,
  ValidationError
} from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import * as Timestamp from "@mailstream/core/Timestamp"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { ApiClient } from "./ApiClient.ts"
import * as ListService from "./ListService.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateOptions {
  /**
   * When to retry a create; default: `RetryPolicy.default`. Whatever the policy, a create is only retried if the topic
   * was certainly not created: after a 429, or if there was no connection at all.
   */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
}

/**
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Topics } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const topics = yield* Topics
 *   return yield* topics.create({ name: "Product news", default_subscription: "opt_in" })
 * }).pipe(
 *   Effect.catchTag("validation_error", (error) => Effect.logError(error.message))
 * )
 * ```
 */
export class Topics extends Context.Tag("@mailstream/http/Topics")<
  Topics,
  ListService.ListService<Topic, undefined> & {
    /** Creates a topic. Input that the API would reject fails with the API's own error, before any request. */
    readonly create: (input: CreateTopic, options?: CreateOptions) => Effect.Effect<CreatedTopic, RequestError>
  }
>() {
  /**
   * @since 1.0.0
   */
  static readonly layer: Layer.Layer<Topics, never, ApiClient> = Layer.fresh(Layer.effect(
    Topics,
    Effect.map(ApiClient, (client) => ({
      ...ListService.fromClient(Resource.topics, client),
      create: (input, options) =>
        Effect.flatMap(validate(input), (body) =>
          RetryPolicy.counting(
            (attempt) =>
              client.call({
                name: "Topics.create",
                method: "POST",
                path: Resource.topics.path,
                body,
                resends: attempt - 1,
                schema: CreatedTopic,
                attributes: (topic) => ({ "mailstream.topic_id": topic.id })
              }),
            Effect.retry({
              schedule: RetryPolicy.monotonic(options?.retry ?? RetryPolicy.default),
              while: (error) => isUnprocessed(error) && isTransient(error)
            })
          ))
    }))
  ))

  /**
   * The service on given items, for tests without a network. Created topics are listed from then on.
   *
   * @since 1.0.0
   */
  static readonly layerTest = (items: ListService.Items<Topic, undefined>): Layer.Layer<Topics> =>
    Layer.sync(Topics, () => {
      let topics = typeof items === "function" ? items(undefined) : items
      return {
        ...ListService.fromItems(Resource.topics, () => topics),
        create: (input) =>
          Effect.gen(function*() {
            const { default_subscription = null, description = null, name, visibility = null } = yield* validate(input)
            const id = yield* randomId
            const created_at = Timestamp.fromDateTime(yield* DateTime.now)
            topics = [{ id, name, description, default_subscription, visibility, created_at }, ...topics]
            return { object: "topic", id }
          })
      }
    })
}

const validate = (input: CreateTopic): Either.Either<CreateTopic, ValidationError> =>
  Either.mapLeft(Schema.validateEither(CreateTopic)(input), ValidationError.fromParseError)

const randomId: Effect.Effect<TopicId> = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0x10000), 8),
  (words) => {
    const [a, b, c, d, e, f, g, h] = words.map((word) => word.toString(16).padStart(4, "0"))
    return TopicId.make(`${a}${b}-${c}-${d}-${e}-${f}${g}${h}`)
  }
)
