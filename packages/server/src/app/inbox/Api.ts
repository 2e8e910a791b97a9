/** The JSON below `/inbox/api`. It is for the page, and for tests in any language. */
import { type ApiError, NotFound, ServiceUnavailable, ValidationError } from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Fields, List, StoreError, StoreService } from "../../stores/Store.ts"
import * as Time from "../lives/Time.ts"
import * as Params from "../Params.ts"
import type { Request } from "../Request.ts"
import * as Response from "../Response.ts"
import { wrongMethod } from "../Routes.ts"
import type { Settings } from "../Settings.ts"
import * as Attachments from "./Attachments.ts"
import * as Complete from "./Complete.ts"
import * as Frames from "./Frames.ts"
import * as Query from "./Query.ts"
import * as Rendered from "./Rendered.ts"
import * as Sent from "./Sent.ts"
import * as Waiting from "./Waiting.ts"

/** A request by an account. */
export interface Call {
  readonly account: string
  readonly store: StoreService
  readonly request: Request
  /** What follows `/inbox/api`, as it was sent. */
  readonly path: string
  readonly search: string
}

type Result = Effect.Effect<Response.Response, ApiError | StoreError>

/** What the server gives to it. */
export interface Surroundings {
  readonly settings: Settings
  /** Messages about changes. */
  readonly live: (account: string) => Effect.Effect<Response.Response>
  /** The response of the service itself to a read. */
  readonly read: (call: Call) => Result
  readonly stopping: Effect.Effect<void>
}

const headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; sandbox"
}

const json = (body: unknown, status = 200): Response.Response =>
  Response.withHeaders(Response.json(status, JSON.stringify(body)), headers)

const missing = new NotFound({ statusCode: 404, message: "The inbox has no such page." })

/** The lists of the service that can be browsed. */
const browsed: ReadonlySet<string> = new Set(["contacts", "segments", "topics", "templates", "broadcasts"])

export const make = ({ live, read, settings, stopping }: Surroundings): (call: Call) => Result => {
  const waiting = { count: 0 }
  return (call) => {
    const { account, path, request: { method }, search, store } = call
    const texts = path.slice(1).split("/").map((encoded) => Params.decode(encoded) ?? "")
    const [name = "", id, part, attachment] = texts
    if (texts.length > 4 || texts.includes("")) return missing
    const isRead = method === "GET" || method === "HEAD"
    /** Responds, if the query has no other parameters than these. */
    const given = (names: ReadonlyArray<string>, respond: (query: URLSearchParams) => Result): Result =>
      Effect.flatMap(Query.of(search, names), respond)
    if (name === "emails" && id === undefined && method === "DELETE") {
      return given([], () => Effect.map(Sent.clear(store), (deleted) => json({ deleted })))
    }
    if (!isRead) return Effect.succeed(wrongMethod(name === "emails" && id === undefined ? ["GET", "DELETE"] : ["GET"]))
    const settle = Time.settle(store, Sent.emails.name, settings)
    if (name === "emails") {
      if (id === undefined) {
        return given(["q", "campaign", "limit", "after"], (query) => Effect.zipRight(settle, list(store, query)))
      }
      if (part === undefined) return given([], () => Effect.zipRight(settle, one(store, id)))
      if (part === "html" && attachment === undefined) return given(["remote"], (query) => frame(store, id, query))
      return part === "attachments" && attachment !== undefined
        ? given([], () => Attachments.download(store, id, attachment))
        : missing
    }
    if (name === "campaigns" && part === undefined) {
      return id === undefined
        ? given(["limit", "after"], (query) => Effect.zipRight(settle, campaigns(store, query)))
        : given([], () => Effect.zipRight(settle, Effect.map(Sent.campaign(store, id), (one) => json(one))))
    }
    if (browsed.has(name)) {
      return part === "html" && id !== undefined && attachment === undefined
        ? given(["remote"], (query) => rendered(store, { name }, id, query))
        : Effect.map(read(call), (response) => Response.withHeaders(response, headers))
    }
    if (id !== undefined) return missing
    switch (name) {
      case "account":
        return given([], () => Effect.succeed(json({ account })))
      case "live":
        return given([], () => live(account))
      case "wait":
        return given(
          ["to", "subject", "campaign", "since", "timeout"],
          (query) => admitted(waiting, Effect.raceFirst(wait(store, query, settle), Effect.zipRight(stopping, stopped)))
        )
      default:
        return missing
    }
  }
}

