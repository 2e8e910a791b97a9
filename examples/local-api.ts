/**
 * A local API with sample data and a new contact every second. Stop it with Ctrl-C.
 *
 * node examples/local-api.ts
 */
import { NodeRuntime } from "@effect/platform-node"
import { Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Console, Effect, Redacted, Schedule } from "effect"

const program = Effect.gen(function*() {
  const store = yield* Store
  const { apiKey, baseUrl } = yield* Server.TestServer
  yield* SampleData.insert({ segments: 3, contacts: 1000 })
  yield* Console.log(`export MAILSTREAM_BASE_URL=${baseUrl} MAILSTREAM_API_KEY=${Redacted.value(apiKey)}`)

  let number = 1000
  yield* Effect.repeat(
    Effect.suspend(() => store.insert(Resource.contacts, [SampleData.contact(number++)])),
    Schedule.spaced("1 second")
  )
})

NodeRuntime.runMain(Effect.provide(program, Server.layerTest()))
