/**
 * Sent emails.
 *
 * @since 0.1.0
 */
import type { Email } from "@mailstream/core"
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
export class Emails extends Context.Tag("@mailstream/http/Emails")<Emails, List.List<Email, Resource.NoFilter>>() {
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<Emails, never, ApiClient> = Layer.effect(
    Emails,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.emails, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<Email, Resource.NoFilter>): Layer.Layer<Emails> =>
    Layer.succeed(Emails, List.fromItems(Resource.emails, items))
}
