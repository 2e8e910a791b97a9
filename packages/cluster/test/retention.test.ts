/** What workers drop because it is old. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Inside from "./support/inside.ts"
import { type Cluster, make } from "./support/processes.ts"
import { until } from "./support/waiting.ts"

const kept = ({ sql }: Cluster) =>
  Effect.map(
    sql<{ readonly deleted: number; readonly changes: number; readonly rows: number }>`SELECT
      (SELECT count(*)::int FROM contacts WHERE deleted_at IS NOT NULL) AS deleted,
      (SELECT count(*)::int FROM mirror_changes) AS changes,
      (SELECT count(*)::int FROM contacts WHERE deleted_at IS NULL) AS rows`,
    ([row]) => row ?? { deleted: 0, changes: 0, rows: 0 }
  )

describe("a worker", () => {
  it.scopedLive(
    "drops rows of items that are gone, and changes, when they are old enough",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const acme = cluster.service.add("acme")
        yield* cluster.writeAccounts
        yield* Inside.start(cluster, { every: "1 second", keepDeleted: "2 seconds", keepChanges: "2 seconds" })
        yield* until("it is copied", Effect.orElseSucceed(kept(cluster), () => undefined), (now) => now?.rows === 20)
        acme.contacts = acme.contacts.slice(0, 15)
        yield* until("some are gone", kept(cluster), ({ deleted }) => deleted === 5)
        const { changes } = yield* until(
          "they are dropped",
          kept(cluster),
          ({ changes, deleted }) => deleted === 0 && changes === 0
        )
        assert.strictEqual(changes, 0)
        assert.strictEqual((yield* kept(cluster)).rows, 15)
      }),
    60_000
  )

  it.scopedLive("drops what is old of an account whose key is refused, too", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const acme = cluster.service.add("acme")
      yield* cluster.writeAccounts
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Inside.start(cluster, { every: "1 second" })
        yield* until("it is copied", Effect.orElseSucceed(kept(cluster), () => undefined), (now) => now?.rows === 20)
        acme.contacts = acme.contacts.slice(0, 15)
        yield* until("some are gone", kept(cluster), ({ deleted }) => deleted === 5)
        // A pass of each list has begun, and is never completed.
        acme.isRefused = true
        const refused = cluster.sql`SELECT list FROM mirror_lists WHERE error IS NOT NULL AND pass IS NOT NULL`
        yield* until("its passes are refused", refused, ({ length }) => length > 0)
      }))
      const period = "1 second"
      yield* Inside.start(cluster, { every: period, minBackoff: period, keepDeleted: period, keepChanges: period })
      yield* until("what is old is dropped", kept(cluster), ({ changes, deleted }) => changes === 0 && deleted === 0)
      assert.strictEqual((yield* kept(cluster)).rows, 15)
    }), 60_000)

  it.scopedLive("keeps everything unless it is told otherwise", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const acme = cluster.service.add("acme")
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { every: "1 second" })
      yield* until("it is copied", Effect.orElseSucceed(kept(cluster), () => undefined), (now) => now?.rows === 20)
      acme.contacts = acme.contacts.slice(0, 15)
      yield* until("some are gone", kept(cluster), ({ deleted }) => deleted === 5)
      const { length } = cluster.service.exchanges
      yield* until(
        "it is copied again",
        Effect.sync(() => cluster.service.exchanges.length),
        (now) => now >= length + 6
      )
      assert.deepStrictEqual(yield* kept(cluster), { deleted: 5, changes: 25, rows: 15 })
    }), 60_000)
})
