/**
 * Domains: where email is sent from and received at.
 *
 * @since 0.1.0
 */
import type { Domain } from "@mailstream/core"
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
export class Domains
  extends Context.Tag("@mailstream/http/Domains")<Domains, List.OptionalLimitList<Domain, Resource.NoFilter>>()
{
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<Domains, never, ApiClient> = Layer.effect(
    Domains,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.domains, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<Domain, Resource.NoFilter>): Layer.Layer<Domains> =>
    Layer.succeed(Domains, List.fromItems(Resource.domains, items))
}
