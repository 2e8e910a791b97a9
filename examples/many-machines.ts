/**
 * A worker of many: start it on as many machines as you like. It stops with Ctrl-C, and the others take over.
 *
 * DATABASE_URL=postgres://… HEALTH_PORT=8080 node examples/many-machines.ts
 */
import { NodeFileSystem, NodeRuntime } from "@effect/platform-node"
import { Accounts, Database, Health, Worker } from "@mailstream/cluster"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Config, Effect, Layer } from "effect"

const settings = Config.all({
  url: Config.redacted("DATABASE_URL"),
  healthPort: Config.integer("HEALTH_PORT")
})

const WorkerLive = Layer.unwrapEffect(
  Effect.map(
    settings,
    ({ healthPort, url }) =>
      Health.layer({ port: healthPort }, Worker.layer({ every: "1 hour", maxAccounts: 8 })).pipe(
        Layer.provide(Database.layer({ url, maxConnections: 12 }))
      )
  )
)

WorkerLive.pipe(
  Layer.provide(Accounts.layerFile("accounts.json")),
  Layer.provide([NodeFileSystem.layer, UndiciTransport.layer]),
  Layer.launch,
  NodeRuntime.runMain
)
