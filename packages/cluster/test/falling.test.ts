import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Option } from "effect"
import type { Accounts } from "../src/Accounts.ts"
import { AccountsError } from "../src/ClusterError.ts"
import * as Falling from "../src/internal/falling.ts"

/** What is logged when there are this many accounts, one read after the other; undefined is a read that fails. */
const said = (counts: ReadonlyArray<number | undefined>, source?: string) =>
  Effect.gen(function*() {
    let reads = 0
    const ids = Effect.suspend(() => {
      const count = counts[reads++]
      return count === undefined
        ? new AccountsError({ source: "tenants", description: "cannot be read" })
        : Effect.succeed(Array.from({ length: count }, (_, index) => `account-${index}`))
    })
    const service: Accounts["Type"] = { ids, find: () => Effect.succeedNone, source }
    const watched = Falling.watched(service)
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      lines.push(`${logLevel._tag} ${message}`)
    })
    for (const count of counts) {
      const found = yield* Effect.provide(Effect.option(watched.ids), Logger.replace(Logger.defaultLogger, logger))
      assert.strictEqual(Option.getOrUndefined(found)?.length, count)
    }
    return lines
  })

const ending = "Those that are gone are not copied any more; their copies stay."

describe("accounts that are read by a worker", () => {
  it.effect("are warned of when none is left", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* said([10, 0, 0], "acc.json"), [
        `Warning Accounts: 0, after 10 before: acc.json. ${ending}`
      ])
      assert.deepStrictEqual(yield* said([1, undefined, 0]), [`Warning Accounts: 0, after 1 before. ${ending}`])
    }))

  it.effect("are warned of when more than half of them are gone at once", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* said([10, 4, 1, 8], "acc.json"), [
        `Warning Accounts: 4, after 10 before: acc.json. ${ending}`,
        `Warning Accounts: 1, after 4 before: acc.json. ${ending}`
      ])
      assert.deepStrictEqual(yield* said([0, 0, 10, 5, 3, undefined, 2, 1], "acc.json"), [])
    }))
})
