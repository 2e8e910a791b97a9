/** What a service is given to try it with: sample data, and faults for a share of the requests. */
import type { Faults } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Server from "@mailstream/server/Server"
import { Store, type StoreError } from "@mailstream/server/Store"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Counts } from "./Flags.ts"

/** A store whose accounts are filled when they are first used. */
export const layerLazy = (counts: Counts, seed: number): Layer.Layer<Store, never, Store> =>
  // The flags have checked the counts and the seed.
  Layer.orDie(SampleData.layerLazy({ ...Record.map(SampleData.samples, ({ name }) => counts[name]), seed }))

/** Fills the lists that are empty, and returns the names of those that are not. */
export const emptyLists = (
  counts: Counts,
  seed: number
): Effect.Effect<ReadonlyArray<string>, StoreError, Store> =>
  Effect.gen(function*() {
    const store = yield* Store
    const wanted = Object.values(SampleData.samples).map(({ name }) => name).filter((name) => (counts[name] ?? 0) > 0)
    const used = yield* Effect.filter(wanted, (name) =>
      store.page({ name }, { limit: 1 }).pipe(
        Effect.map(({ items }) => items.length > 0),
        Effect.catchTag("not_found", () => Effect.succeed(false))
      ))
    const left = Record.filter(SampleData.samples, ({ name }) => wanted.includes(name) && !used.includes(name))
    // Another server that starts at the same time may be faster: then the list is left to it.
    const taken = yield* Effect.forEach(Record.values(left), ({ fill, name }) =>
      fill(counts[name] ?? 0, {
        store,
        seed,
        counts: Record.map(left, ({ name }) => counts[name])
      }).pipe(
        Effect.as([]),
        Effect.catchIf(({ reason }) => reason === "Duplicate", () => Effect.succeed([name]))
      ))
    return [...used, ...taken.flat()]
  })

/** All kinds of faults, equally likely, for a share of the requests. `latency` is the longest delay of a response. */
export const faults = (
  { faults, latency, seed }: { readonly faults: number; readonly latency: Duration.Duration; readonly seed: number }
): Faults.Options => {
  const kinds = 6
  const rate = 1 - (1 - faults) ** (1 / kinds)
  return {
    seed,
    latency: Duration.greaterThan(latency, Duration.zero) ? { rate: 1, delay: latency } : undefined,
    rateLimit: { rate },
    serverError: { rate },
    html: { rate },
    reset: { rate },
    truncate: { rate },
    malform: { rate }
  }
}

/** The service that `mailstream demo` streams from. */
export interface DemoService {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** Lines that describe it to the user. */
  readonly about: ReadonlyArray<string>
  /** The number of contacts, if known. */
  readonly total?: number | undefined
}

/** A service on a free port, with sample data, slow and faulty on purpose. */
export const demo: Effect.Effect<DemoService, StoreError, Scope.Scope> = Effect.gen(function*() {
  const total = 10_000
  const services = yield* Layer.build(
    Server.layerTest({ faults: faults({ faults: 0.05, latency: Duration.millis(40), seed: 7 }) })
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
