/** A request, independent of the host that received it. */
import type { ValidationError } from "@mailstream/core"
import type * as Effect from "effect/Effect"

export interface Request {
  readonly method: string
  /** Path and query as sent, or the absolute URL that a proxy sends. */
  readonly url: string
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  /** The origin of the page that sends it, from a browser. */
  readonly origin: string | undefined
  /** In a preflight request, the method that it asks for: `access-control-request-method`. */
  readonly requestedMethod: string | undefined
  readonly userAgent: string | undefined
  /** The other end of the connection, if the host knows it: `127.0.0.1:40312`. */
  readonly peer: () => string | undefined
  /** Reads the body. Fails if it is too large. */
  readonly body: () => Effect.Effect<Uint8Array, ValidationError>
}
