/**
 * All broadcasts, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type { Broadcast } from "../core/index.ts"
import * as Resource from "../core/Resource.ts"
import { Broadcasts } from "../http/Services.ts"
import * as Commit from "./Commit.ts"
import * as Follow from "./Follow.ts"
import * as List from "./List.ts"
import * as Walk from "./Walk.ts"
import * as Whole from "./Whole.ts"

/**
 * The list itself, for code that works with any list.
 *
 * @since 1.0.0
 * @category models
 */
export const descriptor: List.OptionalLimit<
  Broadcast,
  typeof Broadcast.Encoded,
  undefined,
  Broadcasts
> = /* #__PURE__ */ List.fromOptionalLimitService(Resource.broadcasts, Broadcasts)

type Ways = List.Ways<Broadcast, undefined, Broadcasts>

/**
 * All broadcasts, newest first; no page is requested before it is needed. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const items: Ways["items"] = (options) => Walk.items(descriptor.source(undefined), options)

/**
 * All broadcasts, in pages, each with the position after it. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages: Ways["pages"] = (options) => Walk.pages(descriptor.source(undefined), options)

/**
 * Runs `handle` for all broadcasts, from where the last run with this key stopped. See `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const process: Ways["process"] = (key, handle, options) =>
  Commit.process(descriptor.source(undefined), key, handle, options)

/**
 * All broadcasts, in pages to be committed, from where the last run with this key stopped. See `List.Ways`.
 *
 * @since 1.0.0
 * @category processing
 */
export const processPages: Ways["processPages"] = (key, use, options) =>
  Commit.processPages(descriptor.source(undefined), key, use, options)

/**
 * New broadcasts as they are created, oldest first. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow: Ways["follow"] = (options) => Follow.items(descriptor.source(undefined), options)

/**
 * All broadcasts, from one request without a limit, decoded as the response arrives. See `List.Ways`.
 *
 * @since 1.0.0
 * @category streams
 */
export const whole: Ways["whole"] = (options) => Whole.items(descriptor.source(undefined), options)
