/**
 * All topics, as Streams.
 *
 * @since 0.1.0
 */
import type { Topic } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { Topics } from "@mailstream/http/Topics"
import * as List from "./List.ts"

/**
 * What this module has.
 *
 * @since 0.1.0
 * @category models
 */
export interface Streams extends List.List<Topic, Resource.NoFilter, Topics> {}

const origin = /* #__PURE__ */ List.fromService(Resource.topics, Topics)

/**
 * All topics, one page at a time, strictly lazy: `take(5)` costs one request.
 *
 * @since 0.1.0
 * @category streams
 */
export const items: Streams["items"] = /* #__PURE__ */ List.items(origin)

/**
 * All pages of topics, each with the position at which the walk goes on after it.
 *
 * @since 0.1.0
 * @category streams
 */
export const pages: Streams["pages"] = /* #__PURE__ */ List.pages(origin)

/**
 * All topics from where the last walk with this key was stopped. See `Checkpoint.resumable`.
 *
 * @since 0.1.0
 * @category streams
 */
export const resumable: Streams["resumable"] = /* #__PURE__ */ List.resumable(origin)

/**
 * The place that `resumable` keeps under a key, for programs that walk through `pages` and keep it themselves.
 *
 * @since 0.1.0
 * @category checkpoints
 */
export const checkpoint: Streams["checkpoint"] = /* #__PURE__ */ List.checkpoint(origin)

/**
 * New topics, in the order of creation, as they come. See `Follow.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow: Streams["follow"] = /* #__PURE__ */ List.follow(origin)
