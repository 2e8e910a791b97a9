/** Waits while somebody sets the clock of the system. Only the one that nobody can set measures them. */
import { SqlClient, SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { Availability } from "@mailstream/sql"
import { settle } from "@mailstream/testing/Clock"
import { found } from "@mailstream/testing/Eventually"
import * as WallClock from "@mailstream/testing/WallClock"
import type { Duration } from "effect"
import { Clock, Effect, Fiber, TestClock } from "effect"
import * as Decide from "../src/internal/decide.ts"
import * as Recovery from "../src/internal/recovery.ts"
import { setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact } from "./support/service.ts"
import { anHourLater, until } from "./support/waiting.ts"

const directions = ["back", "forward"] as const

describe.each(directions)("a clock that is set %s by a day", (direction) => {
  it.effect("does not change how long a lock is waited for", () =>
    Effect.gen(function*() {
      const { clock, shift } = yield* WallClock.make
      let attempts = 0
      const busy = Object.assign(new Error("busy"), { code: "SQLITE_BUSY" })
      const work = Effect.suspend(() => {
        attempts++
        if (attempts === 3) shift("1 day", direction)
        return new SqlError.SqlError({ cause: busy })
      })
      const fiber = yield* Effect.fork(Effect.withClock(Availability.waitForLock(work, Availability.isLocked), clock))
      for (let tenths = 0; tenths < 48; tenths++) yield* TestClock.adjust("100 millis")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.isNotNull(fiber.unsafePoll())
    }))

  it.effect("does not change how long an outage is waited for", () =>
    Effect.gen(function*() {
      const { clock, shift } = yield* WallClock.make
      const lost = new SqlError.SqlError({ cause: Object.assign(new Error("lost"), { code: "ECONNRESET" }) })
      let attempts = 0
      const work = Effect.suspend(() => {
        if (attempts++ === 3) shift("1 day", direction)
        return lost
      })
      // All that matters of a database is its kind.
      const database = { isPostgres: true } as Parameters<typeof Recovery.recovering>[0]
      const fiber = yield* Effect.fork(Effect.withClock(Recovery.recovering(database, "contacts", work), clock))
      for (let minutes = 0; minutes < 59; minutes++) yield* TestClock.adjust("1 minute")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), lost)
    }))

  describe.each(databases)("in %s", (name, open) => {
    it.scoped("does not put off the next pass of run, nor what is new", () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        service.lists.set("/contacts", [contact(1)])
        const { clock, shift } = yield* WallClock.make
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          const reports: Array<Mirror.Report> = []
          const onReport = (report: Mirror.Report) => Effect.sync(() => void reports.push(report))
          const options = { lists: ["contacts"], every: "1 minute", poll: "5 seconds", onReport } as const
          const running = yield* Effect.fork(Effect.withClock(mirror.run(options), clock))
          yield* until(() => reports.length === 1)
          shift("1 day", direction)
          const polls = () => service.requests.filter((url) => url.includes("before=")).length
          const after = (duration: Duration.DurationInput, isSo: () => boolean) =>
            Effect.gen(function*() {
              yield* settle
              yield* TestClock.adjust(duration)
              yield* found("it goes on", Effect.sync(isSo), (is) => is, 10)
            })
          yield* after("5 seconds", () => polls() === 1)
          yield* after("5 seconds", () => polls() === 2)
          yield* after("1 minute", () => reports.length === 2)
          yield* Fiber.interrupt(running)
        }).pipe(Effect.provide(layer))
      }))

    it.scoped("does not make a pass that is under way look interrupted", () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        service.lists.set("/contacts", [contact(1)])
        const { clock, shift } = yield* WallClock.make
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          service.onRequest = () => false
          const pass = yield* Effect.fork(sync("contacts"))
          yield* until(() => service.requests.length > 0)
          // The other process has no other clock than its own on SQLite.
          if (name === "PostgreSQL") shift("1 day", direction)
          const [status] = (yield* Effect.withClock(mirror.status, clock)).filter(({ list }) => list === "contacts")
          assert.isFalse(status?.pass?.isInterrupted)
          yield* Fiber.interrupt(pass)
        }).pipe(Effect.provide(layer))
      }))

    it.scoped("does not keep a pass from being continued whose process was killed", () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        service.lists.set("/contacts", [contact(1)])
        const { clock, shift } = yield* WallClock.make
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          service.onRequest = () => false
          const pass = yield* Effect.fork(Effect.withClock(sync("contacts"), clock))
          yield* until(() => service.requests.length > 0)
          yield* Fiber.interrupt(pass)
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE mirror_lists SET pass = replace(pass, '"isPaused":true', '"isPaused":false')`
          service.onRequest = () => {}
          shift("1 day", direction)
          const status = Effect.map(
            anHourLater(Effect.withClock(mirror.status, clock)),
            (lists) => lists.find(({ list }) => list === "contacts")
          )
          assert.isTrue((yield* status)?.pass?.isInterrupted)
          const [found] = yield* Effect.withClock(mirror.poll({ lists: ["contacts"] }), clock)
          assert.strictEqual(found?.created, 1)
        }).pipe(Effect.provide(layer))
      }))

    it.scopedLive("does not misdate what changes, nor hide it from who asks for what came later", () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        const { clock, shift } = yield* WallClock.make
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const mirror = yield* Mirror.Mirror
          const exact = (column: string) =>
            sql.literal(
              name === "SQLite" ? column : `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ')`
            )
          let cursor = ""
          const polled = new Set<string>()
          /** What another program does that keeps up with the table by its times. */
          const poll = Effect.gen(function*() {
            const rows = yield* sql<{ readonly id: string; readonly at: string }>`
              SELECT id, at FROM (SELECT id, ${exact("changed_at")} AS at FROM contacts) AS t
              WHERE at > ${cursor} ORDER BY at`
            for (const { at, id } of rows) {
              polled.add(id)
              cursor = at
            }
            return rows.length
          })
          const passes = 6
          for (let last = 1; last <= passes; last++) {
            // Every other process has a clock that is wrong.
            if (last % 2 === 0) shift("1 day", direction)
            else shift(0, direction)
            service.lists.set("/contacts", Array.from({ length: last }, (_, index) => contact(last - index)))
            yield* Effect.withClock(sync("contacts"), clock)
            assert.strictEqual(yield* poll, 1)
          }
          assert.strictEqual(polled.size, passes)
          service.lists.set("/contacts", Array.from({ length: passes - 1 }, (_, index) => contact(passes - index)))
          yield* Effect.withClock(sync("contacts"), clock)
          assert.strictEqual(yield* poll, 1)
          const rows = yield* sql<{ readonly at: string }>`SELECT ${exact("at")} AS at FROM mirror_changes ORDER BY seq`
          const times = rows.map(({ at }) => at)
          assert.deepStrictEqual(times, [...new Set(times)].sort())
          assert.lengthOf(times, passes + 1)
          if (name === "SQLite") return
          const now = yield* Clock.currentTimeMillis
          for (const at of times) assert.isBelow(Math.abs(Date.parse(at) - now), 60_000)
          // Neither the process that is a day ahead nor the other one drops what is new.
          for (const prune of [mirror.prune("1 hour"), mirror.purge("1 hour")]) {
            assert.strictEqual(yield* Effect.withClock(prune, clock), 0)
          }
        }).pipe(Effect.provide(layer))
      }))
  })
})

describe("isSilent", () => {
  it("measures on the clock that nobody sets", () => {
    assert.isFalse(Decide.isSilent(4_999_999_999n))
    assert.isTrue(Decide.isSilent(5_000_000_000n))
  })
})
