/**
 * Idempotency keys: sends with the same key and the same bytes are one. The response is recorded together with the emails, so
 * whoever repeats a send gets it, whatever happened to the first one.
 */
import {
  ConcurrentIdempotentRequests,
  InvalidIdempotencyKey,
  InvalidIdempotentRequest
} from "@mailstream/core/ApiError"
import type { ValidationError } from "@mailstream/core/ApiError"
import { idempotencyKey } from "@mailstream/core/SendEmail"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Objects, StoreError } from "../../stores/Store.ts"
import * as Body from "../Body.ts"
import type { Request } from "../Request.ts"
import * as Response from "../Response.ts"
import type { Settings } from "../Settings.ts"

/** The key of a request; undefined: it has none. */
export const keyOf = (
  { header }: Pick<Request, "header">
): Either.Either<string | undefined, InvalidIdempotencyKey> => {
  const key = header("idempotency-key")
  return key === undefined || Schema.is(idempotencyKey.schema)(key) ? Either.right(key) : Either.left(
    new InvalidIdempotencyKey({ statusCode: 400, message: idempotencyKey.refusal.message })
  )
}

/** A key, and the hash of the bytes that were sent with it. */
export interface Keyed {
  readonly key: string
  readonly hash: string
}

/** The response to what was sent with this key before, or to what is sent now. Failures leave the key unused. */
export const once = <E>(
  objects: Objects,
  { idempotencyWindow }: Settings,
  now: number,
  keyed: Keyed | undefined,
  send: Effect.Effect<{ readonly status: number; readonly body: string }, E>
): Effect.Effect<Response.Response, E | InvalidIdempotentRequest | StoreError> =>
  Effect.gen(function*() {
    const since = now - idempotencyWindow
    const known = keyed === undefined ? undefined : yield* objects.line("keys", keyed.key)
    if (keyed !== undefined && known !== undefined && known.at > since) {
      const { body, hash, status } = known.fields
      return hash === keyed.hash ? Response.json(Number(status), String(body)) : yield* otherContent
    }
    const { body, status } = yield* send
    if (keyed !== undefined) {
      yield* objects.prune("keys", { before: since })
      yield* objects.write("keys", [{
        id: keyed.key,
        about: null,
        at: now,
        fields: { hash: keyed.hash, status, body }
      }])
    }
    return Response.json(status, body)
  })

const otherContent = Effect.failSync(() =>
  new InvalidIdempotentRequest({
    statusCode: 409,
    message:
      "This idempotency key was used with another payload. To repeat a send, use the same key and the same bytes; " +
      "another email needs another key."
  })
)

/**
 * Lets one request with the same key through at a time, until its response is ready. Its key is in use only when all of it has
 * arrived: a client that stalls keeps nobody from using it.
 */
export interface Guard {
  <A, E, R>(
    account: string,
    request: Request,
    responseTo: (request: Request) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | ConcurrentIdempotentRequests | ValidationError, R>
}

/** For the requests to this process: those to others wait for each other in the database. */
export const makeGuard = (): Guard => {
  const inProgress = new Set<string>()
  return <A, E, R>(account: string, request: Request, responseTo: (request: Request) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(request.body(Body.maxEmailBytes), (bytes) => {
      const name = `${account}\n${request.header("idempotency-key")}`
      return Effect.acquireUseRelease(
        Effect.suspend(() => inProgress.has(name) ? concurrent : Effect.sync(() => inProgress.add(name))),
        () => responseTo({ ...request, body: () => Effect.succeed(bytes) }),
        () => Effect.sync(() => inProgress.delete(name))
      )
    })
}

/** A request with this key has not been responded to yet. */
export const concurrent = Effect.failSync(() =>
  new ConcurrentIdempotentRequests({
    statusCode: 409,
    message:
      "A request with this idempotency key is still in progress. Repeat it later, with the same key and the same bytes."
  })
)
