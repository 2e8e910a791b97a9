/** A server to measure, in a separate process: `STORE` names its store, `SIZE` the number of contacts. */
import { NodeRuntime } from "@effect/platform-node"
import { Server, SqlStore, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import type { Layer } from "effect"
import { Effect, Redacted } from "effect"
import { createServer } from "node:http"
import { type AddressInfo } from "node:net"
import * as Sample from "./sample.ts"
import { key } from "./setting.ts"

const size = Number(process.env["SIZE"])
const target = process.env["TARGET"] ?? ""

const told = (port: number) => Effect.async<void>((resume) => void process.send?.(port, () => resume(Effect.void)))

/** A prepared string of the size of a page. */
const bare = Effect.async<never>(() => {
  const body = Sample.page(100, 1_000_000)
  const server = createServer({ keepAliveTimeout: 60_000 }, (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
  })
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
})

const serviceOn = <E>(store: Layer.Layer<Store, E>) =>
  Effect.gen(function*() {
    yield* SampleData.insert({ contacts: size })
    const { port } = yield* Server.make({ apiKeys: [Redacted.make(key)] })
    yield* told(port)
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(store))

const programs = {
  bare,
  memory: serviceOn(Store.layerMemory),
  SQLite: serviceOn(SqlStore.layerSqlite({ filename: target })),
  PostgreSQL: serviceOn(SqlStore.layerPostgres({ url: Redacted.make(target) }))
}

process.on("disconnect", () => process.exit())
NodeRuntime.runMain(programs[process.env["STORE"] as keyof typeof programs])
