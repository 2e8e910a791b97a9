/**
 * How much memory a walk through 1,000,000 contacts takes, in pages and as a whole: `npx tsx benchmarks/memory.ts`.
 *
 * The server is a process of its own, which makes contacts up as it sends them.
 */
import { NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { Clock, Console, Effect, Layer, Redacted, Stream } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const size = 1_000_000

/** The contact with a number; the newest has the highest. About 200 bytes. */
const contact = (n: number): string =>
  `{"object":"contact","id":"00000000-0000-4000-8000-${
    String(n).padStart(12, "0")
  }","email":"contact-${n}@example.com",` +
  `"first_name":"Zoë","last_name":"Contact ${n}","created_at":"2025-11-30 20:41:40.84216+00","unsubscribed":false}`

const sendAll = (response: ServerResponse): void => {
  let n = size
  const more = (): void => {
    while (n > 0) {
      const part = Array.from({ length: Math.min(n, 200) }, (_, index) => contact(n - index)).join(",")
      n -= 200
      const ready = response.write(n > 0 ? `${part},` : part)
      if (!ready) return void response.once("drain", more)
    }
    response.end("],\"has_more\":false}")
  }
  response.write("{\"object\":\"list\",\"data\":[")
  more()
}

const serve = (): void => {
  const server = createServer((request, response) => {
    const query = new URL(request.url!, "http://localhost").searchParams
    const limit = query.get("limit")
    if (limit === null) return sendAll(response)
    const after = query.get("after")
    const newest = after === null ? size : Number(after.slice(-12)) - 1
    const data = Array.from({ length: Math.min(newest, Number(limit)) }, (_, index) => contact(newest - index))
    response.end(`{"object":"list","has_more":${newest > Number(limit)},"data":[${data.join(",")}]}`)
  })
  server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port))
}

setFlagsFromString("--expose-gc")
const gc: () => void = runInNewContext("gc")
const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10

/** Runs a stream; looks at the heap with every chunk, and five times at what of it is live. */
const measure = <A, E, R>(name: string, stream: Stream.Stream<A, E, R>) =>
  Effect.gen(function*() {
    gc()
    const before = process.memoryUsage()
    const start = yield* Clock.currentTimeMillis
    let items = 0
    let peakHeap = 0
    let peakRss = 0
    let first = 0
    const live: Array<number> = []
    yield* Stream.runForEachChunk(stream, (chunk) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (items === 0) first = now - start
        const due = Math.floor((items + chunk.length) / (size / 5)) > Math.floor(items / (size / 5))
        items += chunk.length
        const memory = process.memoryUsage()
        peakHeap = Math.max(peakHeap, memory.heapUsed)
        peakRss = Math.max(peakRss, memory.rss)
        if (due) {
          gc()
          live.push(megabytes(process.memoryUsage().heapUsed - before.heapUsed))
        }
      }))
    const end = yield* Clock.currentTimeMillis
    yield* Console.log(
      `${name}: ${items} items in ${end - start} ms, the first after ${first} ms; ` +
        `heap at most ${megabytes(peakHeap - before.heapUsed)} MB more than before, ` +
        `live after every 200,000 items: ${live.join(", ")} MB; RSS at most ${megabytes(peakRss)} MB`
    )
  })

const program = Effect.gen(function*() {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => fork(fileURLToPath(import.meta.url), ["serve"])),
    (server) => Effect.sync(() => server.kill())
  )
  const [port] = yield* Effect.promise(() => once(server, "message"))
  const client = Mailstream.layer({ baseUrl: `http://127.0.0.1:${port}`, apiKey: Redacted.make("re_bench") }).pipe(
    Layer.provide(NodeHttpClient.layerUndici)
  )
  yield* Effect.gen(function*() {
    yield* Stream.runDrain(Stream.take(contacts.items(), 20_000))
    yield* measure("walk", contacts.items())
    yield* measure("walk, one page ahead", contacts.items({ prefetch: 1 }))
    yield* measure("whole", contacts.whole())
  }).pipe(Effect.provide(client))
})

if (process.argv[2] === "serve") serve()
else NodeRuntime.runMain(Effect.scoped(program))
