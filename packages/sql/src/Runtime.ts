/**
 * Which runtimes have a reliable `node:sqlite`. Imports only what imports nothing, so that older runtimes report a sentence instead
 * of a stack trace.
 *
 * @since 1.0.0
 */
import * as Runtime from "@mailstream/kernel/sqlite/Runtime"

/**
 * The type of `process.versions`.
 *
 * @since 1.0.0
 * @category models
 */
export type Versions = Readonly<Record<string, string | undefined>>

/**
 * Why something that needs SQLite cannot be used on a runtime, and what to do; undefined if it can.
 *
 * @since 1.0.0
 * @category getters
 * @example
 * ```ts
 * import { Runtime } from "@mailstream/sql"
 *
 * // "My app needs Node 22.22.3, Node 24.15 or later, … This is Node 20.20.2: install Node 24 or later."
 * Runtime.obstacle("My app", process.versions)
 * ```
 */
export const obstacle: (what: string, versions: Versions) => string | undefined = Runtime.obstacle
