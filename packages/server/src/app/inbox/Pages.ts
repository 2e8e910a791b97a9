/** The page of the inbox, and the one that asks for a token. Both are the same for everybody: they contain nothing. */
import { NotFound } from "@mailstream/core"
import type { ValidationError } from "@mailstream/core"
import * as Design from "@mailstream/kernel/Design"
import * as Effect from "effect/Effect"
import type { StoreError } from "../../stores/Store.ts"
import type { Request } from "../Request.ts"
import * as Response from "../Response.ts"
import { wrongMethod } from "../Routes.ts"
import * as Access from "./Access.ts"
import * as Files from "./Files.ts"

/** Scripts and styles from here alone, nothing from elsewhere, no framing. */
const headers = {
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store"
}

const types: { readonly [extension: string]: string } = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8"
}

const file = (name: string, status = 200): Response.Response => ({
  status,
  headers: { ...headers, "content-type": types[name.split(".").at(-1)!]! },
  body: name === "style.css" ? `${Design.css}\n${Files.all[name]}` : Files.all[name]!
})

const refused = `<p class="note bad" role="alert">This token or API key is not valid here. ` +
  `A server that was restarted has a new token.</p>`

/** The page says what to do. */
const signIn = (status: number, isRefused: boolean): Response.Response => {
  const page = Response.withHeaders(file("sign-in.html", status), { "www-authenticate": "Bearer" })
  return isRefused ? { ...page, body: Files.all["sign-in.html"]!.replace("<!-- refused -->", refused) } : page
}

const notFound = Response.fromError(new NotFound({ statusCode: 404, message: "The inbox has no such page." }))

/**
 * Leads to the inbox. A cookie that was just set is not sent along if another site has led here, unless it is our page that
 * leads on.
 */
const enter = (request: Request, credential: string): Response.Response => {
  const site = request.header("sec-fetch-site")
  const isForeign = site === "cross-site" || site === "same-site"
  return {
    status: isForeign ? 200 : 303,
    headers: {
      ...headers,
      "content-type": types["html"]!,
      "set-cookie": Access.setCookie(request, credential),
      ...isForeign ? { refresh: "0; url=/inbox" } : { location: "/inbox" }
    },
    body: `<!doctype html><title>Inbox</title><a href="/inbox">Inbox</a>`
  }
}

/** The response to a request for anything but the API. */
export const respond = (
  access: Access.Access,
  request: Request,
  path: string,
  search: string
): Effect.Effect<Response.Response, StoreError | ValidationError> => {
  const { method } = request
  if (path === "/inbox/session") {
    return method === "POST" ? startSession(access, request) : Effect.succeed(wrongMethod(["POST"]))
  }
  if (method !== "GET" && method !== "HEAD") return Effect.succeed(wrongMethod(["GET"]))
  if (path === "/inbox") return home(access, request, new URLSearchParams(search).get("token"))
  if (path === "/inbox/") {
    return Effect.succeed({
      status: 308,
      headers: { ...headers, location: `/inbox${search && `?${search}`}` },
      body: ""
    })
  }
  const name = path.slice("/inbox/".length)
  return Effect.succeed(Object.hasOwn(Files.all, name) && !name.endsWith(".html") ? file(name) : notFound)
}

const home = (access: Access.Access, request: Request, token: string | null) =>
  Effect.gen(function*() {
    if (token !== null) return (yield* access.isToken(token)) ? enter(request, token) : signIn(401, true)
    // Others may lead here: the page itself says nothing.
    const { _tag } = yield* access.decide({
      ...request,
      header: (name) => name === "sec-fetch-site" ? undefined : request.header(name)
    })
    return _tag === "Allowed" ? file("index.html") : signIn(401, request.header("cookie") !== undefined)
  })

/** Takes a token or an API key from the form. */
const startSession = (access: Access.Access, request: Request) =>
  Effect.gen(function*() {
    if (!Access.isOurs(request)) return signIn(403, false)
    const credential = new URLSearchParams(new TextDecoder().decode(yield* request.body())).get("credential")?.trim()
    const account = credential === undefined || credential === "" ? undefined : yield* access.accountOf(credential)
    return account === undefined ? signIn(401, true) : enter(request, credential!)
  })
