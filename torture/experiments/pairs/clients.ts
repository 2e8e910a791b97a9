/** Two clients with one key under one rate limit, and two walkers on one client. */
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, RetryPolicy } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"
import * as Experiment from "../../Experiment.ts"
import * as Clients from "../../support/clients.ts"
import * as Mark from "../../support/mark.ts"
import * as Pair from "./Pair.ts"

const walk = contacts.items({ retry: RetryPolicy.patient })

/** The same items, in another way. */
const ahead = contacts.pages({ retry: RetryPolicy.patient, prefetch: 2, pageSize: 50 }).pipe(
  Stream.mapConcat((page) => page.data)
)

const limited = (size: Pair.Size) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* Server.TestServer
    yield* SampleData.insert({ contacts: size.contacts })
    const verdicts = yield* Effect.forEach(["first", "second"], (name) =>
      Pair.verdict(name, walk, Pair.expected(size)).pipe(
        // Neither knows of the other: only the server tells them to wait.
        Effect.provide(Layer.fresh(Clients.services(baseUrl)))
      ), { concurrency: 2 })
    return Experiment.none("two clients under one rate limit: wrong walks", verdicts.flat(), "2 walks")
  }).pipe(Effect.provide(Server.layerTest({ apiKey: Mark.apiKey, rateLimit: { requests: 10, per: "200 millis" } })))

const shared = (size: Pair.Size) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* Server.TestServer
    yield* SampleData.insert({ contacts: size.contacts })
    const verdicts = yield* Effect.all(
      [Pair.verdict("items", walk, Pair.expected(size)), Pair.verdict("pages", ahead, Pair.expected(size))],
      { concurrency: 2 }
    ).pipe(Effect.provide(Clients.services(baseUrl)))
    return Experiment.none("two walkers on one client: wrong walks", verdicts.flat(), "2 walks")
  }).pipe(Effect.provide(Server.layerTest({ apiKey: Mark.apiKey })))

export const clients: Pair.Pair = (size) => Effect.all([limited(size), shared(size)])
