/**
 * A worker of a cluster, which can be killed: everything about it is in its environment. It tells the service who it is with
 * every request. Its wall clock is `SKEW` milliseconds off, and after SIGUSR2 that much to the other side.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Accounts, Database, Worker } from "@mailstream/cluster"
import { Transport } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Recorder from "@mailstream/testing/Recorder"
import { Clock, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import * as Protocol from "../experiments/cluster/protocol.ts"

const { ACCOUNTS = "1", DATABASE = "", KEY = "", LOUD = "0", NAME = "", OPTIONS = "{}", SKEW = "0" } = process.env

const options: Worker.Options = JSON.parse(OPTIONS)

const SignedTransport = Layer.effect(
  Transport.Transport,
  Effect.map(Transport.Transport, ({ open, send }): typeof Transport.Transport.Service => {
    const sign = (request: Transport.Request): Transport.Request => ({
      ...request,
      headers: { ...request.headers, "user-agent": NAME }
    })
    return { open: (request) => open(sign(request)), send: (request) => send(sign(request)) }
  })
).pipe(Layer.provide(UndiciTransport.layer))

let skew = Number(SKEW)
process.on("SIGUSR2", () => {
  skew = skew === 0 ? jump : -skew
})

/** How far a clock that is right is set ahead. */
const jump = 25 * 60 * 60 * 1000

const skewed = Effect.map(Effect.clock, (inner): Clock.Clock => {
  const millis = () => inner.unsafeCurrentTimeMillis() + skew
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: () => inner.unsafeCurrentTimeNanos(),
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: inner.currentTimeNanos,
    sleep: (duration) => inner.sleep(duration)
  }
})

const accounts = Array.from({ length: Number(ACCOUNTS) }, (_, index) => ({
  id: Protocol.idOf(index),
  apiKey: Redacted.make(Protocol.keyOf(KEY, index))
}))

Layer.effectDiscard(Effect.sync(() => console.log("ready"))).pipe(
  Layer.provide(Worker.layer(options)),
  Layer.provide([
    Accounts.layerMemory(accounts),
    SignedTransport,
    Database.layer({ url: Redacted.make(DATABASE), maxConnections: (options.maxAccounts ?? 8) + 4 })
  ]),
  Layer.provide(LOUD === "1" ? Recorder.layerStderr : Logger.minimumLogLevel(LogLevel.Error)),
  Layer.launch,
  (program) => Effect.flatMap(skewed, (clock) => Effect.withClock(program, clock)),
  NodeRuntime.runMain
)
