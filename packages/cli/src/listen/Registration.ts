/** A webhook that exists while the program runs. */
import type { RequestError } from "@mailstream/core"
import type { WebhookId } from "@mailstream/core/Webhook"
import { Webhooks } from "@mailstream/http/Services"
import type { ListError } from "@mailstream/stream/ListError"
import * as webhooks from "@mailstream/stream/webhooks"
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"

/** What the paths of such webhooks begin with, on this machine. */
const prefix = `/mailstream-listen/${encodeURIComponent(hostname())}/`

/** A path that no other program uses, and that says whose it is. */
export const makePath = (): string => `${prefix}${randomUUID()}`

/** How long the program may take to remove its webhook when it ends: less than it has for that. */
const patience = Duration.seconds(5)

/** How long a program that is running takes to say so. */
const shortly = 1000

/** Whether a program still listens at an endpoint: it responds with the path. */
const isAlive = (endpoint: URL): Effect.Effect<boolean> =>
  Effect.tryPromise((signal) =>
    fetch(endpoint, { redirect: "manual", signal: AbortSignal.any([signal, AbortSignal.timeout(shortly)]) }).then((
      response
    ) => response.text())
  ).pipe(
    Effect.match({ onFailure: () => false, onSuccess: (text) => text === endpoint.pathname })
  )

/** Those of this machine that nobody listens at: of programs that were killed. */
const leftovers = webhooks.items().pipe(
  Stream.filterEffect(({ endpoint }) => {
    const url = typeof endpoint === "string" && URL.canParse(endpoint) ? new URL(endpoint) : undefined
    return url?.pathname.includes(prefix) === true
      ? Effect.map(isAlive(url), (isAlive) => !isAlive)
      : Effect.succeed(false)
  }),
  Stream.runCollect
)

/** Removes the webhooks of programs that were killed. */
export const tidy: Effect.Effect<void, RequestError | ListError, Webhooks | Stdio> = Effect.gen(function*() {
  const { say } = yield* Stdio
  const { remove } = yield* Webhooks
  for (const { id } of yield* leftovers) {
    yield* remove(id)
    yield* say(`Removed the webhook ${id}, which an earlier run has left.`)
  }
})

/**
 * Creates a webhook, and removes it when the scope closes. If the program is stopped before the service has responded, it is
 * looked for.
 */
export const register = (
  endpoint: string,
  events: Arr.NonEmptyReadonlyArray<string>
): Effect.Effect<Redacted.Redacted, RequestError, Webhooks | Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const service = yield* Webhooks
    let id: WebhookId | undefined = undefined
    let isRequested = false
    const own = webhooks.items().pipe(
      Stream.filter((webhook) => webhook.endpoint === endpoint),
      Stream.mapEffect((webhook) => service.remove(webhook.id)),
      Stream.runDrain,
      Effect.provideService(Webhooks, service)
    )
    const removed: Effect.Effect<unknown, RequestError | ListError> = Effect.suspend(() =>
      id !== undefined ? service.remove(id) : isRequested ? own : Effect.void
    )
    yield* Effect.addFinalizer(() =>
      // This fiber may have been interrupted, so that another one has the limit.
      Effect.timeoutFail(removed, {
        duration: patience,
        onTimeout: () => new Cause.TimeoutException("there was no response in time")
      })
        .pipe(
          Effect.interruptible,
          Effect.catchAll((error) =>
            say(
              `The webhook could not be removed: ${
                Text.printable(error.message)
              }. Remove it with 'mailstream webhooks remove ${id ?? "ID"}', or run this command again, which does.`
            )
          ),
          Effect.forkDaemon,
          Effect.flatMap(Fiber.await)
        )
    )
    isRequested = true
    const created = yield* service.create({ endpoint, events })
    id = created.id
    return created.signing_secret
  })
