/**
 * Positions in a list, as values that can be stored: where a walk begins, where it resumes, that it has ended.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import { dual } from "effect/Function"
import * as Schema from "effect/Schema"
import type { PageRequest } from "./PageRequest.ts"

/**
 * Where a walk stands. A position is sufficient by itself: store it, and resume from it even if its item has been deleted
 * meanwhile.
 *
 * `End` is a separate value: resuming a finished walk yields nothing instead of starting over.
 *
 * @since 1.0.0
 * @category models
 */
export type Position<Id extends string = string> = Start | After<Id> | Before<Id> | End

/**
 * Before the newest item, walking to older ones.
 *
 * @since 1.0.0
 * @category models
 */
export interface Start {
  readonly _tag: "Start"
}

/**
 * What positions at an item have in common.
 *
 * @since 1.0.0
 * @category models
 */
export interface AtItem<out Id extends string = string> {
  readonly id: Id
  /**
   * Items that the walk passed before `id`, the nearest last. If the API no longer accepts `id` because its item has been
   * deleted, the walk continues from the nearest of them that still exists, and emits none of them again. If all of them
   * are gone, it fails with `PositionLost`.
   *
   * Positions of a walk carry the last 99. Without them, the walk fails with the API's own error, `not_found`.
   */
  readonly fallbacks?: ReadonlyArray<Id>
  /**
   * What the filter of the walk selects: the id of a segment, for its contacts, or `?origin=bounce`. Resuming needs the same
   * filter; with another one, or none, the walk fails with an `InvalidOption`.
   */
  readonly within?: string
}

/**
 * After an item, walking to older ones.
 *
 * @since 1.0.0
 * @category models
 */
export interface After<out Id extends string = string> extends AtItem<Id> {
  readonly _tag: "After"
}

/**
 * Before an item, walking to newer ones.
 *
 * @since 1.0.0
 * @category models
 */
export interface Before<out Id extends string = string> extends AtItem<Id> {
  readonly _tag: "Before"
}

/**
 * Nothing is left.
 *
 * @since 1.0.0
 * @category models
 */
export interface End {
  readonly _tag: "End"
}

/**
 * The schema of positions in a list whose ids have the given schema.
 *
 * @since 1.0.0
 * @category schemas
 * @example
 * ```ts
 * import { ContactId, Position } from "@mailstream/effect4"
 * import { Schema } from "effect"
 *
 * const StoredPosition = Schema.fromJsonString(Position.schema(ContactId))
 *
 * Schema.encodeSync(StoredPosition)(Position.start) // {"_tag":"Start"}
 * ```
 */
export const schema = <Id extends string>(id: Schema.Codec<Id, string>): Schema.Codec<Position<Id>, Position> => {
  const atItem = {
    id,
    fallbacks: Schema.optionalKey(Schema.Array(id)),
    within: Schema.optionalKey(Schema.String)
  }
  return Schema.Union([
    Schema.TaggedStruct("Start", {}),
    Schema.TaggedStruct("After", atItem),
    Schema.TaggedStruct("Before", atItem),
    Schema.TaggedStruct("End", {})
  ])
}

/**
 * @since 1.0.0
 * @category constructors
 */
export const start: Start = { _tag: "Start" }

/**
 * After an item, walking to older ones.
 *
 * @since 1.0.0
 * @category constructors
 */
export const after = <Id extends string>(id: Id, fallbacks?: ReadonlyArray<Id> | undefined): After<Id> =>
  fallbacks === undefined ? { _tag: "After", id } : { _tag: "After", id, fallbacks }

/**
 * Before an item, walking to newer ones.
 *
 * @since 1.0.0
 * @category constructors
 */
export const before = <Id extends string>(id: Id, fallbacks?: ReadonlyArray<Id> | undefined): Before<Id> =>
  fallbacks === undefined ? { _tag: "Before", id } : { _tag: "Before", id, fallbacks }

/**
 * @since 1.0.0
 * @category constructors
 */
export const end: End = { _tag: "End" }

/**
 * A position at which there is a page to request.
 *
 * @since 1.0.0
 * @category models
 */
export type Open<Id extends string = string> = Exclude<Position<Id>, End>

/**
 * The request for the page at a position; there is none at the end.
 *
 * @since 1.0.0
 * @category combinators
 */
export const toRequest: {
  (limit: number | undefined): <Id extends string>(self: Open<Id>) => PageRequest<Id>
  <Id extends string>(self: Open<Id>, limit: number | undefined): PageRequest<Id>
} = /* #__PURE__ */ dual(2, <Id extends string>(self: Open<Id>, limit: number | undefined): PageRequest<Id> => {
  switch (self._tag) {
    case "Start":
      return { limit }
    case "After":
      return { limit, after: self.id }
    case "Before":
      return { limit, before: self.id }
  }
})
