/**
 * All topics, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type { Topic } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { Topics } from "@mailstream/http/Topics"
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
export const list: List.List<
  Topic,
  typeof Topic.Encoded,
  undefined,
  Topics
> = /* #__PURE__ */ List.fromService(Resource.topics, Topics)

/**
 * All topics, newest first; no page is requested before it is needed. See `List.Items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const items: List.Items<Topic, undefined, Topics> = (options) => Walk.items(list.source(undefined), options)

/**
 * All topics, in pages, each with the position after it. See `List.Pages`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages: List.Pages<Topic, undefined, Topics> = (options) => Walk.pages(list.source(undefined), options)

/**
 * Runs `handle` for all topics, from where the last run with this key stopped. See `List.Process`.
 *
 * @since 1.0.0
 * @category processing
 */
export const process: List.Process<Topic, undefined, Topics> = (key, handle, options) =>
  Commit.process(list.source(undefined), key, handle, options)

/**
 * All topics, in pages to be committed, from where the last run with this key stopped. See `List.ProcessPages`.
 *
 * @since 1.0.0
 * @category processing
 */
export const processPages: List.ProcessPages<Topic, undefined, Topics> = (key, use, options) =>
  Commit.processPages(list.source(undefined), key, use, options)

/**
 * New topics as they are created, oldest first. See `List.Follow`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow: List.Follow<Topic, undefined, Topics> = (options) => Follow.items(list.source(undefined), options)
