import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"

/** A request as it goes over the wire. */
export interface Outgoing {
  readonly method: "GET" | "POST"
  readonly origin: string
  /** Percent-encoded, without the query. */
  readonly path: string
  /** Percent-encoded: empty, or from the question mark on. */
  readonly search: string
  readonly headers: { readonly [name: string]: string }
  /** JSON. */
  readonly body: string | undefined
}

/** The beginning of an answer. The names of headers are in lower case. */
export interface Head {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
}

/** An answer that has come to its end. */
export interface Answer extends Head {
  readonly body: string
}

/** An answer whose body is still to come. */
export interface Opened extends Head {
  /** The whole body, in no more time than a request may take. */
  readonly body: Effect.Effect<string, Failure>
  /** The body as it arrives; nothing is read ahead of whoever pulls. Fails when nothing comes for that long. */
  readonly bytes: Stream.Stream<Uint8Array, Failure>
}

/**
 * Why no complete answer came.
 *
 * - `Connect`: no connection was made, so that not a byte of the request was sent.
 * - `Lost`: the connection broke.
 * - `TooLarge`: the body has more bytes than it may have.
 */
export type Failure =
  | { readonly reason: "Connect" | "Lost"; readonly description: string }
  | { readonly reason: "Timeout" }
  | { readonly reason: "TooLarge"; readonly status: number }

export const timeout: Failure = { reason: "Timeout" }

export interface Limits {
  /** How long a request may take until its answer is complete. */
  readonly timeout: Duration.Duration
  /** How many bytes the body of a complete answer may have. */
  readonly maxBytes: number
}

/** Something that can be waited for, once. */
export interface Pending<out A, out E, out R = never> {
  /** Begins, and waits for the end. Who is interrupted has to abandon it. */
  readonly result: Effect.Effect<A, E, R>
  /** Leaves nothing behind of what was begun. */
  readonly abandon: () => void
}

/** The way to the other side. */
export interface Transport {
  /** Sends a request and reads its answer to the end. */
  readonly exchange: (request: Outgoing) => Pending<Answer, Failure>
  /**
   * Sends a request and leaves the body of its answer to be read while the scope is open. Whoever is interrupted leaves
   * no request behind.
   */
  readonly open: (request: Outgoing) => Effect.Effect<Opened, Failure, Scope.Scope>
}

/** Under this name, an `HttpClient` can bring a transport of its own that takes a shorter way than it does. */
export const Direct: unique symbol = Symbol.for("@mailstream/http/Direct")

export interface DirectClient extends HttpClient.HttpClient {
  readonly [Direct]: (limits: Limits) => Transport
}

export const isDirect = (client: HttpClient.HttpClient): client is DirectClient => Direct in client

/** What an error from below means. Whatever breaks after an answer has begun, the request was sent. */
export const fromError = (error: unknown, begun: boolean): Failure => {
  const causes = causesOf(error)
  return {
    reason: !begun && causes.some(({ code }) => unsentCodes.has(code)) ? "Connect" : "Lost",
    description: causes.map(({ code, message }) => message === "" ? code : message).join(": ") ||
      "the connection failed"
  }
}

/** The codes of failures in which not a byte of the request was sent. */
const unsentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused"
])

/** An error and what caused it, outermost first. Only texts are kept: the objects may hold anything. */
const causesOf = (
  error: unknown,
  depth = 0
): ReadonlyArray<{ readonly message: string; readonly code: string }> => {
  if (!(error instanceof Error) || depth > 4) return []
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return [{ message: error.message, code }, ...causesOf(inner, depth + 1)]
}
