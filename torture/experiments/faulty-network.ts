/**
 * A long list through a server and a network that fail all the time: faults of the service, as many as the table says,
 * and connections that break in the middle of anything.
 */
import { type Contact, Position } from "@mailstream/core"
import type { Contacts } from "@mailstream/http"
import type { Faults } from "@mailstream/server"
import { SampleData } from "@mailstream/server"
import { contacts, type ListError, Progress, RetryPolicy } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import { services } from "../support/clients.ts"
import * as Cutter from "../support/cutter.ts"
import * as Memory from "../support/memory.ts"
import * as Programs from "../support/programs.ts"
import * as Service from "../support/service.ts"

interface Size extends Experiment.Size {
  readonly contacts: number
  /** How many of them are walked through with the default policy, which waits. */
  readonly patient: number
  /** How often the whole list is asked for at once. */
  readonly wholes: number
}

const faultsOf = (seed: number): Faults.Options => ({
  seed,
  serverError: { rate: 0.05 },
  rateLimit: { rate: 0.05, retryAfter: 0 },
  reset: { rate: 0.02 },
  truncate: { rate: 0.01 },
  malform: { rate: 0.01 },
  html: { rate: 0.01 },
  latency: { rate: 0.5, delay: "2 millis" }
})

// As many tries as it takes, without waiting for long: a page meets twenty faults in a row once in 10^16 pages.
const retry = RetryPolicy.make({ times: 20, base: "1 millis", cap: "4 millis" })

/** A walk, and the numbers of the contacts that it must come by, one after the other. */
interface Trial {
  readonly name: string
  readonly first: number
  readonly step: 1 | -1
  readonly count: number
  readonly walk: (progress: Progress.Tracker) => Stream.Stream<Contact, ListError, Contacts>
}

const forward = (size: Size) => ({ first: size.contacts - 1, step: -1, count: size.contacts }) as const

const backward = (size: Size) => ({ first: 1, step: 1, count: size.contacts - 1 }) as const

const oldest = Position.before(SampleData.contact(0).id)

const paged = (size: Size): ReadonlyArray<Trial> => [
  { ...forward(size), name: "items, forward", walk: (progress) => contacts.items({ retry, progress }) },
  {
    ...backward(size),
    name: "items, backward",
    walk: (progress) => contacts.items({ retry, progress, from: oldest })
  },
  {
    ...forward(size),
    name: "two pages ahead, forward",
    walk: (progress) => contacts.items({ retry, progress, prefetch: 2 })
  },
  {
    ...backward(size),
    name: "two pages ahead, backward",
    walk: (progress) => contacts.items({ retry, progress, prefetch: 2, from: oldest })
  },
  {
    ...forward(size),
    count: size.patient,
    name: "items, with the default policy",
    walk: (progress) => Stream.take(contacts.items({ progress }), size.patient)
  }
]

const wholes = (size: Size): ReadonlyArray<Trial> =>
  Array.from({ length: size.wholes }, (_, n) => ({
    ...forward(size),
    name: `whole, time ${n + 1}`,
    walk: (progress) => contacts.whole({ retry, progress })
  }))

/** Walks, comparing item by item with what must come: nothing is kept. */
const check = ({ count, first, name, step, walk }: Trial) =>
  Effect.gen(function*() {
    const progress = yield* Progress.make
    let seen = 0
    let wrong: string | undefined
    let highest = 0
    const end = yield* walk(progress).pipe(
      Stream.runForEach((contact) =>
        Effect.sync(() => {
          const expected = SampleData.contact(first + step * seen).id
          if (contact.id !== expected) wrong ??= `item ${seen + 1} is ${contact.id} instead of ${expected}`
          seen++
          if (seen % 100_000 === 0) highest = Math.max(highest, Memory.live())
        })
      ),
      Effect.as(undefined),
      Effect.catchAll((error) => Effect.succeed(`${error._tag}: ${error.message}`))
    )
    const { requests, retries } = yield* progress.get
    yield* Effect.logDebug(`${name}: ${seen} items, ${requests} requests, ${retries} retries`)
    wrong ??= end
    return {
      highest,
      requests,
      retries,
      finding: {
        what: `${name}: each once, in order`,
        measured: wrong === undefined
          ? `${Experiment.count(seen)} items, ${Experiment.count(retries)} of ${
            Experiment.count(requests)
          } requests again`
          : `${Experiment.count(seen)} items: ${wrong}`,
        held: wrong === undefined && seen === count
      }
    }
  })

const run = (size: Size): Effect.Effect<ReadonlyArray<Experiment.Finding>> =>
  Effect.gen(function*() {
    const service = yield* Service.start(yield* Programs.bundled("service"), Service.memory, {
      faults: faultsOf(size.seed)
    })
    yield* service.ask({ _tag: "Fill", contacts: size.contacts })
    // A contact has some 200 bytes: the whole list is cut off at any place of it, and pages are, all the time.
    const bytes = 200 * size.contacts
    const forPages = yield* Cutter.make(service.baseUrl, { seed: size.seed, maxBytes: Math.min(bytes, 4_000_000) })
    const forWholes = yield* Cutter.make(service.baseUrl, { seed: size.seed, maxBytes: bytes })
    const before = Memory.live()
    const results = [
      ...(yield* Effect.provide(Effect.forEach(paged(size), check), services(forPages.baseUrl))),
      ...(yield* Effect.provide(Effect.forEach(wholes(size), check), services(forWholes.baseUrl)))
    ]
    const cuts = forPages.cuts() + forWholes.cuts()
    const retries = results.reduce((sum, { retries }) => sum + retries, 0)
    const requests = results.reduce((sum, { requests }) => sum + requests, 0)
    const highest = Math.max(0, ...results.map(({ highest }) => highest - before))
    return [
      ...results.map(({ finding }) => finding),
      {
        what: "requests that met a fault",
        measured: `${Experiment.count(retries)} of ${
          Experiment.count(requests)
        }, ${cuts} broken connections among them`,
        held: retries > requests / 20 && cuts > 0
      },
      ...(size.contacts < 100_000
        ? []
        : [Experiment.atMost("more alive, looked at every 100,000 items", highest, 32, "MB")])
    ]
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "faulty-network",
  promise: "every item exactly once, in order, in both directions",
  small: { seed: 1, contacts: 4000, patient: 1500, wholes: 4 },
  long: { seed: 1, contacts: 1_000_000, patient: 20_000, wholes: 5 },
  run
})
