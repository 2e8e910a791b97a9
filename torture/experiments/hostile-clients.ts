/**
 * Requests of all kinds, over raw sockets and a common client: paths, queries, methods, headers and bodies that nobody
 * thought of, in pieces, pipelined, broken off. The server runs in a process of its own, on every store in turn.
 */
import { topics } from "@mailstream/stream"
import { Effect, Schedule, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Postgres from "../support/postgres.ts"
import * as Programs from "../support/programs.ts"
import * as Service from "../support/service.ts"
import * as Request from "./hostile-clients/Request.ts"
import * as Session from "./hostile-clients/Session.ts"

interface Size extends Experiment.Size {
  /** How many are sent to each store, at least. */
  readonly requests: number
  /** How many connections at a time. */
  readonly connections: number
  /** The number of the only session to run, to see it again; -1 for all. */
  readonly session: number
}

/** What all sessions with a server came to. */
class Total {
  sent = 0
  unsure = 0
  next = 0
  readonly statuses = new Map<number, number>()
  readonly created = new Map<string, string | undefined>()
  readonly wrong: Array<string> = []

  add(number: number, outcome: Session.Outcome): void {
    this.sent += outcome.sent
    this.unsure += outcome.unsure
    for (const status of outcome.statuses) this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    for (const [id, name] of outcome.created) this.created.set(id, name)
    this.wrong.push(...outcome.wrong.map((wrong) => `session ${number}: ${wrong}`))
  }
}

const attack = (size: Size, port: number, total: Total, requests: number): Effect.Effect<void> => {
  const client = Effect.gen(function*() {
    const number = size.session === -1 ? total.next++ : size.session
    total.add(number, yield* Session.run(Session.make(size.seed, number), port))
  })
  return size.session === -1
    ? Effect.all(
      Array.from(
        { length: size.connections },
        () => Effect.whileLoop({ while: () => total.sent < requests, body: () => client, step: () => {} })
      ),
      { concurrency: "unbounded", discard: true }
    )
    : client
}

/** What became of the topics that were acknowledged, and of others. */
const stored = (baseUrl: string, total: Total) =>
  Effect.gen(function*() {
    const seen = new Map<string, string | null | undefined>()
    let twice = 0
    yield* Stream.runForEach(topics.items(), ({ id, name }) =>
      Effect.sync(() => {
        if (seen.has(id)) twice++
        seen.set(id, name)
      }))
    const lost = [...total.created.keys()].filter((id) => !seen.has(id))
    const changed = [...total.created].filter(([id, name]) =>
      name !== undefined && seen.has(id) && seen.get(id) !== name
    )
    const unasked = seen.size - total.created.size - Request.samples.topics
    return [
      Experiment.none("topics lost, changed or twice", [
        ...lost,
        ...changed.map(([id, name]) => `${id} is ${JSON.stringify(seen.get(id))} instead of ${JSON.stringify(name)}`),
        ...(twice === 0 ? [] : [`${twice} twice`])
      ], `${Experiment.count(total.created.size)} that were acknowledged`),
      Experiment.atMost("topics that nobody was told of", unasked, total.unsure, "more")
    ]
  }).pipe(Effect.provide(Clients.services(baseUrl)))

/** Connections that were closed on this side need a moment to be closed on the other. */
const settled = (service: Service.Service, sockets: number) =>
  service.ask({ _tag: "Look" }).pipe(
    Effect.repeat({
      until: (look) => look.sockets <= sockets,
      schedule: Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(100))
    }),
    Effect.zipRight(service.ask({ _tag: "Look" }))
  )

const on = (size: Size, program: string, place: Service.Place) =>
  Effect.gen(function*() {
    const service = yield* Service.start(program, place)
    yield* service.ask({ _tag: "Fill", ...Request.samples })
    const port = Number(new URL(service.baseUrl).port)
    const total = new Total()
    // The pool of PostgreSQL keeps some connections of its own.
    const own = place.name === "PostgreSQL" ? 10 : 0
    yield* attack(size, port, total, size.requests / 5)
    const early = yield* settled(service, own)
    const createdEarly = total.created.size
    yield* attack(size, port, total, size.requests)
    const late = yield* settled(service, own)
    const kept = place.name === "memory" ? (total.created.size - createdEarly) / 500 : 0
    const statuses = [...total.statuses].sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`).join(", ")
    const requests = `${Experiment.count(total.sent)} requests`
    return [
      Experiment.none("answered wrongly", total.wrong, `${requests} (${statuses})`),
      { what: "the server", measured: service.end() ?? "still there", held: service.end() === undefined },
      ...yield* stored(service.baseUrl, total),
      Experiment.atMost("connections left open", late.sockets, own, "connections"),
      Experiment.atMost("the heap has grown by", late.heap - early.heap - kept, 16, "MB"),
      Experiment.atMost("all its memory", late.rss, 400, "MB")
    ].map((finding): Experiment.Finding => ({
      ...finding,
      what: `${place.name}: ${finding.what}`,
      measured: String(finding.measured)
    }))
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "hostile-clients",
  promise: "never a 5xx, never a crash, always the error shape; memory flat, and the store is right afterwards",
  small: { seed: 1, requests: 800, connections: 8, session: -1 },
  long: { seed: 1, requests: 200_000, connections: 32, session: -1 },
  run: (size) =>
    Effect.gen(function*() {
      const program = yield* Programs.bundled("service")
      const places = [Service.memory, yield* Service.sqlite, yield* Service.postgres(yield* Postgres.make)]
      return (yield* Effect.forEach(places, (place) => on(size, program, place))).flat()
    }).pipe(Effect.scoped)
})
