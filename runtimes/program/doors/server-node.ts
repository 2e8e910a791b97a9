import { Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"
import { type Door, equal } from "../Check.ts"

const TestLive = Layer.unwrapEffect(Effect.map(Server.TestServer, Mailstream.layer)).pipe(
  Layer.provide(FetchTransport.layer),
  Layer.provideMerge(Server.layerTest())
)

/** The service on a port, and the library against it, in one process. */
const door: Door = () => ({
  serve: async () => {
    const count = Effect.zipRight(SampleData.insert({ contacts: 250 }), Stream.runCount(contacts.items()))
    equal("contacts", await Effect.runPromise(Effect.provide(count, TestLive)), 250)
  }
})

export default door
