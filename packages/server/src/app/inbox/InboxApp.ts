/** What is below `/inbox`: the page, and what it shows to those who may look. */
import { type ApiError, InvalidApiKey, MissingApiKey, RestrictedApiKey } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { type StoreError, storeOf, type StoreService } from "../../stores/Store.ts"
import type * as Auth from "../Auth.ts"
import type { Request } from "../Request.ts"
import type { Response } from "../Response.ts"
import type { Settings } from "../Settings.ts"
import * as Access from "./Access.ts"
import * as Api from "./Api.ts"
import * as Live from "./Live.ts"
import * as Pages from "./Pages.ts"

export interface Options {
  readonly token: Redacted.Redacted
  readonly authorize: Auth.Identify
  readonly store: StoreService
  readonly settings: Settings
  /** The response of the service itself to a read. */
  readonly read: (
    account: string,
    request: Request,
    path: string,
    search: string
  ) => Effect.Effect<Response, ApiError | StoreError>
  /** Ends when the server stops. */
  readonly stopping: Effect.Effect<void>
}

/** Responds to what is below `/inbox`. `observe` is told the account, if there is one. */
export interface InboxApp {
  (
    request: Request,
    path: string,
    search: string,
    observe: (
      account: string | undefined,
      response: Effect.Effect<Response, ApiError | StoreError>
    ) => Effect.Effect<Response>
  ): Effect.Effect<Response>
}

/** Whether a path is one of the inbox. */
export const isInbox = (path: string): boolean => path === "/inbox" || path.startsWith("/inbox/")

const prefix = "/inbox/api"

export const make = ({ authorize, read, settings, stopping, store, token }: Options): InboxApp => {
  const access = Access.make(token, authorize)
  const api = Api.make({
    settings,
    stopping,
    live: Live.make((account) => storeOf(store, account), stopping),
    read: ({ account, path, request, search }) => read(account, request, path, search)
  })
  return (request, path, search, observe) =>
    path.startsWith(`${prefix}/`)
      ? Effect.matchEffect(access.decide(request), {
        onFailure: (error) => observe(undefined, Effect.fail(error)),
        onSuccess: (decision) => {
          if (decision._tag === "Refused") return observe(undefined, Effect.fail(refusals[decision.refusal]))
          const { account } = decision
          const call = { account, request, search, store: storeOf(store, account), path: path.slice(prefix.length) }
          return observe(account, Effect.suspend(() => api(call)))
        }
      })
      : observe(undefined, Pages.respond(access, request, path, search))
}

const refusals: { readonly [refusal in Access.Refusal]: ApiError } = {
  missing: new MissingApiKey({
    statusCode: 401,
    message: "The inbox is for those who have the token that the server printed, or an API key with full access. " +
      "Include `Authorization: Bearer <token or API key>`."
  }),
  unknown: new InvalidApiKey({
    statusCode: 401,
    message: "This is neither the token that the server printed when it started, nor an API key with full access."
  }),
  foreign: new RestrictedApiKey({
    statusCode: 403,
    message: "Another page has sent this request. Only the inbox itself may."
  })
}
