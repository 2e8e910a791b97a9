/**
 * Received emails.
 *
 * @since 0.1.0
 */
import type { ReceivedEmail } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ApiClient } from "./ApiClient.ts"
import * as List from "./List.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class ReceivedEmails extends Context.Tag("@mailstream/http/ReceivedEmails")<
  ReceivedEmails,
  List.OptionalLimitList<ReceivedEmail, Resource.NoFilter>
>() {
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<ReceivedEmails, never, ApiClient> = Layer.effect(
    ReceivedEmails,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.receivedEmails, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<ReceivedEmail, Resource.NoFilter>): Layer.Layer<ReceivedEmails> =>
    Layer.succeed(ReceivedEmails, List.fromItems(Resource.receivedEmails, items))
}
