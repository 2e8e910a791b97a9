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
