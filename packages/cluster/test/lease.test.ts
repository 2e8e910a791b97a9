import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mailstream, type Transport } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Moment from "@mailstream/kernel/Moment"
import { Mirror } from "@mailstream/mirror"
import { Clock, Duration, Effect, Either, Layer, Redacted, Stream, TestClock, Tracer } from "effect"
import * as Lease from "../src/internal/lease.ts"
import * as Turn from "../src/internal/turn.ts"
import { make } from "./support/processes.ts"

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

const lockExpiration = Duration.seconds(15)

describe("a lease", () => {
  it.effect("lets requests begin until it ends, which is before the database knows", () =>
    Effect.gen(function*() {
      const clock = yield* Effect.clock
      const lease = Lease.make(clock, lockExpiration)
      let asked: Transport.Request | undefined
      const transport = Lease.guard({
        send: (request) =>
          Effect.sync(() => {
            asked = request
            return { status: 200, headers: {}, body: "" }
          }),
        open: (request) =>
          Effect.sync(() => {
            asked = request
            return { status: 200, headers: {}, bytes: Stream.empty }
          })
      }, lease)
      const mayStart = (given?: () => boolean) =>
        Effect.gen(function*() {
          yield* transport.send({ ...request, mayStart: given })
          const sent = asked?.mayStart?.()
          yield* Effect.scoped(transport.open({ ...request, mayStart: given }))
          assert.strictEqual(asked?.mayStart?.(), sent)
          return sent
        })
      assert.isFalse(yield* mayStart())
      lease.renew(Moment.of(clock))
      assert.isTrue(yield* mayStart())
      assert.isFalse(yield* mayStart(() => false))
      yield* TestClock.adjust("12 seconds")
      assert.isTrue(yield* mayStart())
      const held = asked
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* mayStart())
      // Also one that waited for a connection until now.
      assert.isFalse(held?.mayStart?.())
      lease.renew(Moment.of(clock))
      assert.isTrue(yield* mayStart())
      lease.end()
      lease.renew(Moment.of(clock))
      assert.isFalse(yield* mayStart())
    }))

  it("ends whichever clock shows that it has expired", () => {
    const live = Clock.make()
    const now = { wall: 3600, monotonic: 100 }
    const clock: Clock.Clock = {
      ...live,
      unsafeCurrentTimeMillis: () => now.wall * 1000,
      unsafeCurrentTimeNanos: () => BigInt(now.monotonic) * 1_000_000_000n
    }
    const lease = Lease.make(clock, lockExpiration)
    lease.renew(Moment.of(clock))
    const isHeldAt = (wall: number, monotonic: number) => {
      Object.assign(now, { wall, monotonic })
      return Lease.isHeld(lease)
    }
    assert.isTrue(isHeldAt(3612, 112))
    // The wall clock was set back.
    assert.isTrue(isHeldAt(12, 112))
    assert.isFalse(isHeldAt(13, 113))
    // The machine was asleep.
    assert.isFalse(isHeldAt(3613, 101))
  })

  it.scopedLive("lets nothing be stored once it has ended", () =>
    Effect.gen(function*() {
      const { service, sql } = yield* make
      const acme = service.add("acme")
      const mirror = yield* Mirror.Mirror.pipe(
        Effect.provide(Mirror.layer()),
        Effect.provideService(SqlClient.SqlClient, Lease.guardDatabase(sql))
      )
      const pass = Effect.flatMap(
        mirror.forAccount("acme"),
        (copy) => copy.syncEither({ lists: ["contacts", "topics"] })
      ).pipe(
        Effect.provide(
          Layer.provide(
            Mailstream.layer({ baseUrl: service.baseUrl, apiKey: Redacted.make(acme.apiKey) }),
            UndiciTransport.layer
          )
        )
      )
      const lease = Lease.make(yield* Effect.clock, lockExpiration)
      const reports = yield* Lease.within(lease)(pass)
      assert.deepStrictEqual(reports.map(({ result }) => Either.isLeft(result)), [true, true])
      assert.deepStrictEqual(yield* sql`SELECT * FROM mirror_lists`, [])
      // An outage is no account's own failure.
      assert.include(Turn.fromReports(reports), { _tag: "CutOff" })
      lease.renew(Moment.of(yield* Effect.clock))
      yield* Lease.within(lease)(pass)
      assert.lengthOf(yield* sql`SELECT * FROM mirror_lists`, 2)
      // Where a pass begins no transaction of its own, either.
      const guarded = Lease.guardDatabase(sql)
      lease.end()
      for (const statement of [guarded`DELETE FROM mirror_lists`, guarded.withTransaction(Effect.void)]) {
        const error = yield* Effect.flip(Lease.within(lease)(statement))
        assert.include(error, { _tag: "SqlError", message: "The lease has ended" })
        yield* statement
      }
    }), 60_000)
})
