/** A request, independent of the host that received it. */
import type { ValidationError } from "@mailstream/core"
import type * as Effect from "effect/Effect"

export interface Request {
  readonly method: string
  /** Path and query as sent, or the absolute URL that a proxy sends. */
  readonly url: string
  readonly header: (
    name:
      | "access-control-request-method"
      | "authorization"
      | "content-type"
      | "cookie"
      | "host"
      | "idempotency-key"
      | "origin"
      | "sec-fetch-site"
      | "user-agent"
      | "x-batch-validation"
  ) => string | undefined
  /** The other end of the connection, if the host knows it: `127.0.0.1:40312`. */
  readonly peer: () => string | undefined
  /** Reads the body. Fails if it has more bytes than `Body.maxBytes`, or than this. */
  readonly body: (maxBytes?: number) => Effect.Effect<Uint8Array, ValidationError>
}
