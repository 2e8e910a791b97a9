/**
 * Counts bounces as the service reports them. An event is acknowledged after its count is committed, together with the id of its
 * message: whatever is killed, and whenever, every bounce is counted once.
 *
 * WEBHOOK_SECRET=whsec_… PORT=3000 node examples/receive-events.ts
 */
import { HttpRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import type { WebhookEventOf } from "@mailstream/core"
import { Sqlite } from "@mailstream/sql"
import { Deduplication, WebhookHandler } from "@mailstream/webhook"
import { Config, Console, Effect, Layer } from "effect"
import { createServer } from "node:http"

const create = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS handled (message TEXT PRIMARY KEY)`
  yield* sql`CREATE TABLE IF NOT EXISTS bounces (address TEXT PRIMARY KEY, count INTEGER)`
})

const count = Effect.fn(function*(event: WebhookEventOf<"email.bounced">, message: string) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* sql`INSERT INTO handled VALUES (${message}) ON CONFLICT DO NOTHING RETURNING message`
  if (before.length === 0) return yield* Console.log(`${message} was counted before`)
  for (const address of event.data.to ?? []) {
    const [bounces] = yield* sql<{ readonly count: number }>`
      INSERT INTO bounces VALUES (${address}, 1)
      ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count`
    yield* Console.log(`${address}: ${bounces?.count}`)
  }
}, (effect) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(effect)))

const ServerLive = Layer.unwrapEffect(Effect.gen(function*() {
  yield* create
  const app = yield* WebhookHandler.toHttpApp(
    (event, { id }) => event._tag === "email.bounced" ? count(event, id) : Console.log(`${event.type} does not matter`),
    { secret: yield* Config.redacted("WEBHOOK_SECRET") }
  )
  const router = HttpRouter.empty.pipe(HttpRouter.all("/webhook", app))
  return HttpServer.serve(router).pipe(HttpServer.withLogAddress)
})).pipe(
  Layer.provide(Deduplication.layerMemory()),
  Layer.provide(Sqlite.layer({ filename: "bounces.db" })),
  Layer.provide(NodeHttpServer.layerConfig(createServer, {
    port: Config.integer("PORT").pipe(Config.withDefault(3000)),
    host: Config.succeed("127.0.0.1")
  }))
)

NodeRuntime.runMain(Layer.launch(ServerLive))
