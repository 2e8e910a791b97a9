import { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import { AccountsError } from "@mailstream/cluster/ClusterError"
import { InvalidApiKey } from "@mailstream/core"
import type { Mirror } from "@mailstream/mirror"
import { TooManyDeletions } from "@mailstream/mirror/MirrorError"
import { Duration, Either, FastCheck as fc } from "effect"
import * as Turn from "../src/internal/turn.ts"

const options: Turn.Backoff = {
  minBackoff: Duration.seconds(2),
  maxBackoff: Duration.minutes(1)
}

const random = fc.double({ min: 0, max: 1, noNaN: true })

/** Texts with everything that a service may say. */
const text = fc.string({ unit: "binary", maxLength: 1000 })

const turns = fc.array(fc.record({ id: fc.constantFrom("a", "b", "1 a"), turn: fc.nat(3) }))

/** How long a turn that failed waits, in milliseconds. */
const retryIn = (attempts: number, random: number, settings: Turn.Backoff = options): number => {
  const { outcome } = Turn.decide(Turn.failed("refused"), attempts, random, settings)
  assert(outcome._tag === "Failed")
  return Duration.toMillis(outcome.retryIn)
}

describe("a turn that failed", () => {
  it("is tried again after at least half of a time that doubles, up to the longest", () =>
    fc.assert(fc.property(fc.nat(2000), random, (attempts, random) => {
      const longest = Math.min(2000 * 2 ** attempts, 60_000)
      const waits = retryIn(attempts, random)
      assert.isAtLeast(waits, longest / 2)
      assert.isAtMost(waits, longest)
    })))

  it("waits longer after every failure, whatever the dice say", () => {
    // The longest wait of an attempt is the shortest of the next one.
    for (let attempts = 0; attempts < 4; attempts++) {
      assert.strictEqual(retryIn(attempts, 1), retryIn(attempts + 1, 0))
    }
    assert.deepStrictEqual([retryIn(0, 0), retryIn(0, 1), retryIn(1, 0.5)], [1000, 2000, 3000])
  })

  it("is worth a warning from the second time on", () => {
    const log = (attempts: number) => Turn.decide(Turn.failed("refused."), attempts, 1, options).log
    assert.deepStrictEqual(log(0), { level: "Info", text: "refused. Next attempt in 2s." })
    assert.strictEqual(Turn.decide(Turn.failed("refused"), 0, 1, options).log?.text, "refused. Next attempt in 2s.")
    assert.deepStrictEqual(log(1), { level: "Warning", text: "refused. Next attempt in 4s." })
  })

  it("has not failed if the database was not available, which is said once for all: its pass continues in seconds", () => {
    const unavailable = new SqlError({ cause: new Error("Connection terminated"), message: "Failed" })
    const refused = new InvalidApiKey({ statusCode: 403, message: "refused" })
    const ended = (...errors: ReadonlyArray<Mirror.SyncError>) =>
      Turn.decide(
        Turn.fromReports(errors.map((error) => ({ account: "a", list: "contacts", result: Either.left(error) }))),
        5,
        1,
        options
      )
    const { log, outcome } = ended(unavailable, unavailable)
    assert(outcome._tag === "CutOff")
    assert.deepStrictEqual([log?.level, Duration.toMillis(outcome.retryIn)], ["Debug", 3000])
    assert.strictEqual(ended(unavailable, refused).outcome._tag, "Failed")
    assert.strictEqual(ended(unavailable, refused).log?.level, "Warning")
  })

  it("has an error that every database and terminal can take", () =>
    fc.assert(fc.property(text, (error) => {
      const ended = Turn.failed(error)
      assert(ended._tag === "Failed")
      assert.notMatch(ended.error, /\p{Cc}/u)
      assert.isAtMost(ended.error.length, 500)
      assert.isAtLeast(ended.error.length, Math.min(499, error.length))
      // Half a surrogate pair.
      assert.notMatch(ended.error, /\p{Cs}/u)
    })))
})

describe("a turn that ended otherwise", () => {
  it("is recorded without a log", () =>
    fc.assert(fc.property(fc.nat(100), random, (attempts, random) => {
      const decide = (ended: Turn.Ended) => Turn.decide(ended, attempts, random, options)
      const done = { _tag: "Done", counts: { created: 1, updated: 2, deleted: 3 } } as const
      for (const outcome of [done, { _tag: "Yielded" }, { _tag: "Stopped" }] as const) {
        assert.deepStrictEqual(decide(outcome), { outcome, log: undefined })
      }
    })))
})

describe("the reports of a pass", () => {
  const counts: Mirror.Counts = { created: 1, updated: 2, deleted: 3, unchanged: 4 }
  const refused = Either.left(new InvalidApiKey({ statusCode: 403, message: "API key is invalid" } as never))
  const broken = Either.left(
    new SqlError({ message: "Failed", cause: { message: "Failed", cause: new Error("no space") } })
  )

  it("is cut off if its account cannot be read at the moment, and has failed if it never can", () => {
    const fields = { source: "cluster_keys", description: "cannot be read" }
    assert.deepStrictEqual(Turn.fromError(new AccountsError(fields)), Turn.failed("cluster_keys: cannot be read"))
    assert.deepStrictEqual(Turn.fromError(new AccountsError({ ...fields, isTransient: true })), {
      _tag: "CutOff",
      error: "cluster_keys: cannot be read"
    })
    const lost = new SqlError({ cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }), message: "failed" })
    assert.strictEqual(Turn.fromError(lost)._tag, "CutOff")
  })

  it("are done if no list failed", () => {
    const none = { created: 0, updated: 0, deleted: 0 }
    assert.deepStrictEqual(Turn.fromReports([]), { _tag: "Done", counts: none })
    const reports = (["topics", "contacts"] as const).map((list) => ({ list, result: Either.right(counts) }))
    assert.deepStrictEqual(Turn.fromReports(reports), { _tag: "Done", counts: { created: 2, updated: 4, deleted: 6 } })
  })

  it("name a reason once for all lists that it concerns", () => {
    const ended = Turn.fromReports([
      { list: "contacts", result: refused },
      { list: "domains", result: Either.right(counts) },
      { list: "segments", result: broken },
      { list: "topics", result: refused }
    ])
    assert(ended._tag === "Failed")
    assert.match(ended.error, /^contacts, topics: .*API key is invalid.* segments: the database failed: no space$/)
  })
})

