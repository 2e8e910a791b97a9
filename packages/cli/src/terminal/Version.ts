/**
 * The version of this package. A test compares it with `package.json`.
 *
 * @since 1.0.0
 */

/**
 * @since 1.0.0
 * @category constants
 */
export const version: string = "1.0.0"
