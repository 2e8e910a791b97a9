/**
 * How requests travel.
 *
 * @since 1.0.0
 */

/**
 * Made by `undici()` of `@mailstream/client/undici`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Transport {
  readonly name: string
}
