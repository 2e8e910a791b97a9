/**
 * The contact topics of one contact, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type { ContactTopic } from "../core/index.ts"
import * as Resource from "../core/Resource.ts"
import type { ContactFilter } from "../core/Resource.ts"
import { ContactTopics } from "../http/Services.ts"
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
  ContactTopic,
  typeof ContactTopic.Encoded,
  ContactFilter,
  ContactTopics
> = /* #__PURE__ */ List.unordered(/* #__PURE__ */ List.fromService(Resource.contactTopics, ContactTopics))

type Ways = List.Ways<ContactTopic, ContactFilter, ContactTopics>

/**
 * The contact topics of one contact, in the order of the service; no page is requested before it is needed. See
 * `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const items: Ways["items"] = (options) => Walk.items(descriptor.source(options.filter), options)

/**
 * The contact topics of one contact, in pages, each with the position after it. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages: Ways["pages"] = (options) => Walk.pages(descriptor.source(options.filter), options)

/**
 * Runs `handle` for the contact topics of one contact, from where the last run with this key stopped. See `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const process: Ways["process"] = (key, handle, options) =>
  Commit.process(descriptor.source(options.filter), key, handle, options)

/**
 * The contact topics of one contact, in pages to be committed, from where the last run with this key stopped. See
 * `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const processPages: Ways["processPages"] = (key, use, options) =>
  Commit.processPages(descriptor.source(options.filter), key, use, options)
