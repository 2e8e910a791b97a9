/**
 * A server in a separate process, which can be killed. `KEY` is its API key, `STORE` and `TARGET` say where it keeps
 * its objects, `PORT` where it listens, `LATENCY` how many milliseconds a response takes at most, `FAULTS` which faults
 * it has, `PLANT` what is wrong with its store, `QUOTA` how many emails it accepts in a day, `CLOCK` a file that sets its wall clock,
 * and `LOUD` whether it writes all its logs and spans.
 */
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Resource } from "@mailstream/core"
import { type Faults, Server, SqlStore, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import type { StoreService } from "@mailstream/server/Store"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { Dice } from "@mailstream/testing/Dice"
import * as Recorder from "@mailstream/testing/Recorder"
import { Effect, identity, Layer, Option, Queue, Record, Redacted, Schema } from "effect"
import * as Audience from "../experiments/campaign/audience.ts"
import * as Mutations from "../experiments/mirror/mutations.ts"
import * as Clock from "../support/clock.ts"
import { plants } from "../support/plants.ts"
import * as Protocol from "../support/protocol.ts"

const {
  CLOCK = "",
  FAULTS = "{}",
  KEY = "",
  LATENCY = "0",
  LOUD = "0",
  PLANT = "",
  PORT = "0",
  QUOTA = "",
  STORE = "memory",
  TARGET = ""
} = process.env

/** What can be mutated in ways that the store itself does not have. */
const databases: Record<string, Layer.Layer<SqlClient.SqlClient, unknown>> = {
  SQLite: Sqlite.layer({ filename: TARGET }),
  PostgreSQL: PgClient.layer({ url: Redacted.make(TARGET), connectTimeout: "1 minute" })
}

const stores: Record<string, Layer.Layer<Store, unknown>> = {
  memory: Store.layerMemory,
  ...Record.map(databases, (database) => Layer.provideMerge(SqlStore.layer, database))
}

const look = (): Protocol.Look => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length
  return { heap: heapUsed / 1e6, rss: rss / 1e6, sockets }
}

const tell = (message: object) =>
  Effect.async<void>((resume) => void process.send?.(message, () => resume(Effect.void)))

const carryOut = (command: Protocol.Command) =>
  Effect.gen(function*() {
    const store = yield* Store
    switch (command._tag) {
      case "Look":
        return
      case "Fill":
        return yield* SampleData.insert(command)
      case "Insert":
        return yield* store.insert(Resource.contacts, command.numbers.map((number) => SampleData.contact(number)))
      case "Delete":
        return yield* store.delete(Resource.contacts, command.numbers.map((number) => SampleData.contact(number).id))
      case "Enroll":
        return yield* Audience.enroll(command.contacts)
      case "Stir":
        return yield* Audience.stir(new Dice(command.seed, command.fresh), command)
      case "Mutate": {
        const sql = yield* Effect.serviceOption(SqlClient.SqlClient)
        return yield* Option.match(sql, {
          onNone: () => Effect.dieMessage("only a store in a database can be mutated"),
          onSome: (sql) =>
            Effect.provideService(
              Mutations.run(new Dice(command.seed, command.fresh), command, command),
              SqlClient.SqlClient,
              sql
            )
        })
      }
    }
  })

const faults: Faults.Options = {
  ...(Number(LATENCY) === 0 ? {} : { latency: { rate: 1, delay: Number(LATENCY) } }),
  ...JSON.parse(FAULTS)
}

const plant: (store: StoreService) => StoreService = Object.entries(plants).find(([name]) => name === PLANT)?.[1] ??
  identity

const program = Effect.gen(function*() {
  const commands = yield* Queue.unbounded<unknown>()
  process.on("message", (message) => commands.unsafeOffer(message))
  const { baseUrl } = yield* Server.make({
    apiKeys: [Redacted.make(KEY)],
    port: Number(PORT),
    faults,
    quota: { daily: QUOTA === "" ? undefined : Number(QUOTA) },
    // An experiment compares all of them.
    events: { maxCount: 1_000_000 }
  }).pipe(Effect.updateService(Store, plant))
  yield* tell({ baseUrl })
  return yield* Effect.forever(Effect.gen(function*() {
    const { command, id } = yield* Schema.decodeUnknown(Protocol.Request)(yield* Queue.take(commands))
    yield* carryOut(command)
    yield* tell({ id, look: look() })
  }))
})

process.on("disconnect", () => process.exit())
NodeRuntime.runMain(
  program.pipe(
    Effect.scoped,
    Clock.withFile(CLOCK),
    Effect.provide(Layer.provideMerge(
      stores[STORE] ?? Layer.die(`no store ${STORE}`),
      LOUD === "1" ? Recorder.layerStderr : Layer.empty
    ))
  )
)
