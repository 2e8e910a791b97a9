/** What objects are made of. */

/**
 * The fields of an object: those of its item in a list, and those that are stored beside it. `due` is for objects that change
 * by themselves: when that is, in milliseconds since the epoch.
 *
 * @since 1.0.0
 * @category models
 */
export interface Fields {
  readonly [name: string]: unknown
}
