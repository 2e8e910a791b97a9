/**
 * `follow` for a long time, while contacts are created: one by one, in bursts of several pages, and some that are deleted
 * again, before or after they could be seen.
 */
import * as SampleData from "@mailstream/server/SampleData"
import { contacts } from "@mailstream/stream"
import { Dice } from "@mailstream/testing/Dice"
import { Clock, Duration, Effect, Fiber, Option, Schedule, Stream } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Memory from "../support/memory.ts"
import * as Service from "../support/service.ts"

interface Size extends Experiment.Size {
  /** How long the list changes. */
  readonly seconds: number
  /** How often it changes at least. */
  readonly changes: number
  /** How many milliseconds lie between two polls. */
  readonly poll: number
  /** How many milliseconds lie between two changes at most. */
  readonly pause: number
  readonly pageSize: number
  /** How often the memory is measured. */
  readonly looks: number
}

/** The number of contacts at the beginning. */
const initial = 50

/** What was done to the list, and what the follower has seen, as numbers of contacts. */
class Ledger {
  next = initial
  changes = 0
  bursts = 0
  readonly deleted = new Set<number>()
  readonly seen: Array<number> = []
  readonly unexpected: Array<string> = []
  private readonly numbers = new Map<string, number>()

  take(count: number): ReadonlyArray<number> {
    const numbers = Array.from({ length: count }, (_, index) => this.next + index)
    this.next += count
    for (const number of numbers) this.numbers.set(SampleData.contact(number).id, number)
    return numbers
  }

  see(id: string): void {
    const number = this.numbers.get(id)
    // Forgotten once it was seen: if it comes again, it is unexpected.
    this.numbers.delete(id)
    if (number === undefined) this.unexpected.push(id)
    else this.seen.push(number)
  }

  /** Those that were never deleted, and were not seen. */
  missed(): ReadonlyArray<string> {
    return [...this.numbers.values()].filter((number) => !this.deleted.has(number)).map(String)
  }
}

/** Inserts contacts, and deletes some of them again: immediately, or when they may have been seen. */
const change = (size: Size, service: Service.Service, ledger: Ledger, dice: Dice) =>
  Effect.gen(function*() {
    const numbers = ledger.take(dice.weigh([
      [6, () => 1],
      [3, () => 1 + dice.below(5)],
      [1, () => size.pageSize + 1 + dice.below(2 * size.pageSize)]
    ]))
    ledger.changes++
    if (numbers.length > size.pageSize) ledger.bursts++
    yield* service.ask({ _tag: "Insert", numbers })
    if (dice.chance(0.2)) {
      if (dice.chance(0.5)) yield* Effect.sleep(dice.below(3 * size.poll))
      const newest = numbers.slice(-1 - dice.below(3))
      newest.forEach((number) => ledger.deleted.add(number))
      yield* service.ask({ _tag: "Delete", numbers: newest })
    }
    yield* Effect.sleep(dice.below(size.pause))
  })

/** Measures the memory of both sides, now and then. */
const watching = (size: Size, service: Service.Service) =>
  Effect.forEach(Array.from({ length: size.looks }), () =>
    Effect.gen(function*() {
      yield* Effect.sleep(Duration.seconds(size.seconds / size.looks))
      const { heap } = yield* service.ask({ _tag: "Look" })
      return { client: Memory.live(), server: heap }
    }))

/** How much more there was in the second half than in the first. */
const growth = (values: ReadonlyArray<number>): number => {
  const half = values.length >> 1
  return Math.max(...values.slice(half)) - Math.max(...values.slice(0, half))
}

const soak = (size: Size, service: Service.Service) =>
  Effect.gen(function*() {
    const ledger = new Ledger()
    const since = SampleData.contact(initial - 1).id
    const follower = yield* contacts.follow({
      since,
      poll: size.poll,
      pageSize: size.pageSize
    }).pipe(Stream.runForEach(({ id }) => Effect.sync(() => ledger.see(id))), Effect.fork)
    const until = (yield* Clock.currentTimeMillis) + size.seconds * 1000
    const [looks] = yield* Effect.all([
      watching(size, service),
      Effect.repeat(change(size, service, ledger, new Dice(size.seed, 0)), {
        while: () => Effect.map(Clock.currentTimeMillis, (now) => now < until || ledger.changes < size.changes)
      })
    ], { concurrency: 2 })
    // It has a while to catch up; if it does not, the finding says so.
    yield* Effect.sync(() => ledger.missed()).pipe(
      Effect.repeat({
        until: (missed) => missed.length === 0,
        schedule: Schedule.intersect(Schedule.spaced(Duration.millis(size.poll)), Schedule.recurs(200))
      })
    )
    const ended = yield* Fiber.poll(follower)
    yield* Fiber.interrupt(follower)

    const total = Experiment.count(ledger.next - initial)
    const of = `${total} created, in ${ledger.bursts} bursts of several pages and one by one`
    const unordered = ledger.seen.filter((number, index) => index > 0 && number < ledger.seen[index - 1]!)
    return [
      Experiment.same("the follower", Option.isNone(ended) ? "running" : String(ended.value), "running"),
      Experiment.none("missed contacts", ledger.missed(), `${of}, ${ledger.deleted.size} deleted again`),
      Experiment.none("contacts that were repeated or not new", ledger.unexpected, total),
      Experiment.none("contacts out of order", unordered.map(String), Experiment.count(ledger.seen.length)),
      ...(["client", "server"] as const).map((side) =>
        Experiment.atMost(`growth of the ${side} in the second half`, growth(looks.map((look) => look[side])), 8, "MB")
      )
    ]
  }).pipe(Effect.provide(Clients.services(service.baseUrl)))

export default Experiment.make<Size>({
  name: "soak",
  promise: "each item once, in the order of creation; memory flat",
  small: { seed: 1, seconds: 2, changes: 100, poll: 10, pause: 20, pageSize: 10, looks: 6 },
  long: { seed: 1, seconds: 1800, changes: 1000, poll: 200, pause: 2000, pageSize: 100, looks: 30 },
  run: (size) =>
    Effect.gen(function*() {
      const service = yield* Service.start(yield* Service.place("SQLite"))
      yield* service.ask({ _tag: "Fill", contacts: initial })
      return yield* soak(size, service)
    }).pipe(Effect.scoped)
})
