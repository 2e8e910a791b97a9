/**
 * Templates for emails.
 *
 * @since 0.1.0
 */
import type { Template } from "@mailstream/core"
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
export class Templates
  extends Context.Tag("@mailstream/http/Templates")<Templates, List.List<Template, Resource.NoFilter>>()
{
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<Templates, never, ApiClient> = Layer.effect(
    Templates,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.templates, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<Template, Resource.NoFilter>): Layer.Layer<Templates> =>
    Layer.succeed(Templates, List.fromItems(Resource.templates, items))
}