describe("a pass that would delete too much", () => {
  const refusing = (account: string, missing = 9) =>
    (["contacts", "topics"] as const).map((list) => ({
      account,
      list,
      result: Either.left(new TooManyDeletions({ account, list, missing, known: missing, maxDeleted: 0.5 }))
    }))
  const errorOf = (account: string, prefix?: string) => {
    const ended = Turn.fromReports(refusing(account), prefix)
    assert(ended._tag === "Failed")
    return ended.error
  }

  it("says which command allows it, as a shell reads it", () => {
    const end = (error: string) => error.slice(error.indexOf(" (To let one pass delete them: "))
    const command = (args: string) => ` (To let one pass delete them: mailstream cluster accounts sync ${args})`
    assert.match(errorOf("acme"), /^contacts: The service no longer lists 9 of the 9 contacts/)
    assert.strictEqual(end(errorOf("acme")), command("--id acme --max-deleted 1"))
    assert.strictEqual(end(errorOf("acme", "eu_")), command("--id acme --max-deleted 1 --prefix eu_"))
    assert.strictEqual(end(errorOf("acme & sons")), command("--id 'acme & sons' --max-deleted 1"))
    assert.strictEqual(end(errorOf("o'hara; $(x)")), command("--id 'o'\\''hara; $(x)' --max-deleted 1"))
    assert.strictEqual(end(errorOf("--id")), command("--id=--id --max-deleted 1"))
    const { log } = Turn.decide(Turn.fromReports(refusing("acme")), 0, 1, options)
    assert.match(log?.text ?? "", / --id acme --max-deleted 1\)\. Next attempt in 2s\.$/)
  })

  it("has an error that every database can take, whatever the id", () =>
    fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), (account) => {
      assert.isAtMost(errorOf(account).length, 500)
    })))

  it("says nothing about it otherwise", () => {
    assert.notInclude(JSON.stringify(Turn.failed("refused")), "mailstream")
  })
})

describe("turns without others", () => {
  it("are those that are not among them, by account and number", () =>
    fc.assert(fc.property(turns, turns, (some, others) => {
      const left = Turn.without(some, others)
      const isAmong = (turn: Turn.Turn, all: ReadonlyArray<Turn.Turn>) =>
        all.some(({ id, turn: number }) => id === turn.id && number === turn.turn)
      assert.deepStrictEqual(left, some.filter((turn) => !isAmong(turn, others)))
    })))
})
