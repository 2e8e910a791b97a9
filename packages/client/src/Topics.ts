/**
 * Topics that contacts can subscribe to.
 *
 * @since 1.0.0
 */
import type { Topic } from "./Items.ts"
import type { Cancelable, List, Retried } from "./List.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Topics extends List<Topic> {
  /**
   * Creates a topic. Input that the API would reject is rejected with the API's own error, before any request. It is
   * retried only if the topic was certainly not created.
   */
  readonly create: (input: CreateTopic, options?: Cancelable & Retried) => Promise<CreatedTopic>
}

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateTopic {
  /** At most 50 characters, and not blank. */
  readonly name: string
  /** At most 200 characters. */
  readonly description?: string | undefined
  readonly default_subscription?: "opt_in" | "opt_out" | undefined
  readonly visibility?: "public" | "private" | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface CreatedTopic {
  readonly object: "topic"
  readonly id: string
}
