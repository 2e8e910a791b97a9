/** Lets pages of other origins use the service from a browser. */
import * as Effect from "effect/Effect"
import type { Request } from "./Request.ts"
import * as Response from "./Response.ts"

interface Respond {
  (request: Request): Effect.Effect<Response.Response>
}

/** `*`, or the origins that are allowed. */
export type Origins = "*" | ReadonlyArray<string>

/** The response headers that a page may read in addition to the default ones. */
const exposed = {
  "access-control-expose-headers":
    "ratelimit-limit, ratelimit-remaining, ratelimit-reset, ratelimit-policy, retry-after"
}

const preflight = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
  "access-control-allow-headers": "authorization, content-type, idempotency-key, x-batch-validation",
  "access-control-max-age": "600"
}

/**
 * Adds what browsers need to every response, including errors, and responds to preflight requests, which have no key and do
 * not reach the app: `preflighted` sees them.
 */
export const make = (
  origins: Origins,
  app: Respond,
  preflighted: (request: Request, response: Effect.Effect<Response.Response>) => Effect.Effect<Response.Response>
): Respond => {
  const allowed = new Set(origins)

  const headersFor = (origin: string | undefined): Response.Response["headers"] =>
    origins === "*"
      ? { "access-control-allow-origin": "*" }
      : origin !== undefined && allowed.has(origin)
      ? { "access-control-allow-origin": origin, vary: "Origin" }
      : { vary: "Origin" }

  return (request) => {
    const headers = headersFor(request.header("origin"))
    const isAllowed = "access-control-allow-origin" in headers
    return isPreflight(request)
      ? preflighted(
        request,
        Effect.succeed({ status: 204, headers: isAllowed ? { ...headers, ...preflight } : headers, body: "" })
      )
      : Effect.map(
        app(request),
        (response) => Response.withHeaders(response, isAllowed ? { ...headers, ...exposed } : headers)
      )
  }
}

const isPreflight = ({ header, method }: Request): boolean =>
  method === "OPTIONS" && header("origin") !== undefined && header("access-control-request-method") !== undefined
