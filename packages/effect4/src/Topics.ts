/**
 * Topics that contacts can subscribe to.
 *
 * @since 1.0.0
 */
import type { ChangedTopic, CreateTopic, InvalidOption, Topic } from "@mailstream/client"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { RequestError } from "./Errors.ts"
import * as Lists from "./internal/list.ts"
import type { List, Retried } from "./List.ts"

export type { ChangedTopic, CreateTopic } from "@mailstream/client"

/**
 * The list of topics, which can be created, too.
 *
 * @since 1.0.0
 * @category models
 */
export interface TopicList<out R = never> extends List<Topic, undefined, R> {
  /**
   * Creates a topic. Input that the API would reject fails with the API's own error, before any request. It is retried
   * only if the topic was certainly not created.
   */
  readonly create: (
    input: CreateTopic,
    options?: Retried
  ) => Effect.Effect<ChangedTopic, RequestError | InvalidOption, R>
}

/**
 * All topics.
 *
 * @since 1.0.0
 * @category services
 */
export class Topics extends Context.Service<Topics, TopicList>()("@mailstream/effect4/Topics") {}

/**
 * All topics.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { topics } from "@mailstream/effect4"
 *
 * const program = topics.create({ name: "Product news", default_subscription: "opt_in" })
 * ```
 */
export const topics: TopicList<Topics> = {
  ...Lists.using(Topics),
  create: (input, options) => Topics.use((topics) => topics.create(input, options))
}
