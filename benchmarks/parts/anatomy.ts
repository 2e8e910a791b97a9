/** What a walk consists of: from the bare loop to `items()`, one thing at a time; and alternatives. */
import { NodeHttpClient } from "@effect/platform-node"
import { ContactId, Page, Resource, Wire } from "@mailstream/core"
import { Contacts } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { Effect, Either, Layer, Stream } from "effect"
import * as Undici from "undici"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const size = 100_000

const check = Wire.check(Page.schema(Resource.contacts.item))

/** Sends a request directly to the dispatcher, and calls back with the text of the response. */
const send = (agent: Undici.Agent, origin: string, after: string | undefined, done: (text: string) => void): void => {
  const chunks: Array<Buffer> = []
  agent.dispatch({ origin, path: `/contacts?${Peers.query(100, after)}`, method: "GET", headers: Peers.headers }, {
    onRequestStart: () => {},
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd: () => done((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString()),
    onResponseError: (_, error) => {
      throw error
    }
  })
}

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const runtime = yield* Setting.undici(baseUrl)
  const platform = yield* Setting.platform.undici(baseUrl)
  const client = yield* Layer.toRuntime(NodeHttpClient.layerUndici)
  const undici = yield* Peers.undici(baseUrl)
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Undici.Agent()),
    (agent) => Effect.promise(() => agent.destroy())
  )

  const parsed = (after: string | undefined) =>
    new Promise<Peers.AnyPage>((resolve) => send(agent, baseUrl, after, (text) => resolve(JSON.parse(text))))
  const checked = (after: string | undefined) =>
    new Promise<Peers.AnyPage>((resolve) =>
      send(agent, baseUrl, after, (text) => resolve(Either.getOrThrow(check(JSON.parse(text)))))
    )
  const requested = (after: string | undefined) =>
    Effect.async<Peers.AnyPage>((resume) => {
      send(agent, baseUrl, after, (text) => resume(Effect.succeed(Either.getOrThrow(check(JSON.parse(text))))))
    })
  const counted = <E>(page: (after: string | undefined) => Effect.Effect<Peers.AnyPage, E>) =>
    Effect.gen(function*() {
      let after: string | undefined
      let items = 0
      while (true) {
        const { data, has_more } = yield* page(after)
        items += data.length
        if (!has_more) return items
        after = data.at(-1)!.id
      }
    })
  const listed = Effect.flatMap(
    Contacts,
    ({ list }) =>
      counted((after) => list({ limit: 100, ...(after === undefined ? {} : { after: ContactId.make(after) }) }))
  )
  const walked = Stream.runCount(contacts.items())

  const race = <E>(contenders: Record<string, Effect.Effect<number, E>>, rounds: number) =>
    Harness.race(
      Object.entries(contenders).map(([name, items]) => ({ name, run: Harness.counted(items, size) })),
      { rounds, warmups: 4 }
    )
  const loop = "bare undici loop"
  const layers: Record<string, Effect.Effect<number, unknown>> = {
    [loop]: undici({ limit: 100 }),
    "undici's dispatcher instead, without promises and streams": Peers.loop((_, after) => parsed(after))({
      limit: 100
    }),
    "the same, every item checked": Peers.loop((_, after) => checked(after))({ limit: 100 }),
    "the same, as an Effect": counted(requested),
    "the same, as a Stream": Stream.runCount(Peers.paginate(requested)),
    "Contacts.list in a loop: key, rate limit, timeout, span, metrics, typed errors": Effect.provide(
      listed,
      runtime
    ),
    "items(): positions, cycle detection, retries, page spans": Effect.provide(walked, runtime)
  }
  const others: Record<string, Effect.Effect<number, unknown>> = {
    [loop]: undici({ limit: 100 }),
    "items(), on NodeHttpClient.layerUndici": Effect.provide(walked, platform),
    "hand-written paginateChunkEffect, HttpClient and Schema": Effect.provide(
      Stream.runCount(Peers.byHand(baseUrl)),
      client
    )
  }
  const [inside, outside] = [yield* race(layers, 11), yield* race(others, 5)]
  return [
    Harness.peer(inside, loop),
    ...Object.keys(layers).slice(1).map((name) => Harness.beside(inside, name, loop)),
    ...Object.keys(others).slice(1).map((name) => Harness.beside(outside, name, loop))
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
