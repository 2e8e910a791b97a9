/**
 * The errors of a walk through a list: those of a request, and those of the walk itself.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { InvalidOption, RequestError } from "../core/index.ts"
import * as Position from "../core/Position.ts"

const AnyPosition: Schema.Codec<Position.Position> = Position.schema(Schema.String)

const at = (position: Position.Position): string => {
  const where = position._tag.toLowerCase()
  return "id" in position ? `${where} ${position.id}` : `at the ${where} of the list`
}

/**
 * `has_more` is true, but the page leads nowhere. Continuing would end the walk too early or never.
 *
 * - `EmptyPage`: `has_more` is true, but the page is empty.
 * - `RepeatedCursor`: the page leads back to the cursor with which it was requested.
 * - `Cycle`: the pages lead back to an item that was passed some pages ago. In a long cycle,
 *   items were emitted twice.
 *
 * @since 1.0.0
 * @category errors
 */
export class StalledWalk extends Schema.TaggedError<StalledWalk>()("StalledWalk", {
  reason: Schema.Literals(["EmptyPage", "RepeatedCursor", "Cycle"]),
  list: Schema.String,
  /** Where the page was requested. */
  position: AnyPosition
}) {
  override get message(): string {
    const problem = {
      EmptyPage: "`has_more` is true, but the page is empty",
      RepeatedCursor: "the page repeats the cursor it was requested with",
      Cycle: "the pages form a cycle"
    }[this.reason]
    return `${this.list}: ${problem}, ${at(this.position)}`
  }
}

/**
 * The walk cannot continue: the item at its position has been deleted, and so have all its fallbacks. All items up to
 * the position were emitted.
 *
 * @since 1.0.0
 * @category errors
 */
export class PositionLost extends Schema.TaggedError<PositionLost>()("PositionLost", {
  list: Schema.String,
  position: AnyPosition,
  /** How many fallbacks were tried. */
  tried: Schema.Number
}) {
  override get message(): string {
    return `${this.list}: cannot continue ${
      at(this.position)
    }: neither the item nor the ${this.tried} before it are in the list any more`
  }
}

/**
 * Everything that a walk can fail with. An `InvalidOption` is rejected before the first request.
 *
 * @since 1.0.0
 * @category models
 */
export type ListError = RequestError | StalledWalk | PositionLost | InvalidOption

/**
 * @since 1.0.0
 * @category schemas
 */
export const ListError: Schema.Union<
  readonly [typeof RequestError, typeof StalledWalk, typeof PositionLost, typeof InvalidOption]
> = /* #__PURE__ */ Schema.Union([RequestError, StalledWalk, PositionLost, InvalidOption])
