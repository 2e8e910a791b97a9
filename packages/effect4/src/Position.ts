/**
 * Positions in a list, as plain values that can be stored as JSON.
 *
 * @since 1.0.0
 * @example
 * ```ts
 * import { contacts, Position } from "@mailstream/effect4"
 *
 * const older = contacts.items({ from: Position.after("e169aa45-1ecf-4183-9955-b1499d5701d3") })
 * ```
 */
export {
  /**
   * After an item, walking to older ones.
   *
   * @since 1.0.0
   * @category constructors
   */
  after,
  /**
   * A position at an item.
   *
   * @since 1.0.0
   * @category models
   */
  type AtItem,
  /**
   * Before an item, walking to newer ones.
   *
   * @since 1.0.0
   * @category constructors
   */
  before,
  /**
   * Where a walk begins, where it resumes, or that it has ended.
   *
   * @since 1.0.0
   * @category models
   */
  type Position
} from "@mailstream/client"
