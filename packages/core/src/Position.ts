/**
 * Places in a list, as values that can be stored: where a walk begins, where it can go on, that it has ended.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { PageRequest } from "./PageRequest.ts"

/**
 * `End` is a value of its own: a finished walk that is resumed yields nothing, it does not begin again.
 *
 * @since 0.1.0
 * @category models
 */
export type Position<Id extends string = string> = Start | After<Id> | Before<Id> | End

/**
 * Before the newest item, walking to older ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface Start {
  readonly _tag: "Start"
}

/**
 * Behind an item, walking to older ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface After<Id extends string = string> {
  readonly _tag: "After"
  readonly id: Id
}

/**
 * In front of an item, walking to newer ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface Before<Id extends string = string> {
  readonly _tag: "Before"
  readonly id: Id
}

/**
 * Nothing is left.
 *
 * @since 0.1.0
 * @category models
 */
export interface End {
  readonly _tag: "End"
}

/**
 * The schema of positions in a list whose ids have the given schema.
 *
 * @since 0.1.0
 * @category schemas
 */
export const schema = <Id extends string>(id: Schema.Schema<Id, string>): Schema.Schema<Position<Id>, Position> =>
  Schema.Union(
    Schema.TaggedStruct("Start", {}),
    Schema.TaggedStruct("After", { id }),
    Schema.TaggedStruct("Before", { id }),
    Schema.TaggedStruct("End", {})
  )

/**
 * @since 0.1.0
 * @category constructors
 */
export const start: Start = { _tag: "Start" }

/**
 * @since 0.1.0
 * @category constructors
 */
export const after = <Id extends string>(id: Id): After<Id> => ({ _tag: "After", id })

/**
 * @since 0.1.0
 * @category constructors
 */
export const before = <Id extends string>(id: Id): Before<Id> => ({ _tag: "Before", id })

/**
 * @since 0.1.0
 * @category constructors
 */
export const end: End = { _tag: "End" }

/**
 * A position at which there is a page to ask for.
 *
 * @since 0.1.0
 * @category models
 */
export type Open<Id extends string = string> = Exclude<Position<Id>, End>

/**
 * The request for the page at a position. At the end there is none to ask for.
 *
 * @since 0.1.0
 * @category combinators
 */
export const toRequest = <Id extends string>(self: Open<Id>, limit?: number | undefined): PageRequest<Id> => {
  switch (self._tag) {
    case "Start":
      return { limit }
    case "After":
      return { limit, after: self.id }
    case "Before":
      return { limit, before: self.id }
  }
}
