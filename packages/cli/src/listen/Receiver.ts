/** What is done with each request of the service: it is verified, passed on, and printed. */
import type * as Headers from "@effect/platform/Headers"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Webhook from "@mailstream/webhook/Webhook"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type * as Redacted from "effect/Redacted"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"

/** An event that has arrived. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly created_at: unknown
  readonly data: unknown
  /** What the app has responded with, if events are passed on. */
  readonly forwarded?: number | string
}

/** How many milliseconds an app may take to respond: less than the service waits. */
const patience = 10_000

/** What belongs to a connection, not to a request. */
const ofConnection = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

interface Fields {
  readonly [name: string]: string
}

/** The headers with another signature, under the names that they came with: `svix-id` or `webhook-id`. */
const signedAnew = (headers: Fields, signature: Fields): Fields =>
  Record.map(headers, (value, name) => signature[name.replace(/^webhook-/, "svix-")] ?? value)

/** Passes a request on. Returns the status of the response, or why there is none. */
const forward = (
  to: URL,
  headers: Fields,
  body: Uint8Array<ArrayBuffer>
): Effect.Effect<number | string> =>
  Effect.tryPromise((signal) =>
    fetch(to, {
      method: "POST",
      headers: Object.entries(headers).filter(([name]) => !ofConnection.has(name)),
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)])
    }).then(async (response) => {
      await response.body?.cancel()
      return response.status
    })
  ).pipe(Effect.catchAll((error) => Effect.succeed(Text.reasonOf(error))))

const isSuccess = (result: number | string | undefined): boolean =>
  result === undefined || typeof result === "number" && result >= 200 && result < 300

interface Options<E> {
  readonly path: string
  readonly secret: Effect.Effect<Redacted.Redacted>
  readonly forward: URL | undefined
  /** What signs events anew before they are passed on. Default: they keep the signatures of the service. */
  readonly sign: ((body: Uint8Array, id: string) => Effect.Effect<Webhook.SignedHeaders>) | undefined
  readonly print: (received: Received) => Effect.Effect<void, E>
}

/** Responds with 2xx only once an event has been passed on, and printed. */
export const app = <E>({ forward: to, path, print, secret, sign }: Options<E>) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!request.url.replace(/\?.*/, "").endsWith(path)) return HttpServerResponse.empty({ status: 404 })
    if (request.method === "GET") return HttpServerResponse.text(path)
    if (request.method !== "POST") return HttpServerResponse.empty({ status: 405 })
    const body = yield* Effect.option(request.arrayBuffer)
    if (Option.isNone(body)) return HttpServerResponse.empty({ status: 413 })
    const bytes = new Uint8Array(body.value)
    const verified = yield* Effect.either(Webhook.verify(bytes, { ...request.headers }, yield* secret))
    if (verified._tag === "Left") {
      yield* say(`A request was refused: ${Text.ofError(verified.left)}`)
      return HttpServerResponse.empty({ status: 401 })
    }
    const event = eventOf(bytes, request.headers)
    const headers = sign === undefined
      ? request.headers
      : signedAnew(request.headers, yield* sign(bytes, event.id))
    const forwarded = to === undefined ? undefined : yield* forward(to, headers, bytes)
    yield* print({ ...event, ...(forwarded === undefined ? {} : { forwarded }) })
    if (isSuccess(forwarded)) return HttpServerResponse.empty({ status: 200 })
    yield* say(`The app did not accept ${verified.right.type}: ${Text.printable(String(forwarded))}`)
    return HttpServerResponse.empty({ status: 502 })
  })

/** As it was sent. `verify` has read it before. */
const eventOf = (bytes: Uint8Array, headers: Headers.Headers): Received => {
  const event: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const field = (name: string): unknown => Predicate.hasProperty(event, name) ? event[name] : undefined
  return {
    id: headers["svix-id"] || headers["webhook-id"] || "",
    type: String(field("type")),
    created_at: field("created_at"),
    data: field("data")
  }
}
