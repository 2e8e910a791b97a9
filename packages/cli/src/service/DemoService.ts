import { SampleData, Server, Store, type StoreError } from "@mailstream/server"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Service } from "../commands/Demo.ts"
import { faultsOf } from "./Service.ts"

const total = 10_000

/** A service on a free port, with sample data, that gives its clients something to do. */
export const embedded: Effect.Effect<Service, StoreError, Scope.Scope> = Effect.gen(function*() {
  const services = yield* Layer.build(
    Server.layerTest({ faults: faultsOf({ faults: 0.05, latency: Duration.millis(40), seed: 7 }) })
  )
  const { apiKey, baseUrl } = Context.get(services, Server.TestServer)
  yield* Effect.provideService(
    SampleData.insert({ contacts: total, segments: 3, seed: 7 }),
    Store,
    Context.get(services, Store)
  )
  return {
    baseUrl,
    apiKey,
    total,
    about: ["started for this, with sample data;", "slow on purpose, and 1 request in 20 fails"]
  }
})
