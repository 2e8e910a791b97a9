/**
 * The same walk with `@mailstream/client`, from its sources and as it is published, compared with the Stream. They take
 * turns in one process, which has two copies of Effect: one in the published client, and one for the others.
 */
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

/** Both clients on one transport, beside the Stream; then the published one alone beside it. */
const compare = <E>(
  transport: string,
  items: Effect.Effect<number, E>,
  clients: { readonly sources: Client.Mailstream; readonly published: Client.Mailstream }
) =>
  Effect.gen(function*() {
    const stream = { name: `items() on ${transport}`, run: Harness.counted(items, size) }
    const sources = { name: `client on ${transport}`, run: Harness.counted(loop(clients.sources), size) }
    const built = { name: `published client on ${transport}`, run: Harness.counted(loop(clients.published), size) }
    const three = yield* Harness.race([stream, sources, built], { rounds: 31, warmups: 6 })
    const two = yield* Harness.race([stream, built], { rounds: 31 })
    const alone = Harness.compare(two, built.name, stream.name, 1.1)
    return [
      Harness.peer(three, stream.name),
      Harness.compare(three, sources.name, stream.name, 1.1),
      Harness.compare(three, built.name, stream.name, 1.1),
      { ...alone, what: `${alone.what}, these two alone` }
    ]
  })

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const options = { baseUrl, apiKey: Setting.key }
  const walk = Stream.runCount(contacts.items())
  const onUndici = yield* Setting.undici(baseUrl)
  const onFetch = yield* Setting.fetching(baseUrl)
  const built = yield* Effect.promise((): Promise<typeof Client> => import(published("index")))
  const builtUndici = yield* Effect.promise((): Promise<typeof ClientUndici> => import(published("undici")))
  const undici = yield* compare("undici", Effect.provide(walk, onUndici), {
    sources: yield* closing(() => new Client.Mailstream({ ...options, transport: ClientUndici.undici() })),
    published: yield* closing(() => new built.Mailstream({ ...options, transport: builtUndici.undici() }))
  })
  const fetch = yield* compare("fetch", Effect.provide(walk, onFetch), {
    sources: yield* closing(() => new Client.Mailstream(options)),
    published: yield* closing(() => new built.Mailstream(options))
  })
  return [...undici, ...fetch]
}).pipe(Effect.scoped) satisfies Harness.Part
