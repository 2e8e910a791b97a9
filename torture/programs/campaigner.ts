/**
 * Runs a campaign, once, in a process that can be killed, suspended and run twice. `BASE_URL` is the service, `DATABASE` where the
 * campaign is kept, `CLOCK` a file that sets the wall clock, `OPTIONS` those of the run. With a `RESTRICTED` API key, which may send
 * and nothing else, the audience is read with another one. It prints a line for each request that sends, and how the run ended.
 * With a `PLANT`, something else than the campaign does the sending, or something is wrong with it.
 */
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { Campaign } from "@mailstream/campaign"
import { RetryPolicy } from "@mailstream/http"
import * as Transport from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Cause, Effect, Exit, Layer, Option, Predicate, Redacted, Stream } from "effect"
import { writeSync } from "node:fs"
import * as Audience from "../experiments/campaign/audience.ts"
import * as Database from "../experiments/campaign/database.ts"
import * as Plants from "../experiments/campaign/plants.ts"
import { services } from "../support/clients.ts"
import * as Clock from "../support/clock.ts"

const { BASE_URL = "", CLOCK = "", DATABASE = "", HASTY = "", OPTIONS = "{}", PLANT = "", RESTRICTED = "" } =
  process.env

const options: Campaign.RunOptions = JSON.parse(OPTIONS)

const print = (line: string): void => void writeSync(1, `${line}\n`)

const refusal: Transport.Response = {
  status: 422,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ statusCode: 422, name: "validation_error", message: "One of these emails is poisonous." })
}

/** Refuses what is poisonous, as a service does that looks at the content of a batch before anything else. */
const Refusing = Layer.effect(
  Transport.Transport,
  Effect.gen(function*() {
    const transport = yield* Transport.Transport
    const sql = yield* SqlClient.SqlClient
    const send = PLANT === "late" ? Plants.late(transport.send, sql) : transport.send
    return {
      ...transport,
      send: (request: Transport.Request) =>
        Effect.suspend(() => {
          if (request.method !== "POST") return transport.send(request)
          print("request")
          return request.body?.includes(`"${Audience.poison}"`) === true ? Effect.succeed(refusal) : send(request)
        })
    }
  })
).pipe(Layer.provide(UndiciTransport.layer))

/** Longer than it takes to start a server. */
const stubborn = RetryPolicy.make({ times: 500, base: "10 millis", cap: "200 millis" })
const hasty = RetryPolicy.make({ times: 2, base: "10 millis", cap: "100 millis" })

const client = { rateLimit: false, timeout: "1 second" } as const

const reader = services(BASE_URL, client)

const campaign = Campaign.make(Database.name, {
  audience: (from) =>
    Stream.provideSomeLayer(
      contacts.pages({ from, filter: { segment_id: Audience.segment.id }, retry: stubborn, pageSize: 50 }),
      reader
    ),
  message: Audience.message
})

const run = Effect.gen(function*() {
  if (PLANT === "index" || PLANT === "hash") {
    return yield* Plants.loop(PLANT, { batch: options.batchSize ?? 100, retry: stubborn })
  }
  yield* Campaign.run(campaign, { ...options, retry: HASTY === "1" ? hasty : stubborn })
})

const endOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "Success"
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (!Predicate.hasProperty(error, "_tag")) return `Defect: ${Cause.pretty(exit.cause)}`
  if (error._tag === "SqlError" || error._tag === "MigrationError") return `${error._tag}: ${Cause.pretty(exit.cause)}`
  return Predicate.hasProperty(error, "reason") ? `${error._tag} ${error.reason}` : String(error._tag)
}

Effect.sync(() => print("ready")).pipe(
  Effect.zipRight(run),
  Effect.provide(
    Layer.provideMerge(
      Layer.unwrapEffect(Effect.map(SqlClient.SqlClient, (sql) =>
        services(
          BASE_URL,
          RESTRICTED === "" ? client : { ...client, apiKey: Redacted.make(RESTRICTED) },
          Layer.provide(Refusing, Layer.succeed(SqlClient.SqlClient, sql))
        ))),
      Database.layer(DATABASE)
    )
  ),
  Effect.exit,
  Effect.tap((exit) =>
    Effect.sync((): void => {
      print(`ended ${endOf(exit)}`)
      process.exit()
    })
  ),
  Clock.withFile(CLOCK),
  NodeRuntime.runMain
)
