/**
 * Requests through undici instead of `fetch`: faster on Node. Connections are closed with the layer; those of a
 * `dispatcher` stay open.
 *
 * @since 1.0.0
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import { undici } from "@mailstream/effect4/undici"
 * import { Config } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig({ transport: Config.succeed(undici()) })
 * ```
 */
export { type Dispatcher, undici } from "@mailstream/client/undici"
