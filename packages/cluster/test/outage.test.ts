import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, TestClock } from "effect"
import * as Outage from "../src/internal/outage.ts"

/** What is logged meanwhile. */
const recording = <A, E, R>(use: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (logLevel._tag !== "Debug") lines.push(`${logLevel._tag} ${message}`)
  })
  return Effect.provide(use(lines), Logger.replace(Logger.defaultLogger, logger))
}

const full = "contacts: the database failed: could not extend file: No space left on device."
const gone = new SqlError({ cause: new Error("Connection terminated"), message: "Failed" })

/** Codes of PostgreSQL, with its words and ours. */
const refusals: ReadonlyArray<readonly [code: string, message: string, line: RegExp]> = [
  [
    "53100",
    "could not extend file: No space left on device",
    /the disk of PostgreSQL is full: make room; the workers go on/
  ],
  ["53200", "out of memory", /PostgreSQL is out of memory: give it more,/],
  ["53300", "sorry, too many clients already", /has no connection left: raise max_connections,/],
  ["57P01", "terminating connection due to administrator command", /is being stopped, .+ start it again/],
  [
    "57P02",
    "terminating connection because of crash of another server process",
    /has crashed, and restarts: look into its log/
  ],
  ["57P03", "the database system is in recovery mode", /is starting, stopping or recovering: wait/],
  [
    "28P01",
    "password authentication failed for user",
    /refuses the password: set it in PostgreSQL to the one in the URL/
  ],
  ["28000", "no pg_hba.conf entry for host", /refuses this user: check pg_hba\.conf/],
  ["3D000", "database \"mail\" does not exist", /the database does not exist: restore it/],
  ["42501", "permission denied for table cluster_workers", /lacks a permission: grant it/],
  [
    "25006",
    "cannot execute UPDATE in a read-only transaction",
    /is read-only, as a standby is: let the URL lead to the primary/
  ]
]

describe("an outage", () => {
  it.scoped.each(refusals)(
    "with the code %s is a line that says what to do",
    ([code, message, expected]) =>
      recording((lines) =>
        Effect.gen(function*() {
          const outage = yield* Outage.make
          yield* outage.failed(new SqlError({ cause: Object.assign(new Error(message), { code }), message: "Failed" }))
          assert.lengthOf(lines, 1)
          assert.match(lines[0] ?? "", expected)
          assert.include(lines[0], `(${message}). It did respond at 1970-01-01T00:00:00.000Z.`)
          assert.match(outage.current()?.reason ?? "", expected)
        })
      )
  )

  it.scoped("for a reason that nobody can foresee is said in the words of the database", () =>
    recording((lines) =>
      Effect.gen(function*() {
        const outage = yield* Outage.make
        yield* outage.failed(gone)
        assert.match(lines[0] ?? "", /^Warning The database cannot be used: Connection terminated\. It did respond/)
      })
    ))
})

describe("passes that the database cuts off while it confirms beats", () => {
  it.scoped("are worth a line a minute, however many there are", () =>
    recording((lines) =>
      Effect.gen(function*() {
        const outage = yield* Outage.make
        for (let second = 0; second < 130; second++) {
          yield* outage.cutOff(full)
          yield* outage.confirmed
          yield* TestClock.adjust("1 second")
        }
        assert.lengthOf(lines, 3)
        assert.strictEqual(
          lines[0],
          "Warning The database has cut off a pass, which continues in a moment: contacts: the database failed: could not " +
            "extend file: No space left on device. If there are more, this is said once a minute."
        )
      })
    ))

  it.scoped("are worth no line if an outage is why, which has its own", () =>
    recording((lines) =>
      Effect.gen(function*() {
        const outage = yield* Outage.make
        yield* outage.cutOff(full)
        yield* TestClock.adjust("1 second")
        yield* outage.failed(gone)
        yield* outage.cutOff(full)
        yield* TestClock.adjust("1 second")
        yield* outage.confirmed
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(lines.map((line) => line.slice(0, 36)), [
          "Warning The database cannot be used:",
          "Info The database can be used again,"
        ])
      })
    ))
})
