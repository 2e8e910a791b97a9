/** Requests to the server. */

/** The token is not the one of this server any more. */
export class SignedOut extends Error {}

/** Something that the page can say to its user. */
export class Failed extends Error {}

/** There is no such object. */
export class Missing extends Failed {}

const request = async (path, init) => {
  const response = await fetch(`/inbox/api/${path}`, init).catch((error) => {
    if (error.name === "AbortError") throw error
    throw new Failed("The server does not respond.")
  })
  if (response.status === 401) throw new SignedOut("Open the URL that the server printed when it started.")
  const body = await response.json().catch(() => ({}))
  init?.signal?.throwIfAborted()
  if (response.status === 404) throw new Missing(body.message ?? "Not found.")
  if (!response.ok) throw new Failed(body.message ?? `The server responded with ${response.status}.`)
  return body
}

/** `path` of segments that are encoded here, and a query without what is empty. */
export const get = (segments, query = {}, signal = undefined) => {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== ""))
  return request(`${pathOf(segments)}${params.size === 0 ? "" : `?${params}`}`, { signal })
}

export const pathOf = (segments) => segments.map(encodeURIComponent).join("/")

export const urlOf = (...segments) => `/inbox/api/${pathOf(segments)}`

export const clear = () => request("emails", { method: "DELETE" })
