/**
 * A server in a separate process, which can be killed: `serve.ts <key> sqlite <file>`, or `… postgres <url>`. Prints its
 * base URL.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Server, SqlStore } from "@mailstream/server"
import { Console, Effect, Layer, Redacted } from "effect"

const [key = "", kind, target = ""] = process.argv.slice(2)

const store = kind === "sqlite"
  ? SqlStore.layerSqlite({ filename: target })
  : SqlStore.layerPostgres({ url: Redacted.make(target) })

const hello = Layer.effectDiscard(Effect.flatMap(Server.Address, ({ baseUrl }) => Console.log(baseUrl)))

hello.pipe(
  Layer.provide(Server.layer({ apiKeys: [Redacted.make(key)] })),
  Layer.provide(store),
  Layer.launch,
  NodeRuntime.runMain
)
