/**
 * The service that `mailstream demo` streams from.
 *
 * @since 1.0.0
 */
import * as SampleData from "@mailstream/server/SampleData"
import * as Server from "@mailstream/server/Server"
import { Store, type StoreError } from "@mailstream/server/Store"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as FaultMix from "./FaultMix.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface DemoService {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** Lines that describe it to the user. */
  readonly about: ReadonlyArray<string>
  /** The number of contacts, if known. */
  readonly total?: number | undefined
}

const total = 10_000

/**
 * A service on a free port, with sample data, slow and faulty on purpose.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make: Effect.Effect<DemoService, StoreError, Scope.Scope> = Effect.gen(function*() {
  const services = yield* Layer.build(
    Server.layerTest({ faults: FaultMix.make({ faults: 0.05, latency: Duration.millis(40), seed: 7 }) })
  )
  const { apiKey, baseUrl } = Context.get(services, Server.TestServer)
  yield* Effect.provideService(
    SampleData.insert({ contacts: total, segments: 3, seed: 7 }),
    Store,
    Context.get(services, Store)
  ).pipe(Effect.catchTag("InvalidOption", Effect.die))
  return {
    baseUrl,
    apiKey,
    total,
    about: ["started for this demo, with sample data;", "slow on purpose, and 1 request in 20 fails"]
  }
})
