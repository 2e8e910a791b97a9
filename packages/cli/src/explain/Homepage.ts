/**
 * Where the documentation is on the web. This is the only place that says so, besides `package.json`, with which a test
 * compares it. Empty as long as there is none.
 *
 * @since 1.0.0
 */

/**
 * The `homepage` of this package, without a slash at the end.
 *
 * @since 1.0.0
 * @category constants
 */
export const homepage: string = ""
