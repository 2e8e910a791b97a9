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
export { after, type AtItem, before, type Position } from "@mailstream/client"
