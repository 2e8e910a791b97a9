/** Many walks at once on one server, on every store in turn. */
import * as SampleData from "@mailstream/server/SampleData"
import { contacts } from "@mailstream/stream"
import { Chunk, Deferred, Effect, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Memory from "../support/memory.ts"
import * as Service from "../support/service.ts"

interface Size extends Experiment.Size {
  readonly walks: number
  readonly contacts: number
  /** How many stores: memory, then SQLite, then PostgreSQL. */
  readonly stores: number
}

/** The progress of every walk, and what was wrong. */
class Ledger {
  readonly progress: Array<number>
  readonly wrong: Array<string> = []
  /** The progress of each when the first one ended. */
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

const on = (size: Size) => (place: Service.Place) =>
  Effect.gen(function*() {
    const service = yield* Service.start(place)
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
    // Under load: when the first one is done.
    const looks = Deferred.await(first).pipe(
      Effect.zipRight(Effect.all([service.ask({ _tag: "Look" }), Effect.sync(() => Memory.live())]))
    )
    const [, [server, client]] = yield* Effect.all([walks, looks], { concurrency: 2 }).pipe(
      Effect.provide(Clients.services(service.baseUrl))
    )
    const after = yield* service.ask({ _tag: "Look" })
    const slowest = Math.min(...ledger.atFirstEnd) / size.contacts * 100
    return [
      Experiment.none("wrong walks", ledger.wrong, `${Experiment.count(size.walks)} walks`),
      Experiment.finding(
        "progress of the slowest walk when the first one ended",
        `${slowest.toFixed(0)} % of the way, at least 50 %`,
        slowest >= 50
      ),
      Experiment.atMost("growth of the server's heap under load", server.heap - before.heap, 64, "MB"),
      Experiment.atMost("growth of the server's heap afterwards", after.heap - before.heap, 16, "MB"),
      Experiment.atMost("growth of the client's heap", client - alive, 64, "MB")
    ]
  })

export default Experiment.make<Size>({
  name: "load",
  promise: "every walk has every item once, in order; memory is bounded, and no walk starves",
  small: { seed: 1, walks: 50, contacts: 3000, stores: 2 },
  long: { seed: 1, walks: 200, contacts: 100_000, stores: 3 },
  run: (size) => Service.onEach(Service.stores.slice(0, size.stores), on(size))
})
