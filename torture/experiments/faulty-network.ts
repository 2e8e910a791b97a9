/** A long list, and writers, through a server with many faults, over connections that break in the middle of anything. */
import { type Contact, Position } from "@mailstream/core"
import type { Contacts } from "@mailstream/http"
import type { Faults } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, type ListError, Progress, RetryPolicy } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import { services } from "../support/clients.ts"
import * as Cutter from "../support/cutter.ts"
import * as Memory from "../support/memory.ts"
import * as Service from "../support/service.ts"
import * as Writers from "../support/writers.ts"

interface Size extends Experiment.Size {
  readonly contacts: number
  /** How many of them are walked with the default policy, which waits. */
  readonly patient: number
  /** How often the complete list is requested at once. */
  readonly wholes: number
  /** How many rounds of writes there are, of up to seven each. */
  readonly writes: number
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

// As many attempts as it takes, with short waits: a page meets twenty faults in a row once in 10^16 pages.
const retry = RetryPolicy.make({ times: 20, base: "1 millis", cap: "4 millis" })

/** A walk, and the numbers of the contacts that it must return in turn. */
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
  ...[0, 2].flatMap((prefetch): ReadonlyArray<Trial> => [
    {
      ...forward(size),
      name: `items, forward, prefetch ${prefetch}`,
      walk: (progress) => contacts.items({ retry, progress, prefetch })
    },
    {
      ...backward(size),
      name: `items, backward, prefetch ${prefetch}`,
      walk: (progress) => contacts.items({ retry, progress, prefetch, from: oldest })
    }
  ]),
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
    name: `complete list, run ${n + 1}`,
    walk: (progress) => contacts.whole({ retry, progress })
  }))

/** Walks, and compares item by item with the expected ones, without keeping any. */
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
      finding: Experiment.finding(
        `${name}: each once, in order`,
        `${Experiment.count(seen)} items${
          wrong === undefined
            ? `, ${Experiment.count(retries)} retries in ${Experiment.count(requests)} requests`
            : `: ${wrong}`
        }`,
        wrong === undefined && seen === count
      )
    }
  })

/** Mostly what a write can be refused with, and what leaves its outcome open. */
const faultsOfWrites = (seed: number): Faults.Options => ({
  ...faultsOf(seed),
  serverError: { rate: 0.1 },
  rateLimit: { rate: 0.2, retryAfter: 0 },
  reset: { rate: 0.1 }
})

/** Few attempts, so that writes fail in every way. */
const hasty = RetryPolicy.make({ times: 2, base: "1 millis", cap: "4 millis" })

/** Writes through faults, and then compares with what the service has, without any. */
const writing = (size: Size) =>
  Effect.gen(function*() {
    const place = yield* Service.place("SQLite")
    const faulty = yield* Service.start(place, { faults: faultsOfWrites(size.seed) })
    const cutter = yield* Cutter.make(faulty.baseUrl, { seed: size.seed, maxBytes: 10_000 })
    const entries: Array<Writers.Entry> = []
    yield* Effect.forEach(
      Array.from({ length: size.writes }, (_, number) => Writers.nameOf("w", number)),
      (name) => Writers.round(name, (entry) => entries.push(entry), hasty),
      { concurrency: 4, discard: true }
    ).pipe(Effect.provide(services(cutter.baseUrl, { rateLimit: false })))
    yield* faulty.kill
    const sound = yield* Service.start(place)
    return yield* Effect.provide(Writers.judge(entries, retry), services(sound.baseUrl))
  }).pipe(Effect.scoped)

const walking = (size: Size) =>
  Effect.gen(function*() {
    const service = yield* Service.start({ store: "memory", target: "" }, { faults: faultsOf(size.seed) })
    yield* service.ask({ _tag: "Fill", contacts: size.contacts })
    // A contact has about 200 bytes: the complete list is truncated anywhere, and pages are truncated frequently.
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
      Experiment.finding(
        "requests that met a fault",
        `${Experiment.count(retries)} of ${Experiment.count(requests)}, including ${cuts} broken connections`,
        retries > requests / 20 && cuts > 0
      ),
      ...(size.contacts < 100_000
        ? []
        : [Experiment.atMost("growth of the live heap, measured every 100,000 items", highest, 32, "MB")])
    ]
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "faulty-network",
  promise:
    "every item exactly once, in order, in both directions; no write twice, and none reported as what it was not",
  small: { seed: 1, contacts: 4000, patient: 1500, wholes: 4, writes: 60 },
  long: { seed: 1, contacts: 1_000_000, patient: 20_000, wholes: 5, writes: 2000 },
  run: (size) => Effect.zipWith(walking(size), writing(size), (walked, written) => [...walked, ...written])
})
