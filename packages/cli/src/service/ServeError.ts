/**
 * Something cannot listen at its address.
 *
 * @since 1.0.0
 */
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import * as Text from "../terminal/Text.ts"

/**
 * The service cannot listen at its address.
 *
 * @since 1.0.0
 * @category errors
 */
export class ServeError extends Data.TaggedError("ServeError")<{
  readonly address: string
  readonly description: string
}> {
  override get message(): string {
    return `${this.address}: ${this.description}`
  }
}

/**
 * Describes the cause. `option` is the one that sets the port.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (
  { host, option, port }: { readonly host: string; readonly port: number; readonly option: string },
  cause: unknown
): ServeError =>
  new ServeError({
    address: `${host}:${port}`,
    description: Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"
      ? `the address is already in use; choose another ${option}`
      : Text.reasonOf(cause)
  })
