import { Mailstream, type Transport } from "@mailstream/client"
import { undici } from "@mailstream/client/undici"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { forward } from "@mailstream/testing/HttpServer"
import { Context, Effect, Layer, Redacted, Runtime, type Scope } from "effect"

/** The transports, by name. */
export const transports: Readonly<Record<string, () => Transport | undefined>> = {
  fetch: () => undefined,
  undici: () => undici()
}

export interface Service {
  readonly baseUrl: string
  readonly apiKey: string
  readonly client: Mailstream
  /** The requests so far, as in `GET /contacts?limit=100`. */
  readonly requests: Array<string>
  /** Inserts items that are newer than all others. */
  readonly insert: (counts: SampleData.Options) => Promise<void>
}

/** The service itself on loopback, behind a server that counts requests, with a client. */
export const service = (
  counts: SampleData.Options,
  options: { readonly transport?: Transport | undefined } & Server.TestOptions = {}
): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { transport, ...rest } = options
    const context = yield* Layer.build(Server.layerTest(rest))
    const server = Context.get(context, Server.TestServer)
    const run = Runtime.runPromise(yield* Effect.runtime<never>())
    const insert = (counts: SampleData.Options) => run(Effect.provide(SampleData.insert(counts), context))
    yield* Effect.promise(() => insert(counts))
    const requests: Array<string> = []
    const baseUrl = yield* forward(server.baseUrl, (request) => requests.push(request))
    const apiKey = Redacted.value(server.apiKey)
    const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey, transport }))
    return { baseUrl, apiKey, client, requests, insert }
  })

/** A client that is closed with the scope. */
export const scoped = (make: () => Mailstream): Effect.Effect<Mailstream, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(make), (client) => Effect.promise(() => client.close()))

/** What a promise is rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => Promise.reject(new Error("the promise was not rejected")), (error) => error)
