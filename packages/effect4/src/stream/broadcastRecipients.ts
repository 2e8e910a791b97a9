/**
 * The broadcast recipients of one broadcast, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type { BroadcastRecipient } from "../core/index.ts"
import * as Resource from "../core/Resource.ts"
import type { BroadcastRecipientFilter } from "../core/Resource.ts"
import { BroadcastRecipients } from "../http/Services.ts"
import * as Commit from "./Commit.ts"
import * as List from "./List.ts"
import * as Walk from "./Walk.ts"

/**
 * The list itself, for code that works with any list.
 *
 * @since 1.0.0
 * @category models
 */
export const descriptor: List.List<
  BroadcastRecipient,
  typeof BroadcastRecipient.Encoded,
  BroadcastRecipientFilter,
  BroadcastRecipients
> = /* #__PURE__ */ List.unordered(/* #__PURE__ */ List.fromService(Resource.broadcastRecipients, BroadcastRecipients))

type Ways = List.Ways<BroadcastRecipient, BroadcastRecipientFilter, BroadcastRecipients>

/**
 * The broadcast recipients of one broadcast, in the order of the service; no page is requested before it is needed. See
 * `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const items: Ways["items"] = (options) => Walk.items(descriptor.source(options.filter), options)

/**
 * The broadcast recipients of one broadcast, in pages, each with the position after it. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages: Ways["pages"] = (options) => Walk.pages(descriptor.source(options.filter), options)

/**
 * Runs `handle` for the broadcast recipients of one broadcast, from where the last run with this key stopped. See
 * `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const process: Ways["process"] = (key, handle, options) =>
  Commit.process(descriptor.source(options.filter), key, handle, options)

/**
 * The broadcast recipients of one broadcast, in pages to be committed, from where the last run with this key stopped.
 * See `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const processPages: Ways["processPages"] = (key, use, options) =>
  Commit.processPages(descriptor.source(options.filter), key, use, options)
