import type * as Tracer from "effect/Tracer"
import type { Request } from "../ApiClient.ts"
import type * as Transport from "../Transport.ts"
import type { Settings } from "./settings.ts"
import { version } from "./version.ts"

/** Turns requests to the API into what a transport sends. */
export const make = ({ key, maxBodySize, origin, prefix, timeout }: Settings) => {
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${key}`,
    ...(isBrowser() ? {} : { "user-agent": `mailstream/${version}` })
  }
  const jsonHeaders = { ...headers, "content-type": "application/json" }

  return ({ body, method, path, query }: Request, span: Tracer.AnySpan): Transport.Request => ({
    method,
    origin,
    path: `${prefix}${path}${search(query)}`,
    headers: body === undefined ? headers : jsonHeaders,
    body: body === undefined ? undefined : JSON.stringify(body),
    timeout,
    maxBodySize,
    span
  })
}

/** What the span of a request says about it. */
export const attributes = ({ method, path, query }: Request): Record<string, unknown> => ({
  "http.request.method": method,
  "url.path": path,
  ...query
})

const search = (query: Request["query"] = {}): string => {
  let text = ""
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`
  }
  return text
}

/** Browsers and their workers, which send a `user-agent` of their own. */
const isBrowser = (): boolean => typeof navigator !== "undefined" && navigator.userAgent.startsWith("Mozilla/")
