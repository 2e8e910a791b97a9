import { assert, layer } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { Contacts, Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Context, Effect, Layer, Redacted } from "effect"

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
})
