/** The same walk with `@mailstream/client`, from its sources and as it is published, compared with the Stream. */
import * as Client from "@mailstream/client"
import * as ClientUndici from "@mailstream/client/undici"
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Setting from "../setting.ts"

const size = 100_000

const published = (entry: string): string => new URL(`client/${entry}.js`, import.meta.url).href

/** A `for await` over all contacts. */
const loop = (client: Client.Mailstream): Effect.Effect<number> =>
  Effect.promise(async () => {
    let count = 0
    for await (const _ of client.contacts.items()) count++
    return count
  })

const closing = (make: () => Client.Mailstream) =>
  Effect.acquireRelease(Effect.sync(make), (client) => Effect.promise(() => client.close()))

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const options = { baseUrl, apiKey: Setting.key }
  const walk = Stream.runCount(contacts.items())
  const onUndici = yield* Setting.undici(baseUrl)
  const onFetch = yield* Setting.fetching(baseUrl)
  const built = yield* Effect.promise((): Promise<typeof Client> => import(published("index")))
  const builtUndici = yield* Effect.promise((): Promise<typeof ClientUndici> => import(published("undici")))
  const clients = {
    "client on undici": yield* closing(() => new Client.Mailstream({ ...options, transport: ClientUndici.undici() })),
    "published client on undici": yield* closing(() =>
      new built.Mailstream({ ...options, transport: builtUndici.undici() })
    ),
    "client on fetch": yield* closing(() => new Client.Mailstream(options)),
    "published client on fetch": yield* closing(() => new built.Mailstream(options))
  }
  const samples = yield* Harness.race([
    { name: "items() on undici", run: Harness.counted(Effect.provide(walk, onUndici), size) },
    { name: "items() on fetch", run: Harness.counted(Effect.provide(walk, onFetch), size) },
    ...Object.entries(clients).map(([name, client]) => ({ name, run: Harness.counted(loop(client), size) }))
  ], { rounds: 15, warmups: 4 })
  return [
    Harness.peer(samples, "items() on undici"),
    Harness.compare(samples, "client on undici", "items() on undici", 1.1),
    Harness.compare(samples, "published client on undici", "items() on undici", 1.1),
    Harness.peer(samples, "items() on fetch"),
    Harness.compare(samples, "client on fetch", "items() on fetch", 1.1),
    Harness.compare(samples, "published client on fetch", "items() on fetch", 1.1)
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
