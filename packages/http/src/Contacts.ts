/**
 * Contacts, all of them or those of one segment.
 *
 * @since 0.1.0
 */
import type { Contact } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ApiClient } from "./ApiClient.ts"
import * as List from "./List.ts"

/**
 * @since 0.1.0
 * @category services
 * @example
 * ```ts
 * import { Contacts } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const newest = Effect.gen(function*() {
 *   const contacts = yield* Contacts
 *   const page = yield* contacts.list({ limit: 10 })
 *   return page.data.map((contact) => contact.email)
 * })
 * ```
 */
export class Contacts
  extends Context.Tag("@mailstream/http/Contacts")<Contacts, List.OptionalLimitList<Contact, Resource.SegmentFilter>>()
{
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<Contacts, never, ApiClient> = Layer.effect(
    Contacts,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.contacts, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (items: List.Items<Contact, Resource.SegmentFilter>): Layer.Layer<Contacts> =>
    Layer.succeed(Contacts, List.fromItems(Resource.contacts, items))
}
