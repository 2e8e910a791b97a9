/**
 * Segments: named parts of an audience.
 *
 * @since 0.1.0
 */
import type { Segment } from "@mailstream/core"
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
export class Segments
  extends Context.Tag("@mailstream/http/Segments")<Segments, List.OptionalLimitList<Segment, Resource.NoFilter>>()
{
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<Segments, never, ApiClient> = Layer.effect(
    Segments,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.segments, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<Segment, Resource.NoFilter>): Layer.Layer<Segments> =>
    Layer.succeed(Segments, List.fromItems(Resource.segments, items))
}