const list = (store: StoreService, query: URLSearchParams): Result =>
  Effect.gen(function*() {
    const part = yield* Sent.list(store, {
      limit: yield* limitOf(query),
      after: query.get("after") ?? undefined,
      campaign: query.get("campaign") ?? undefined,
      query: (query.get("q") ?? "").trim().slice(0, 200)
    })
    return json(part)
  })

const campaigns = (store: StoreService, query: URLSearchParams): Result =>
  Effect.gen(function*() {
    const after = query.get("after") ?? undefined
    return json(yield* Sent.campaigns(store, { limit: yield* limitOf(query), after }))
  })

const limitOf = (query: URLSearchParams): Either.Either<number, ValidationError> => {
  const limit = Number(query.get("limit") ?? 50)
  return Number.isInteger(limit) && limit >= 1 && limit <= 100
    ? Either.right(limit)
    : Either.left(ValidationError.because("The `limit` must be a number between 1 and 100."))
}

const one = (store: StoreService, id: string): Result =>
  Effect.map(Effect.flatMap(Sent.get(store, id), (email) => Complete.of(store, email)), (email) => json(email))

const frame = (store: StoreService, id: string, query: URLSearchParams): Result =>
  Effect.gen(function*() {
    const email = yield* Sent.get(store, id)
    return Frames.document(Frames.htmlOf(email), isRemote(query), yield* Attachments.inline(store, email))
  })

const rendered = (store: StoreService, list: List, id: string, query: URLSearchParams): Result =>
  Effect.flatMap(
    store.get(list, id),
    (object) =>
      object === undefined
        ? missing
        : Effect.succeed(Frames.document(Frames.htmlOf(Rendered.of(object)), isRemote(query)))
  )

const isRemote = (query: URLSearchParams): boolean => query.get("remote") === "1"

/** The longest time that a request may wait. Proxies do not wait much longer. */
const maxWait = Duration.seconds(60)

/** How many requests may wait at the same time. */
const maxWaiting = 200

const admitted = (waiting: { count: number }, response: Result): Result =>
  Effect.suspend(() => {
    if (waiting.count >= maxWaiting) return busy
    waiting.count++
    return Effect.ensuring(response, Effect.sync(() => waiting.count--))
  })

const busy = new ServiceUnavailable({
  statusCode: 503,
  message: "Too many requests wait for emails.",
  retryAfter: Duration.seconds(1)
})

const stopped = new ServiceUnavailable({
  statusCode: 503,
  message: "The server stops.",
  retryAfter: Duration.seconds(1)
})

const wait = (store: StoreService, query: URLSearchParams, settle: Effect.Effect<void, StoreError>): Result =>
  Effect.gen(function*() {
    const email = yield* Waiting.find(
      store,
      {
        campaign: query.get("campaign") ?? undefined,
        to: query.get("to") ?? undefined,
        subject: query.get("subject") ?? undefined,
        since: yield* sinceOf(query)
      },
      yield* timeoutOf(query),
      settle
    )
    return json(yield* Complete.of(store, email))
  }).pipe(
    Effect.catchTag(
      "EmailNotArrived",
      ({ arrived, message }) =>
        Effect.succeed(json({ statusCode: 404, name: "email_not_arrived", message, arrived } satisfies Fields, 404))
    )
  )

const timeoutOf = (query: URLSearchParams): Either.Either<Duration.Duration, ValidationError> => {
  const seconds = Number(query.get("timeout") ?? 5)
  return seconds >= 0 && seconds <= Duration.toSeconds(maxWait)
    ? Either.right(Duration.seconds(seconds))
    : Either.left(ValidationError.because("The `timeout` must be a number of seconds between 0 and 60."))
}

const sinceOf = (query: URLSearchParams): Either.Either<number | undefined, ValidationError> => {
  const text = query.get("since")
  if (text === null) return Either.right(undefined)
  const time = DateTime.make(/^\d+$/.test(text) ? Number(text) : text)
  return Option.isSome(time)
    ? Either.right(DateTime.toEpochMillis(time.value))
    : Either.left(
      ValidationError.because("The `since` must be a time in ISO 8601 format, or in milliseconds since the epoch.")
    )
}
