/**
 * What a walk through a list can fail with, beyond what one request can.
 *
 * @since 0.1.0
 */
import { RequestError } from "@mailstream/core"
import * as Position from "@mailstream/core/Position"
import * as Schema from "effect/Schema"

const AnyPosition: Schema.Schema<Position.Position> = Position.schema(Schema.String)

const at = (position: Position.Position): string => {
  const where = position._tag.toLowerCase()
  return "id" in position ? `${where} ${position.id}` : `at the ${where} of the list`
}

/**
 * The API says that there is more, but there is no way on. Going on would end the walk too early or never.
 *
 * - `EmptyPage`: `has_more` with a page that holds no item.
 * - `RepeatedCursor`: the page leads back to the item after which it was asked for.
 * - `Cycle`: the pages lead back to an item that was passed some pages ago. What was passed since then came twice.
 *
 * @since 0.1.0
 * @category errors
 */
export class StalledWalk extends Schema.TaggedError<StalledWalk>("@mailstream/stream/StalledWalk")("StalledWalk", {
  reason: Schema.Literal("EmptyPage", "RepeatedCursor", "Cycle"),
  list: Schema.String,
  /** Where the page was asked for. */
  position: AnyPosition
}) {
  override get message(): string {
    const problem = {
      EmptyPage: "there is said to be more, but the page is empty",
      RepeatedCursor: "the page leads back to where it was asked for",
      Cycle: "the pages lead in a circle"
    }[this.reason]
    return `${this.list}: ${problem}, ${at(this.position)}`
  }
}

/**
 * The place in the list is lost: the item at which the walk stood was deleted, and so was everything else that could
 * stand in for it. All items up to the position were emitted.
 *
 * @since 0.1.0
 * @category errors
 */
export class PositionLost extends Schema.TaggedError<PositionLost>("@mailstream/stream/PositionLost")("PositionLost", {
  list: Schema.String,
  position: AnyPosition,
  /** How many items were tried in place of the one at the position. */
  tried: Schema.Number
}) {
  override get message(): string {
    return `${this.list}: the place ${at(this.position)} is lost: its item and ${this.tried} before it were deleted`
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export type ListError = RequestError | StalledWalk | PositionLost

/**
 * @since 0.1.0
 * @category schemas
 */
export const ListError: Schema.Union<[typeof RequestError, typeof StalledWalk, typeof PositionLost]> =
  /* #__PURE__ */ Schema.Union(
    RequestError,
    StalledWalk,
    PositionLost
  )
