/**
 * Which events a webhook has yet to receive, and when. Whoever delivers one leases it first: others leave it alone until the
 * lease ends, so several processes can share a database, and nothing is lost if one of them is killed.
 */
import { Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields, Numbered, Objects, StoreError, StoreService } from "../../stores/Store.ts"

/** A message to a webhook, as it is leased. */
export interface Delivery {
  /** What the message is known by, to every webhook and in every attempt. */
  readonly message: string
  readonly payload: string
  /** How many attempts have failed. */
  readonly attempts: number
  readonly lease: string
  readonly line: Numbered
}

const webhooks = { name: Resource.webhooks.name }

/** Leases deliveries that are due, with the webhook that they are for. Those of a webhook that is gone or disabled are dropped. */
export const claim = (
  store: StoreService,
  id: string,
  options: { readonly now: number; readonly until: number; readonly limit: number }
): Effect.Effect<{ readonly webhook: Fields; readonly deliveries: ReadonlyArray<Delivery> } | undefined, StoreError> =>
  store.atomically((objects) =>
    Effect.gen(function*() {
      const webhook = yield* objects.get(webhooks, id)
      if (webhook === undefined || webhook["status"] !== "enabled") {
        yield* drop(objects, id)
        return undefined
      }
      const due = yield* objects.lines("deliveries", {
        from: "earliest",
        about: id,
        until: options.now,
        limit: options.limit
      })
      const deliveries = due.map((line): Delivery => ({
        message: String(line.fields["message"]),
        payload: String(line.fields["payload"]),
        attempts: Number(line.fields["attempts"]),
        lease: crypto.randomUUID(),
        line
      }))
      for (const { lease, line } of deliveries) {
        yield* objects.amend("deliveries", { ...line, at: options.until, fields: { ...line.fields, lease } })
      }
      return { webhook, deliveries }
    })
  )

/** Ends a delivery, or says when its next attempt is due. Does nothing if the lease has ended, and somebody else has it now. */
export const settle = (
  store: StoreService,
  { attempts, lease, line }: Delivery,
  next: number | undefined
): Effect.Effect<void, StoreError> =>
  store.atomically((objects) =>
    Effect.gen(function*() {
      const current = yield* objects.line("deliveries", line.id)
      if (current?.fields["lease"] !== lease) return
      if (next === undefined) return yield* objects.strike("deliveries", [line.id])
      const { lease: _, ...fields } = current.fields
      yield* objects.amend("deliveries", { ...current, at: next, fields: { ...fields, attempts: attempts + 1 } })
    })
  )

/** How many lines are removed at a time. */
const batch = 500

/** Forgets everything that is to be delivered to a webhook. */
export const drop = (objects: Objects, webhook: string): Effect.Effect<void, StoreError> =>
  Effect.gen(function*() {
    while (true) {
      const lines = yield* objects.lines("deliveries", { from: "oldest", about: webhook, limit: batch })
      if (lines.length === 0) return
      yield* objects.strike("deliveries", lines.map(({ id }) => id))
    }
  })
