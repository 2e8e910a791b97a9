/**
 * All suppressions, or those of one origin, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type { Suppression } from "../core/index.ts"
import * as Resource from "../core/Resource.ts"
import type { SuppressionFilter } from "../core/Resource.ts"
import { Suppressions } from "../http/Services.ts"
import * as Commit from "./Commit.ts"
import * as Follow from "./Follow.ts"
import * as List from "./List.ts"
import * as Walk from "./Walk.ts"

/**
 * The list itself, for code that works with any list.
 *
 * @since 1.0.0
 * @category models
 */
export const descriptor: List.List<
  Suppression,
  typeof Suppression.Encoded,
  SuppressionFilter | undefined,
  Suppressions
> = /* #__PURE__ */ List.fromService(Resource.suppressions, Suppressions)

type Ways = List.Ways<Suppression, SuppressionFilter | undefined, Suppressions>

/**
 * All suppressions, or those of one origin, newest first; no page is requested before it is needed. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const items: Ways["items"] = (options) => Walk.items(descriptor.source(options?.filter), options)

/**
 * All suppressions, or those of one origin, in pages, each with the position after it. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages: Ways["pages"] = (options) => Walk.pages(descriptor.source(options?.filter), options)

/**
 * Runs `handle` for all suppressions, or those of one origin, from where the last run with this key stopped. See
 * `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const process: Ways["process"] = (key, handle, options) =>
  Commit.process(descriptor.source(options?.filter), key, handle, options)

/**
 * All suppressions, or those of one origin, in pages to be committed, from where the last run with this key stopped.
 * See `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const processPages: Ways["processPages"] = (key, use, options) =>
  Commit.processPages(descriptor.source(options?.filter), key, use, options)

/**
 * New suppressions as they are created, oldest first. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow: Ways["follow"] = (options) => Follow.items(descriptor.source(options?.filter), options)
