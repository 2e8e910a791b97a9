import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Port from "@mailstream/testing/Port"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const server = Layer.effectDiscard(SampleData.insert({ contacts: 250 })).pipe(
  Layer.provideMerge(Server.layerTest()),
  Layer.provideMerge(NodeContext.layer),
  Layer.orDie
)

describe("examples", () => {
  it.scopedLive("many-machines", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const url = yield* Postgres.createDatabase(Provided.postgres())
      const cwd = yield* Temporary.directory
      const account = { id: "acme", apiKey: Redacted.value(apiKey), baseUrl }
      writeFileSync(join(cwd, "accounts.json"), JSON.stringify([account]))
      const [health] = yield* Effect.promise(() => Port.free(1))
      const worker = yield* Process.start([Provided.program("many-machines")], {
        cwd,
        env: {
          DATABASE_URL: Redacted.value(url),
          HEALTH_PORT: String(health)
        }
      })
      // The table is not there before the worker is.
      const count = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ count: number }>`SELECT count(*)::int AS count FROM current_contacts WHERE account = 'acme'`
      ).pipe(Effect.map(([row]) => row?.count), Effect.orElseSucceed(() => undefined))
      yield* count.pipe(
        Effect.delay("200 millis"),
        Effect.repeat({ until: (found) => found === 250 }),
        Effect.timeout("60 seconds"),
        Effect.provide(PgClient.layer({ url }))
      )
      yield* worker.kill("SIGTERM")
      const { stderr, stdout } = yield* worker.finished
      assert.notInclude(stdout + stderr, Redacted.value(apiKey))
    }).pipe(Effect.provide(server)), 120_000)
})
