import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Deduplication, type Webhook } from "@mailstream/webhook"
import { Deferred, type Duration, Effect, Fiber, Layer } from "effect"
import { doors, type Handle, type Open } from "./support/doors.ts"
import { body, other as current, secret as previous, signed } from "./support/events.ts"

const kinds = [
  ["memory", Deduplication.layerMemory()],
  ["a store", Layer.provide(Deduplication.layerKeyValueStore(), KeyValueStore.layerMemory)]
] as const

/** In either order: of the secrets of a handler, and of those that sign. */
const orders = [[current, previous], [previous, current]] as const

/** Several, because which key of a message comes first depends on its id. */
const ids = ["a", "b", "c", "d", "e", "f"]

const cases = doors.flatMap(([door, open]) => kinds.map(([kind, layer]) => [door, kind, open, layer] as const))

/** What delivers to a handler with these secrets. */
const receiver = (
  open: Open,
  secrets: Webhook.Secrets,
  handle: Handle,
  timeout: Duration.DurationInput = "30 seconds"
) =>
  Effect.map(
    open(handle, { secret: secrets, timeout }),
    (send) => (id: string, signer: Webhook.Secrets) =>
      Effect.flatMap(signed(id, { secret: signer }), (headers) =>
        Effect.map(send({ headers, body }), ({ status }) => status))
  )

describe.each(cases)("%s, with %s, while a secret is rotated", (_door, _kind, open, layer) => {
  it.scopedLive("hands over a message once, whichever secrets sign it", () =>
    Effect.gen(function*() {
      for (const secrets of [...orders, [current, previous, current]]) {
        for (const [one, two] of orders) {
          const seen: Array<string> = []
          const deliver = yield* receiver(open, secrets, (_, { id }) => Effect.sync(() => seen.push(id)))
          const all = ids.map((id) => `${id}_${secrets.map((each) => each.at(-1)).join("")}_${one.at(-1)}`)
          for (const id of all) {
            for (const signer of [one, orders[0], orders[1], two, one]) {
              assert.strictEqual(yield* deliver(id, signer), 200)
            }
          }
          assert.deepStrictEqual(seen, all)
        }
      }
    }).pipe(Effect.provide(layer)))

  it.scopedLive("hands over a message once that both secrets sign at once, to handlers in either order", () =>
    Effect.gen(function*() {
      for (const [outcome, first, others] of [[Effect.void, 200, 200], [Effect.fail("no"), 500, 503]] as const) {
        for (const name of ids) {
          const id = `${name}_${first}`
          let calls = 0
          const called = yield* Deferred.make<void>()
          const gate = yield* Deferred.make<void>()
          const handle = () =>
            Effect.suspend(() => {
              calls++
              return Deferred.succeed(called, undefined).pipe(
                Effect.zipRight(Deferred.await(gate)),
                Effect.zipRight(outcome)
              )
            })
          let begun = 0
          const receivers = yield* Effect.forEach(orders, (secrets) => receiver(open, secrets, handle)).pipe(
            Effect.updateService(Deduplication.Deduplication, ({ once }) => ({
              once: (key, effect) => Effect.zipRight(Effect.sync(() => begun++), once(key, effect))
            }))
          )
          const one = yield* Effect.fork(receivers[0]!(id, previous))
          yield* Deferred.await(called)
          const rest = yield* Effect.fork(
            Effect.forEach(
              receivers.flatMap((deliver) => [deliver(id, current), deliver(id, [current, previous])]),
              (delivery) => delivery,
              { concurrency: "unbounded" }
            )
          )
          // The first is at both keys, and each of the others waits at one.
          yield* Effect.sleep("1 millis").pipe(
            Effect.repeat({ while: () => begun < 2 + 4 }),
            Effect.timeout("4 seconds")
          )
          yield* Deferred.succeed(gate, undefined)
          assert.strictEqual(yield* Fiber.join(one), first)
          assert.deepStrictEqual([...new Set(yield* Fiber.join(rest))], [others])
          assert.strictEqual(calls, 1)
        }
      }
    }).pipe(Effect.provide(layer)))

  it.scopedLive("does not let handlers in either order wait for each other", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const receivers = yield* Effect.forEach(
        orders,
        (secrets) => receiver(open, secrets, (_, { id }) => Effect.sync(() => seen.push(id)), "2 seconds")
      ).pipe(
        // Between one key and the next there is time for the other handler.
        Effect.updateService(Deduplication.Deduplication, ({ once }) => ({
          once: (key, effect) => once(key, Effect.zipRight(Effect.sleep("50 millis"), effect))
        }))
      )
      const statuses = yield* Effect.forEach(
        ids.flatMap((id) => receivers.map((deliver) => deliver(id, current))),
        (delivery) => delivery,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(statuses)], [200])
      assert.deepStrictEqual(seen.sort(), ids)
    }).pipe(Effect.provide(layer)))

  it.scopedLive("hands over a message again that was not handled", () =>
    Effect.gen(function*() {
      for (const id of ids) {
        let calls = 0
        const deliver = yield* receiver(open, orders[0], () =>
          Effect.suspend(() =>
            ++calls < 3 ? Effect.fail("no") : Effect.void
          ))
        const statuses = yield* Effect.forEach([previous, current, previous, current], (signer) => deliver(id, signer))
        assert.deepStrictEqual(statuses, [500, 500, 200, 200])
        assert.strictEqual(calls, 3)
      }
    }).pipe(Effect.provide(layer)))

  it.scopedLive("keeps two webhooks apart, each with its own secrets", () =>
    Effect.gen(function*() {
      const another = "whsec_kUXH1WS4OMgYPCDrLlAWmzL4YCUNFGHi"
      const seen: Array<string> = []
      for (const secrets of [[current, previous], [another]]) {
        for (const id of ids) {
          const deliver = yield* receiver(open, secrets, () => Effect.sync(() => seen.push(secrets[0]!)))
          for (const signer of secrets) assert.strictEqual(yield* deliver(id, signer), 200)
        }
      }
      assert.deepStrictEqual(seen, [...ids.map(() => current), ...ids.map(() => another)])
    }).pipe(Effect.provide(layer)))
})

describe.each(doors)("%s, restarted for each step of a rotation", (_, open) => {
  it.scopedLive("knows by a store what was handled before", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      const seen: Array<string> = []
      const step = (secrets: Webhook.Secrets, signer: Webhook.Secrets, messages: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const deliver = yield* receiver(open, secrets, (_, { id }) => Effect.sync(() => seen.push(id)))
          for (const id of messages) assert.strictEqual(yield* deliver(id, signer), 200)
        }).pipe(
          Effect.provide(Deduplication.layerKeyValueStore()),
          Effect.provideService(KeyValueStore.KeyValueStore, store)
        )
      const early = ids.map((id) => `early_${id}`)
      const late = ids.map((id) => `late_${id}`)
      yield* step(previous, previous, early)
      yield* step([current, previous], [current, previous], early)
      yield* step([current, previous], previous, late)
      yield* step(current, current, [...early, ...late])
      // A step back is known, too.
      yield* step(previous, previous, [...early, ...late])
      assert.deepStrictEqual(seen, [...early, ...late])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))
})
