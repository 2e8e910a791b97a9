/**
 * Keeps copies of many accounts of the service at `BASE_URL` in PostgreSQL, at `DATABASE`, in a process of its own: as a mirror on
 * one machine, or as the worker of a cluster with this `NAME`. The accounts are numbered, and there are `ACCOUNTS` of them.
 * `LISTS` are copied, by a worker every `EVERY` seconds.
 * Reports what it takes, and what it has cost since it began, whenever it is asked, and as a mirror also when it has finished.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Accounts, Database, Worker } from "@mailstream/cluster"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Mirror } from "@mailstream/mirror"
import { Duration, Effect, Layer, Logger, LogLevel, Redacted, Tracer } from "effect"
import { key } from "./setting.ts"

const { ACCOUNTS = "1", BASE_URL = "", DATABASE = "", EVERY = "86400", LISTS = "emails", NAME = "" } = process.env

/** How many accounts are copied at once. */
const atOnce = 8

const lists = Mirror.names.filter((name) => LISTS.split(",").includes(name))

const ids = Array.from({ length: Number(ACCOUNTS) }, (_, index) => `account-${index + 1}`)

let statements = 0

/** Counts statements; otherwise as usual. */
const CountingTracer = Layer.unwrapEffect(
  Effect.map(Effect.tracer, (tracer) =>
    Layer.setTracer(Tracer.make({
      context: (f, fiber) => tracer.context(f, fiber),
      span: (name, ...rest) => {
        if (name === "sql.execute") statements++
        return tracer.span(name, ...rest)
      }
    })))
)

const begin = process.cpuUsage()

const report = (): void => {
  const { system, user } = process.cpuUsage(begin)
  const { heapUsed: heap, rss } = process.memoryUsage()
  process.send?.({ cpu: (system + user) / 1000, statements, rss, heap })
}

process.on("message", report)
process.on("disconnect", () => process.exit())

const apiKey = Redacted.make(key)

const DatabaseLive = Database.layer({ url: Redacted.make(DATABASE), maxConnections: atOnce + 4 })

const mirror = Effect.gen(function*() {
  const mirror = yield* Mirror.Mirror
  yield* Effect.forEach(
    ids,
    (account) =>
      Effect.flatMap(mirror.forAccount(account), (mirror) => mirror.sync({ lists })).pipe(
        // Each account has a key of its own, and so a client of its own.
        Effect.provide(Mailstream.layer({ baseUrl: BASE_URL, apiKey }))
      ),
    { concurrency: atOnce, discard: true }
  )
  report()
  return yield* Effect.never
}).pipe(
  Effect.provide([Layer.provide(Mirror.layer(), DatabaseLive), UndiciTransport.layer])
)

const worker = Layer.launch(
  Worker.layer({ name: NAME, baseUrl: BASE_URL, every: Duration.seconds(Number(EVERY)), lists, maxAccounts: atOnce })
    .pipe(
      Layer.provide([
        Accounts.layerMemory(ids.map((id) => ({ id, apiKey }))),
        UndiciTransport.layer
      ]),
      Layer.provide(DatabaseLive)
    )
)

const program: Effect.Effect<never, unknown> = NAME === "" ? mirror : worker
NodeRuntime.runMain(program.pipe(
  Effect.provide(CountingTracer),
  Logger.withMinimumLogLevel(LogLevel.Error)
))
