/**
 * Requests of all kinds, over raw sockets and over undici: unexpected paths, queries, methods, headers and bodies, in
 * pieces, pipelined, truncated. The server runs in a separate process, on every store in turn.
 */
import { topics } from "@mailstream/stream"
import { Effect, Schedule, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Service from "../support/service.ts"
import * as Request from "./hostile-clients/Request.ts"
import * as Session from "./hostile-clients/Session.ts"

interface Size extends Experiment.Size {
  /** How many are sent to each store, at least. */
  readonly requests: number
  /** How many connections at a time. */
  readonly connections: number
  /** The number of the only session to run, to reproduce it; -1 for all. */
  readonly session: number
}

/** Runs sessions until N requests were sent. */
const attack = (size: Size, port: number, ledger: Session.Ledger, requests: number, next: () => number) => {
  const session = Effect.suspend(() => Session.run(Session.make(size.seed, next()), port, ledger))
  const client = Effect.whileLoop({ while: () => ledger.sent < requests, body: () => session, step: () => {} })
  return size.session === -1
    ? Effect.replicateEffect(client, size.connections, { concurrency: "unbounded", discard: true })
    : session
}

/** Compares the topics that were acknowledged with those that are stored. */
const stored = (baseUrl: string, ledger: Session.Ledger) =>
  Effect.gen(function*() {
    const seen = new Map<string, string | null | undefined>()
    const wrong: Array<string> = []
    yield* Stream.runForEach(topics.items(), ({ id, name }) =>
      Effect.sync(() => {
        if (seen.has(id)) wrong.push(`${id} is repeated`)
        seen.set(id, name)
      }))
    for (const [id, name] of ledger.created) {
      if (!seen.has(id)) wrong.push(`${id} is lost`)
      else if (name !== undefined && seen.get(id) !== name) {
        wrong.push(`${id} is ${JSON.stringify(seen.get(id))} instead of ${JSON.stringify(name)}`)
      }
    }
    const unasked = seen.size - ledger.created.size - Request.samples.topics
    return [
      Experiment.none(
        "lost, changed or repeated topics",
        wrong,
        `${Experiment.count(ledger.created.size)} acknowledged`
      ),
      Experiment.atMost("topics that were not acknowledged", unasked, ledger.unsure, "more")
    ]
  }).pipe(Effect.provide(Clients.services(baseUrl)))

/** Connections that were closed on this side take a moment to be closed on the other. */
const settled = (service: Service.Service, sockets: number) =>
  service.ask({ _tag: "Look" }).pipe(
    Effect.repeat({
      until: (look) => look.sockets <= sockets,
      schedule: Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(100))
    }),
    Effect.zipRight(service.ask({ _tag: "Look" }))
  )

const on = (size: Size) => (place: Service.Place) =>
  Effect.gen(function*() {
    const service = yield* Service.start(place)
    yield* service.ask({ _tag: "Fill", ...Request.samples })
    const port = Number(new URL(service.baseUrl).port)
    const ledger = new Session.Ledger()
    let sessions = 0
    const next = () => size.session === -1 ? sessions++ : size.session
    // PostgreSQL's pool keeps some connections open.
    const own = place.store === "PostgreSQL" ? 10 : 0
    yield* attack(size, port, ledger, size.requests / 5, next)
    const early = yield* settled(service, own)
    const createdEarly = ledger.created.size
    yield* attack(size, port, ledger, size.requests, next)
    const late = yield* settled(service, own)
    const kept = place.store === "memory" ? (ledger.created.size - createdEarly) / 500 : 0
    const statuses = [...ledger.statuses].sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`).join(", ")
    const requests = `${Experiment.count(ledger.sent)} requests`
    return [
      Experiment.none("wrong responses", ledger.wrong, `${requests} (${statuses})`),
      Experiment.same("the server", service.end() ?? "running", "running"),
      ...yield* stored(service.baseUrl, ledger),
      Experiment.atMost("open connections", late.sockets, own, "connections"),
      Experiment.atMost("growth of the heap", late.heap - early.heap - kept, 16, "MB"),
      Experiment.atMost("memory of the process", late.rss, 400, "MB")
    ]
  })

export default Experiment.make<Size>({
  name: "hostile-clients",
  promise: "never a 5xx, never a crash, always the error shape; memory flat, and the store is correct afterwards",
  small: { seed: 1, requests: 800, connections: 8, session: -1 },
  long: { seed: 1, requests: 200_000, connections: 32, session: -1 },
  run: (size) => Service.onEach(Service.stores, on(size))
})
