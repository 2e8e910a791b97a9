/** Many walks at once, on one server in a process of its own, on every store in turn. */
import { SampleData } from "@mailstream/server"
import { contacts } from "@mailstream/stream"
import { Chunk, Deferred, Effect, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Memory from "../support/memory.ts"
import * as Postgres from "../support/postgres.ts"
import * as Programs from "../support/programs.ts"
import * as Service from "../support/service.ts"

interface Size extends Experiment.Size {
  readonly walks: number
  readonly contacts: number
  /** The first so many of memory, SQLite and PostgreSQL. */
  readonly stores: number
}

/** How far every walk has come, and what was wrong with it. */
class Ledger {
  readonly progress: Array<number>
  readonly wrong: Array<string> = []
  /** How far each had come when the first one was at its end. */
  atFirstEnd: ReadonlyArray<number> = []

  constructor(walks: number) {
    this.progress = Array.from({ length: walks }, () => 0)
  }
}

const walk = (ledger: Ledger, number: number, expected: ReadonlyArray<string>, first: Deferred.Deferred<void>) =>
  contacts.items().pipe(
    Stream.runForEachChunk((chunk) =>
      Effect.sync(() => {
        const from = ledger.progress[number]!
        const items = Chunk.toReadonlyArray(chunk)
        const at = items.findIndex(({ id }, index) => id !== expected[from + index])
        if (at !== -1) ledger.wrong.push(`walk ${number}: another item at ${from + at}`)
        ledger.progress[number] = from + items.length
      })
    ),
    Effect.zipRight(Effect.suspend(() => {
      const count = ledger.progress[number]!
      if (count !== expected.length) ledger.wrong.push(`walk ${number}: ${count} items`)
      if (ledger.atFirstEnd.length === 0) ledger.atFirstEnd = [...ledger.progress]
      return Deferred.succeed(first, void 0)
    }))
  )

const on = (size: Size, program: string, place: Service.Place) =>
  Effect.gen(function*() {
    const service = yield* Service.start(program, place)
    const before = yield* service.ask({ _tag: "Fill", contacts: size.contacts })
    const expected = Array.from(
      { length: size.contacts },
      (_, index) => SampleData.contact(size.contacts - 1 - index).id
    )
    const ledger = new Ledger(size.walks)
    const first = yield* Deferred.make<void>()
    const alive = Memory.live()
    const walks = Effect.forEach(ledger.progress, (_, number) => walk(ledger, number, expected, first), {
      concurrency: "unbounded",
      discard: true
    })
    // In the thick of it: when the first one is done.
    const looks = Deferred.await(first).pipe(
      Effect.zipRight(Effect.all([service.ask({ _tag: "Look" }), Effect.sync(() => Memory.live())]))
    )
    const [, [server, client]] = yield* Effect.all([walks, looks], { concurrency: 2 }).pipe(
      Effect.provide(Clients.services(service.baseUrl))
    )
    const after = yield* service.ask({ _tag: "Look" })
    const slowest = Math.min(...ledger.atFirstEnd) / size.contacts * 100
    return [
      Experiment.none("walks that were not right", ledger.wrong, `${Experiment.count(size.walks)} walks`),
      {
        what: "the slowest, when the first was at its end",
        measured: `${slowest.toFixed(0)} % of the way, at least 50 %`,
        held: slowest >= 50
      },
      Experiment.atMost(
        "the heap of the server, in the thick of it, has grown by",
        server.heap - before.heap,
        64,
        "MB"
      ),
      Experiment.atMost("the heap of the server, in the end, has grown by", after.heap - before.heap, 16, "MB"),
      Experiment.atMost("the heap of the client has grown by", client - alive, 64, "MB")
    ].map((finding): Experiment.Finding => ({ ...finding, what: `${place.name}: ${finding.what}` }))
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "load",
  promise: "every walk has every item once, in order; memory is bounded, and nobody starves",
  small: { seed: 1, walks: 50, contacts: 1000, stores: 2 },
  long: { seed: 1, walks: 200, contacts: 100_000, stores: 3 },
  run: (size) =>
    Effect.gen(function*() {
      const program = yield* Programs.bundled("service")
      const places = [
        Effect.succeed(Service.memory),
        Service.sqlite,
        Effect.flatMap(Postgres.make, Service.postgres)
      ].slice(0, size.stores)
      const findings = yield* Effect.forEach(places, (place) =>
        Effect.flatMap(place, (place) => on(size, program, place)))
      return findings.flat()
    }).pipe(Effect.scoped)
})
