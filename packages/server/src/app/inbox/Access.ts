/**
 * Who may look into the inbox: whoever has the token of this process, or an API key. Where a request comes from says nothing:
 * behind a proxy on this machine, strangers look like neighbors.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Account from "../../stores/Account.ts"
import type { StoreError } from "../../stores/Store.ts"
import type * as Auth from "../Auth.ts"
import * as Digest from "../Digest.ts"
import * as Home from "../Home.ts"
import * as Params from "../Params.ts"
import type { Request } from "../Request.ts"

/** What a request that may not look is refused for. */
export type Refusal = "missing" | "unknown" | "foreign"

/** The account that a request may look at. */
export type Decision =
  | { readonly _tag: "Allowed"; readonly account: string }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }

export interface Access {
  /** Decides about a request by its header or cookie. */
  readonly decide: (request: Request) => Effect.Effect<Decision, StoreError>
  /** The account that a token or an API key is for. */
  readonly accountOf: (credential: string) => Effect.Effect<string | undefined, StoreError>
  readonly isToken: (credential: string) => Effect.Effect<boolean>
}

export const make = (token: Redacted.Redacted, authorize: Auth.Identify): Access => {
  const isToken = (credential: string) =>
    Effect.zipWith(Digest.sha256(credential), Digest.sha256(Redacted.value(token)), Digest.isSame)

  const accountOf = (credential: string) =>
    Effect.if(isToken(credential), {
      onTrue: () => Effect.succeed(Account.defaultId),
      onFalse: () =>
        authorize(`Bearer ${credential}`).pipe(
          Effect.map(({ account }) => account),
          Effect.catchAll((error) => error._tag === "StoreError" ? Effect.fail(error) : Effect.succeed(undefined))
        )
    })

  const decide = (request: Request): Effect.Effect<Decision, StoreError> => {
    const bearer = /^Bearer +(\S+)\s*$/i.exec(request.header("authorization") ?? "")?.[1]
    const credential = bearer ?? cookieOf(request)
    if (credential === undefined) return Effect.succeed(refused("missing"))
    // Browsers send cookies by themselves, headers only if a page of ours says so.
    if (bearer === undefined && !isOurs(request)) return Effect.succeed(refused("foreign"))
    return Effect.map(
      accountOf(credential),
      (account): Decision => account === undefined ? refused("unknown") : { _tag: "Allowed", account }
    )
  }
  return { decide, accountOf, isToken }
}

const refused = (refusal: Refusal): Decision => ({ _tag: "Refused", refusal })

/**
 * Whether a request with a cookie was sent by a page of this server, or by its user. `SameSite` knows nothing of ports:
 * other servers on this machine are the same site.
 */
export const isOurs = (request: Request): boolean => {
  const site = request.header("sec-fetch-site")
  const isRead = request.method === "GET" || request.method === "HEAD"
  if (site !== undefined) return site === "same-origin" || (site === "none" && isRead)
  const origin = request.header("origin")
  return origin === undefined ? isRead : origin === Home.originOf(request)
}

/** Browsers keep the cookies of all ports of a host together. */
const cookieName = (request: Request): string => {
  const origin = Home.originOf(request)
  return `mailstream_inbox_${/:(\d+)$/.exec(origin)?.[1] ?? (origin.startsWith("https:") ? "443" : "80")}`
}

const cookieOf = (request: Request): string | undefined => {
  const name = cookieName(request)
  const [, value] = (request.header("cookie") ?? "").split(";").map((pair) => pair.trim().split("="))
    .find(([key]) => key === name) ?? []
  return value === undefined ? undefined : Params.decode(value)
}

/** The cookie that a browser keeps until it is closed, and that no script can read. */
export const setCookie = (request: Request, credential: string): string => {
  const secure = Home.originOf(request).startsWith("https:") ? "; Secure" : ""
  return `${cookieName(request)}=${encodeURIComponent(credential)}; Path=/inbox; HttpOnly; SameSite=Strict${secure}`
}
