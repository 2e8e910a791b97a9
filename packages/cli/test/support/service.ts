import { Page, type PageRequest } from "@mailstream/core"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { idOf } from "@mailstream/testing/Sample"
import { Effect, type Scope } from "effect"
import type { IncomingMessage } from "node:http"

export interface Response {
  readonly status?: number | undefined
  readonly body: unknown
}

/** A service that records its requests, with responses defined by the test. */
export interface Service {
  readonly env: Record<string, string>
  /** The paths with their queries. */
  readonly requests: Array<string>
}

export const apiKey = "re_secret_of_this_test"

export const serving = (
  respond: (url: URL, request: IncomingMessage) => Response | Promise<Response>
): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function*() {
    const requests: Array<string> = []
    const baseUrl = yield* serve((request, response) => {
      requests.push(request.url ?? "")
      void Promise.resolve(respond(new URL(request.url ?? "", "http://localhost"), request)).then(
        ({ body, status = 200 }) => sendJson(response, status, body)
      )
    })
    return { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }, requests }
  })

/** A request that has arrived. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly body: string
}

/** A service that records its requests with their bodies. */
export const recording = (
  respond: (request: Received) => Response
): Effect.Effect<Pick<Service, "env"> & { readonly received: Array<Received> }, never, Scope.Scope> =>
  Effect.gen(function*() {
    const received: Array<Received> = []
    const { env } = yield* serving((_, request) =>
      new Promise((resolve) => {
        let body = ""
        request.setEncoding("utf8").on("data", (part) => (body += part)).on("end", () => {
          const { method = "", url = "" } = request
          received.push({ method, url, body })
          resolve(respond({ method, url, body }))
        })
      })
    )
    return { env, received }
  })

/** Serves pages of items by the paging rules of the API. */
export const paging = (items: ReadonlyArray<{ readonly id: string }>) => (url: URL): Response => {
  const text = (name: string) => url.searchParams.get(name) ?? undefined
  const limit = text("limit")
  const request = {
    limit: limit === undefined ? undefined : Number(limit),
    after: text("after"),
    before: text("before")
  } as PageRequest.PageRequest
  const page = Page.fromItems(items, request)
  return page._tag === "Right"
    ? { body: page.right }
    : { status: 404, body: { name: "not_found", statusCode: 404, message: page.left.message } }
}

/** Contacts, newest first. */
export const contacts = (count: number, extra: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: idOf(count - index),
    email: `contact+${count - index}@example.com`,
    first_name: index % 3 === 0 ? null : "Ada",
    last_name: "Lovelace, \"Countess\"",
    created_at: "2025-11-30 20:41:40.84216+00",
    unsubscribed: index % 2 === 0,
    ...extra
  }))
