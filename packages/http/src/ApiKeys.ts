/**
 * API keys, without their secrets.
 *
 * @since 0.1.0
 */
import type { ApiKey } from "@mailstream/core"
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
export class ApiKeys
  extends Context.Tag("@mailstream/http/ApiKeys")<ApiKeys, List.OptionalLimitList<ApiKey, Resource.NoFilter>>()
{
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<ApiKeys, never, ApiClient> = Layer.effect(
    ApiKeys,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.apiKeys, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<ApiKey, Resource.NoFilter>): Layer.Layer<ApiKeys> =>
    Layer.succeed(ApiKeys, List.fromItems(Resource.apiKeys, items))
}
