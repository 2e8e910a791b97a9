/**
 * Delivers events to webhooks in the background. Each webhook has a fiber of its own while something is due for it, so one that
 * does not respond delays no other.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import { Store, type StoreError, storeOf } from "../../stores/Store.ts"
import * as Time from "../lives/Time.ts"
import * as Webhooks from "../lives/Webhooks.ts"
import type { Settings } from "../Settings.ts"
import * as Deliveries from "./Deliveries.ts"
import { nextAttempt, type Rules } from "./Rules.ts"
import * as Signature from "./Signature.ts"

/** How often to look for what other processes have left undone. */
const poll = Duration.toMillis(Duration.seconds(5))

/** How much longer a lease lasts than the request that it is for. */
const margin = Duration.toMillis(Duration.seconds(5))

/** Delivers until the scope is closed. `changed` is open whenever there may be something to do. */
export const run = (
  settings: Settings,
  rules: Rules,
  changed: Effect.Latch
): Effect.Effect<never, never, Store | Scope.Scope> =>
  Effect.gen(function*() {
    const store = yield* Store
    const fibers = yield* FiberSet.make()
    const busy = new Set<string>()

    const deliver = (account: string, webhook: string) =>
      Effect.gen(function*() {
        const view = storeOf(store, account)
        while (true) {
          const now = yield* Clock.currentTimeMillis
          const claimed = yield* Deliveries.claim(view, webhook, {
            now,
            until: now + rules.timeout + margin,
            limit: rules.concurrency
          })
          if (claimed === undefined || claimed.deliveries.length === 0) return
          yield* Effect.forEach(
            claimed.deliveries,
            (delivery) =>
              Effect.gen(function*() {
                const endpoint = String(claimed.webhook["endpoint"])
                const secrets = Webhooks.secretsOf(claimed.webhook, yield* Clock.currentTimeMillis)
                const isReceived = yield* post(endpoint, secrets, delivery, rules.timeout)
                const later = nextAttempt(
                  rules,
                  delivery.attempts + 1,
                  yield* Clock.currentTimeMillis,
                  yield* Random.next
                )
                yield* Deliveries.settle(view, delivery, isReceived ? undefined : later)
              }),
            { concurrency: "unbounded", discard: true }
          )
        }
      }).pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Failed to deliver events to a webhook.", cause)),
        Effect.ensuring(Effect.sync(() => {
          busy.delete(`${account}/${webhook}`)
          changed.unsafeOpen()
        }))
      )

    /** Starts what is due, and returns how long nothing else is; undefined: until something changes. */
    const look: Effect.Effect<number | undefined, StoreError> = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const { hasWebhooks, lists } = yield* store.agenda(now)
      if (!hasWebhooks) return undefined
      for (const { account, list } of lists) yield* Time.settle(storeOf(store, account), list, settings)
      // Events of what was due just now are to be delivered as well.
      const { next = Infinity, webhooks } = yield* store.agenda(now)
      for (const { account, webhook } of webhooks) {
        if (busy.has(`${account}/${webhook}`)) continue
        busy.add(`${account}/${webhook}`)
        yield* FiberSet.run(fibers, deliver(account, webhook))
      }
      return Math.max(1, Math.min(poll, next - now))
    })

    return yield* Effect.forever(Effect.gen(function*() {
      yield* changed.close
      const wait = yield* Effect.catchAll(look, (error) =>
        Effect.as(Effect.logWarning("Failed to look for events to deliver.", error), poll))
      yield* wait === undefined
        ? changed.await
        : Effect.timeoutOption(changed.await, wait)
    }))
  })

/** Whether an endpoint has received a message: only a response with 2xx in time says so. Its body does not matter. */
const post = (
  endpoint: string,
  secrets: ReadonlyArray<string>,
  { message, payload }: Deliveries.Delivery,
  timeout: number
): Effect.Effect<boolean> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const signed = yield* Signature.headers(secrets, { id: message, now, payload })
    const headers = { "content-type": "application/json", "user-agent": "Mailstream-Webhooks", ...signed }
    const response = yield* Effect.tryPromise((signal) =>
      fetch(endpoint, { method: "POST", headers, body: payload, redirect: "manual", signal })
    )
    yield* Effect.ignore(Effect.tryPromise(() => response.body?.cancel() ?? Promise.resolve()))
    return response.ok
  }).pipe(
    Effect.orElseSucceed(() => false),
    Effect.timeoutOption(timeout),
    Effect.map(Option.getOrElse(() => false))
  )
