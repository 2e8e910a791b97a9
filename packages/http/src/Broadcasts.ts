/**
 * Broadcasts: one email to a whole segment.
 *
 * @since 0.1.0
 */
import type { Broadcast } from "@mailstream/core"
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
export class Broadcasts
  extends Context.Tag("@mailstream/http/Broadcasts")<Broadcasts, List.OptionalLimitList<Broadcast, Resource.NoFilter>>()
{
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<Broadcasts, never, ApiClient> = Layer.effect(
    Broadcasts,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.broadcasts, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<Broadcast, Resource.NoFilter>): Layer.Layer<Broadcasts> =>
    Layer.succeed(Broadcasts, List.fromItems(Resource.broadcasts, items))
}
