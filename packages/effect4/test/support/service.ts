import { Mailstream } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted, type Scope } from "effect"
import {
  Context as Context3,
  Effect as Effect3,
  Exit as Exit3,
  Layer as Layer3,
  Redacted as Redacted3,
  Scope as Scope3
} from "effect3"
import { it } from "vitest"

/** A test on Effect 4, with a scope that ends with it. */
export const scoped = (
  name: string,
  test: () => Effect.Effect<unknown, unknown, Scope.Scope>,
  timeout?: number
): void => it(name, () => Effect.runPromise(Effect.scoped(Effect.asVoid(test()))), timeout)

/** A resource of the server's version of Effect, which is not this package's. */
export const fromEffect3 = <A, E>(effect: Effect3.Effect<A, E, Scope3.Scope>): Effect.Effect<A, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.acquireRelease(
      Effect.sync(() => Effect3.runSync(Scope3.make())),
      (scope) => Effect.promise(() => Effect3.runPromise(Scope3.close(scope, Exit3.void)))
    )
    return yield* Effect.promise(() => Effect3.runPromise(Scope3.extend(effect, scope)))
  })

/** All services, over `fetch`. */
const live = (baseUrl: string, apiKey: Redacted.Redacted): Layer.Layer<Mailstream.Mailstream> =>
  Layer.orDie(Mailstream.layer({ baseUrl, apiKey })).pipe(Layer.provide(FetchTransport.layer))

export interface Service {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** The requests so far, as in `GET /contacts?limit=100`. */
  readonly requests: Array<string>
  /** Inserts items that are newer than all others. */
  readonly insert: (counts: SampleData.Options) => Effect.Effect<void>
  readonly layer: Layer.Layer<Mailstream.Mailstream>
}

/** The service itself on loopback, behind a server that counts requests, and a layer for it. */
export const service = (
  counts: SampleData.Options,
  options?: Server.TestOptions
): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function*() {
    const requests: Array<string> = []
    const { baseUrl, context } = yield* fromEffect3(Effect3.gen(function*() {
      const context = yield* Layer3.build(Server.layerTest(options))
      yield* Effect3.provide(SampleData.insert(counts), context)
      const server = Context3.get(context, Server.TestServer)
      const baseUrl = yield* HttpServer.forward(server.baseUrl, (request) => requests.push(request))
      return { baseUrl, context }
    }))
    const apiKey = Redacted.make(Redacted3.value(Context3.get(context, Server.TestServer).apiKey))
    return {
      baseUrl,
      apiKey,
      requests,
      insert: (counts) => Effect.promise(() => Effect3.runPromise(Effect3.provide(SampleData.insert(counts), context))),
      layer: live(baseUrl, apiKey)
    }
  })

/** A server that never responds: what it has received, and when the client hangs up. */
export const silence: Effect.Effect<
  {
    readonly layer: Layer.Layer<Mailstream.Mailstream>
    readonly received: Effect.Effect<void>
    readonly hungUp: Effect.Effect<void>
  },
  never,
  Scope.Scope
> = Effect.gen(function*() {
  const { baseUrl, hungUp, received } = yield* fromEffect3(HttpServer.silence)
  return {
    layer: live(baseUrl, Redacted.make("re_1")),
    received: Effect.promise(() => received),
    hungUp: Effect.promise(() => hungUp)
  }
})
