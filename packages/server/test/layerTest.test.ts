import { assert, layer } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { Contacts, Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Context, Effect, Layer, Redacted } from "effect"

class Stores extends Context.Tag("Stores")<Stores, ReadonlyArray<Context.Tag.Service<typeof Store>>>() {}

layer(Server.layerTest())("layerTest", (it) => {
  it.effect("is a server with a store and a key", () =>
    Effect.gen(function*() {
      const store = yield* Store
      yield* store.insert(Resource.contacts, [SampleData.contact(0)])
      const server = yield* Server.TestServer
      const contacts = yield* Effect.map(
        Layer.build(Layer.provide(Mailstream.layer(server), UndiciTransport.layer)),
        Context.get(Contacts)
      )
      assert.deepStrictEqual((yield* contacts.list()).data, [SampleData.contact(0)])
      assert.match(server.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.notInclude(JSON.stringify(server), Redacted.value(server.apiKey))
    }).pipe(Effect.scoped))

  it.scoped("shares nothing with another one in the same app, and one that is kept is one server", () =>
    Effect.gen(function*() {
      const kept = Server.layerTest()
      const storeOf = (layer: Layer.Layer<Store>) =>
        Layer.map(layer, (context) => Context.make(Stores, [Context.get(context, Store)]))
      const both = (a: Layer.Layer<Store>, b: Layer.Layer<Store>) =>
        Effect.map(
          Layer.build(Layer.zipWith(storeOf(a), storeOf(b), (a, b) =>
            Context.make(Stores, [...Context.get(a, Stores), ...Context.get(b, Stores)]))),
          Context.get(Stores)
        )
      const [one, other] = yield* both(Server.layerTest(), Server.layerTest())
      assert.notStrictEqual(one, other)
      const [first, second] = yield* both(kept, kept)
      assert.strictEqual(first, second)
    }))
})
