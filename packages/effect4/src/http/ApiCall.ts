/**
 * Requests to the API, and what becomes of their responses.
 *
 * @since 1.0.0
 */
import type * as Duration from "effect/Duration"
import type * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { RequestedFrom, RequestError } from "../core/index.ts"
import type * as Resource from "../core/Resource.ts"

/**
 * One request to the API.
 *
 * @since 1.0.0
 * @category models
 */
export interface Request {
  /** The name of the operation in spans and metrics: `Contacts.list`. */
  readonly name: string
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** Below the base URL, percent-encoded. */
  readonly path: Resource.Path
  /** The path with placeholders instead of ids, for spans: `/segments/:segment_id/contacts`. Default: the path. */
  readonly template?: Resource.Path | undefined
  readonly query?: { readonly [name: string]: string | number | undefined } | undefined
  /** Beside those of every request. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** The body, which is JSON. */
  readonly json?: string | undefined
  /** How often it was sent before, for spans. */
  readonly resends?: number | undefined
  /**
   * Asked immediately before the bytes leave, after all waiting (for the rate limit, a connection): if it says no, nothing is
   * sent, and the call fails as one that certainly was not processed. If it throws, nothing is sent, and the call dies.
   * `FetchTransport` and `HttpClientTransport` ask before they call `fetch` or the client, which may still wait for a connection.
   */
  readonly mayStart?: (() => boolean) | undefined
}

/**
 * One request, and how its response is decoded.
 *
 * @since 1.0.0
 * @category models
 */
export interface Call<A, I> extends Request {
  /** Fields that it does not know are kept. */
  readonly schema: Schema.Codec<A, I>
  /** Attributes of the span that describe the response, as in `mailstream.items`: counts and ids. */
  readonly attributes?: ((response: A) => Record<string, unknown>) | undefined
}

/**
 * A successful response whose body has not been read yet.
 *
 * @since 1.0.0
 * @category models
 */
export interface OpenResponse {
  readonly from: RequestedFrom
  readonly contentType: string | undefined
  /** How the body says it is compressed, if it does; transports that can undo it have done so. */
  readonly contentEncoding?: string | undefined
  /** Nothing is read ahead of the consumer. Fails if nothing arrives for as long as a request may take. */
  readonly bytes: Stream.Stream<Uint8Array, RequestError>
  /** How long a request may take, for consumers that check whether the bytes make progress; default: unlimited. */
  readonly timeout?: Duration.Duration | undefined
}
