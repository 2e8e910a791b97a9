/**
 * The attachments of one received email.
 *
 * @since 0.1.0
 */
import type { ReceivedEmailAttachment } from "@mailstream/core"
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
 * import { ReceivedEmailId } from "@mailstream/core"
 * import { ReceivedEmailAttachments } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const names = Effect.gen(function*() {
 *   const attachments = yield* ReceivedEmailAttachments
 *   const page = yield* attachments.list({ email_id: ReceivedEmailId.make("4ef9a417-02e9-4d39-ad75-9611e0fcc33c") })
 *   return page.data.map((attachment) => attachment.filename)
 * })
 * ```
 */
export class ReceivedEmailAttachments extends Context.Tag("@mailstream/http/ReceivedEmailAttachments")<
  ReceivedEmailAttachments,
  List.OptionalLimitList<ReceivedEmailAttachment, Resource.EmailFilter>
>() {
  /**
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<ReceivedEmailAttachments, never, ApiClient> = Layer.effect(
    ReceivedEmailAttachments,
    Effect.map(ApiClient, (client) => List.fromClient(Resource.receivedEmailAttachments, client))
  )

  /**
   * Answers from values, for tests without a network.
   *
   * @since 0.1.0
   */
  static readonly layerTest = (
    items: List.Items<ReceivedEmailAttachment, Resource.EmailFilter>
  ): Layer.Layer<ReceivedEmailAttachments> =>
    Layer.succeed(ReceivedEmailAttachments, List.fromItems(Resource.receivedEmailAttachments, items))
}
