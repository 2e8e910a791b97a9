/** What a client is told about where the API is, and who asks. */
import { attempt } from "./internal/attempt.ts"

/** A value that was checked, or what is wrong with it. It never says the value: it may be a secret. */
export type Checked<A> = { readonly value: A } | { readonly problem: string }

const example = "as in https://api.example.com"

/** The origin of the page, which a relative URL is relative to: only browsers and their workers have one. */
const pageOrigin = (): string | undefined => {
  const { origin } = (globalThis as { readonly location?: { readonly origin: string } }).location ?? {}
  return origin !== undefined && /^https?:/.test(origin) ? origin : undefined
}

/** The address of the API, without a trailing slash. */
export const baseUrl = (input: string | URL): Checked<string> => {
  const isRelative = typeof input === "string" && input.startsWith("/")
  const origin = isRelative ? pageOrigin() : undefined
  if (isRelative && origin === undefined) {
    return { problem: `is relative, and there is no page: use an absolute URL, ${example}` }
  }
  const url = attempt(() => new URL(input, origin))
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { problem: `must be an http or https URL, ${example}` }
  }
  if (isRelative && url.origin !== origin) return { problem: "must not name another host after the slash" }
  if (url.username !== "" || url.password !== "") return { problem: "must not contain a user name or password" }
  if (url.search !== "" || url.hash !== "") return { problem: "must not have a query or a fragment" }
  return { value: `${url.origin}${url.pathname.replace(/\/+$/, "")}` }
}

/** A key that can be sent in a header. */
export const apiKey = (key: string): Checked<string> =>
  // The variable that it comes from may not be set, whatever its type says.
  !key
    ? { problem: "must not be empty" }
    : /^[\x21-\x7e]+$/.test(key)
    ? { value: key }
    : { problem: "must be visible ASCII characters only: no spaces, line breaks or control characters" }

/** Where a server listens, as in a URL: an address of IPv6 has colons of its own. */
export const authority = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

/** The URL of a server that listens there. */
export const url = (host: string, port: number): string => `http://${authority(host, port)}`
