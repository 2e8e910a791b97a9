import { RunnerAddress, RunnerStorage, ShardId } from "@effect/cluster"
import { assert, describe, it } from "@effect/vitest"
import type { Transport } from "@mailstream/http"
import { settle } from "@mailstream/testing/Clock"
import { Clock, Context, Duration, Effect, Fiber, Layer, Option, Stream, TestClock, Tracer } from "effect"
import * as Lease from "../src/internal/lease.ts"

const address = RunnerAddress.make("127.0.0.1", 1)
const [one, two] = [ShardId.make("default", 1), ShardId.make("default", 2)]

const request: Transport.Request = {
  method: "GET",
  origin: "http://localhost",
  path: "/contacts",
  headers: {},
  body: undefined,
  timeout: Duration.seconds(1),
  maxBodySize: 1,
  span: Tracer.externalSpan({ spanId: "1", traceId: "1" })
}

const setup = Effect.gen(function*() {
  /** The shards that the database says are locked for this worker. */
  const locked = new Set<ShardId.ShardId>([one, two])
  const storage = Layer.effect(
    RunnerStorage.RunnerStorage,
    Effect.map(RunnerStorage.makeMemory, (inner) => ({
      ...inner,
      acquire: () => Effect.sync(() => [...locked]),
      refresh: () => Effect.sync(() => [...locked])
    }))
  )
  const context = yield* Layer.build(Lease.layer(storage, Duration.seconds(15)))
  const lease = Context.get(context, Lease.Lease)
  let sent = 0
  const transport = Lease.guard(
    {
      send: () => Effect.sync(() => ({ status: ++sent, headers: {}, body: "" })),
      open: () => Effect.sync(() => ({ status: ++sent, headers: {}, bytes: Stream.empty }))
    },
    lease,
    one
  )
  return { lease, locked, storage: Context.get(context, RunnerStorage.RunnerStorage), transport, sent: () => sent }
})

describe("a lease", () => {
  it.scoped("holds back requests while the lock may have expired, and lets them go when it is refreshed", () =>
    Effect.gen(function*() {
      const { lease, sent, storage, transport } = yield* setup
      assert.isFalse(yield* lease.isAlive)
      yield* storage.acquire(address, [one])
      assert.isTrue(yield* lease.isAlive)
      yield* transport.send(request)
      yield* TestClock.adjust("14 seconds")
      yield* transport.send(request)
      // As after a pause.
      yield* TestClock.adjust("1 second")
      const waiting = yield* Effect.fork(transport.send(request))
      const opening = yield* Effect.fork(Effect.scoped(transport.open(request)))
      yield* TestClock.adjust("1 second")
      yield* settle
      assert.strictEqual(sent(), 2)
      assert.isFalse(yield* lease.isAlive)
      yield* storage.refresh(address, [one])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(waiting)
      yield* Fiber.join(opening)
      assert.strictEqual(sent(), 4)
    }))

  it.scoped("ends whichever clock shows that it has expired", () =>
    Effect.gen(function*() {
      const { lease, storage } = yield* setup
      const live = Clock.make()
      const at = (wall: number, monotonic: number): Clock.Clock => ({
        ...live,
        unsafeCurrentTimeMillis: () => wall * 1000,
        unsafeCurrentTimeNanos: () => BigInt(monotonic) * 1_000_000_000n
      })
      const isHeldAt = (wall: number, monotonic: number) => Effect.withClock(lease.isHeld(one), at(wall, monotonic))
      yield* Effect.withClock(storage.acquire(address, [one]), at(3600, 100))
      assert.isTrue(yield* isHeldAt(3614, 114))
      // The wall clock was set back.
      assert.isTrue(yield* isHeldAt(14, 114))
      assert.isFalse(yield* isHeldAt(15, 115))
      // The machine was asleep.
      assert.isFalse(yield* isHeldAt(3615, 101))
    }))

  it.scoped("ends at once when a refresh shows that another worker has the lock", () =>
    Effect.gen(function*() {
      const { lease, locked, storage } = yield* setup
      yield* storage.acquire(address, [one, two])
      locked.delete(one)
      yield* storage.refresh(address, [one, two])
      assert.isFalse(yield* lease.isHeld(one))
      assert.isTrue(yield* lease.isHeld(two))
    }))

  it.scoped("ends before the lock is released", () =>
    Effect.gen(function*() {
      const { lease, storage, transport } = yield* setup
      yield* storage.acquire(address, [one, two])
      yield* storage.release(address, one)
      assert.isFalse(yield* lease.isHeld(one))
      const waiting = yield* Effect.fork(transport.send(request))
      yield* TestClock.adjust("1 second")
      assert.isTrue(Option.isNone(yield* Fiber.poll(waiting)))
      yield* Fiber.interrupt(waiting)
      yield* storage.acquire(address, [two])
      yield* storage.releaseAll(address)
      assert.isFalse(yield* lease.isHeld(two))
    }))
})
