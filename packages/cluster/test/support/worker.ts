/** A worker as a process: everything about it comes from its environment, and all its logs and spans go to standard error. */
import { NodeFileSystem, NodeRuntime } from "@effect/platform-node"
import { Accounts, AccountsTable, Database, Health, Worker } from "@mailstream/cluster"
import { Transport } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Recorder from "@mailstream/testing/Recorder"
import { Config, Effect, Layer, Redacted } from "effect"

const { ACCOUNTS = "", DATABASE = "", HEALTH = "0", OPTIONS = "{}" } = process.env

const options: Worker.Options = JSON.parse(OPTIONS)

/** Tells the service which worker asks. */
const SignedTransport = Layer.effect(
  Transport.Transport,
  Effect.map(Transport.Transport, ({ open, send }): typeof Transport.Transport.Service => {
    const sign = (request: Transport.Request): Transport.Request => ({
      ...request,
      headers: { ...request.headers, "x-worker": String(options.name) }
    })
    return { open: (request) => open(sign(request)), send: (request) => send(sign(request)) }
  })
).pipe(Layer.provide(UndiciTransport.layer))

const AccountsLive = ACCOUNTS === ""
  ? AccountsTable.layerConfig({ prefix: Config.succeed(options.prefix) })
  : Layer.provide(Accounts.layerFile(ACCOUNTS), NodeFileSystem.layer)

const Started = Layer.effectDiscard(
  Effect.map(Worker.Worker, ({ name }) => console.log(`started ${name}`))
)

Started.pipe(
  Layer.provide(Health.layer({ port: Number(HEALTH) }, Worker.layer(options))),
  Layer.provide([AccountsLive, SignedTransport]),
  Layer.provide(Database.layer({ url: Redacted.make(DATABASE) })),
  Layer.provide(Recorder.layerStderr),
  Layer.launch,
  NodeRuntime.runMain
)
