/**
 * Requests through undici instead of `fetch`: faster on Node.
 *
 * @since 1.0.0
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import { undici } from "@mailstream/effect4/undici"
 *
 * const MailstreamLive = Mailstream.layerConfig({ transport: undici() })
 * ```
 */
export {
  /**
   * An agent of undici 8, such as its `ProxyAgent`.
   *
   * @since 1.0.0
   * @category models
   */
  type Dispatcher,
  /**
   * The `transport` of a layer. Its connections are closed with the layer; those of a `dispatcher` stay open.
   *
   * @since 1.0.0
   * @category constructors
   */
  undici
} from "@mailstream/client/undici"
