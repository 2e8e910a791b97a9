/** Interrupts many walks at any point, and looks for leaks. */
import type { KeyValueStore } from "@effect/platform"
import { NodeKeyValueStore } from "@effect/platform-node"
import { Contacts } from "@mailstream/http"
import type { Mailstream } from "@mailstream/http"
import { Dice } from "@mailstream/testing/Dice"
import { numberOf } from "@mailstream/testing/Sample"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Deferred, Effect, Either, Fiber, Layer, Schedule, Supervisor } from "effect"
import { readdirSync } from "node:fs"
import * as Experiment from "../Experiment.ts"
import { clients, services } from "../support/clients.ts"
import { type Operation, operations, type Point, process as processing } from "./interruption/operations.ts"
import * as Server from "./interruption/server.ts"

interface Size extends Experiment.Size {
  readonly cancels: number
}

type Services = Mailstream.Mailstream | KeyValueStore.KeyValueStore

const points: ReadonlyArray<Point> = ["at once", "arrived", "headers", "body", "rejected", "item", "saving"]

/** How many share a client, and with it one rate limit. */
const together = 25

const settled = <E, R>(isOver: Effect.Effect<boolean, E, R>): Effect.Effect<boolean, E, R> =>
  Effect.repeat(
    isOver,
    Schedule.spaced("10 millis").pipe(
      Schedule.untilInput((over: boolean) => over),
      Schedule.intersect(Schedule.recurs(500))
    )
  ).pipe(
    Effect.zipRight(isOver)
  )

/** Begins something, and cancels it when it has reached a point, or a little later. */
const cancel = (service: Server.Service, number: number, seed: number, isLimited: boolean) =>
  Effect.gen(function*() {
    const dice = new Dice(seed, number)
    const guest = `guest-${number}`
    const operation: Operation = dice.pick(operations)
    const point = dice.pick(points)
    const times = 1 + dice.below(4)
    const reached = yield* Deferred.make<void>()
    let seen = 0
    const tell = (at: Point): void => {
      if (at === point && ++seen === times) Deferred.unsafeDone(reached, Effect.void)
    }
    service.guests.set(guest, { dice: new Dice(seed + 1, number), tell, isLimited })
    const fiber = yield* Effect.fork(operation.run(guest, tell))
    // A walk that never reaches the point is cancelled, too.
    if (point !== "at once") {
      yield* Effect.raceFirst(Deferred.await(reached), Effect.raceFirst(Fiber.await(fiber), Effect.sleep("500 millis")))
    }
    yield* Effect.replicateEffect(Effect.yieldNow(), dice.below(6), { discard: true })
    if (dice.chance(0.3)) yield* Effect.sleep(dice.below(5))
    const isUnderWay = fiber.unsafePoll() === null
    const isOver = yield* Effect.as(Fiber.interrupt(fiber), true).pipe(
      Effect.timeoutTo({ duration: "5 seconds", onSuccess: (over) => over, onTimeout: () => false })
    )
    const wrong = isOver ? [] : [`${operation.name} at ${point} does not end`]
    return { guest, operation: operation.name, isUnderWay, wrong }
  })

/** Resumes a cancelled walk from its checkpoint: it must return everything that is left. */
const resume = (guest: string) =>
  Effect.gen(function*() {
    const numbers: Array<number> = []
    const rest = yield* Effect.either(processing(guest, ({ id }) => Effect.sync(() => numbers.push(numberOf(id)))))
    if (Either.isLeft(rest)) return [`${guest} cannot be resumed: ${rest.left}`]
    // Several are handled at once.
    numbers.sort((a, b) => b - a)
    const isRight = numbers.every((n, index) => n === (numbers[0] ?? 0) - index) && (numbers.at(-1) ?? 1) === 1
    return isRight ? [] : [`${guest} resumes with ${numbers}`]
  })

/** If a turn had not been returned, the second request would wait for most of a minute: the service allows one more. */
const probe = (name: string): Effect.Effect<ReadonlyArray<string>, never, Contacts> =>
  Effect.flatMap(Contacts, ({ list }) => Effect.zipRight(list({ limit: 1 }), list({ limit: 1 }))).pipe(
    Effect.timeout("20 seconds"),
    Effect.match({ onFailure: (error) => [`${name}: no turn is left: ${error}`], onSuccess: () => [] })
  )

/** Several at a time, on one client. */
const group = (service: Server.Service, numbers: ReadonlyArray<number>, seed: number, isLimited: boolean) =>
  Effect.gen(function*() {
    const supervisor = yield* Supervisor.track
    const cancelled = yield* Effect.forEach(numbers, (number) => cancel(service, number, seed, isLimited), {
      concurrency: "unbounded"
    }).pipe(Effect.supervised(supervisor))
    const isQuiet = yield* settled(Effect.map(supervisor.value, (fibers) => fibers.length === 0))
    numbers.forEach((number) => service.guests.delete(`guest-${number}`))
    const kept = cancelled.filter(({ operation }) => operation === "process")
    const wrong = [
      ...cancelled.flatMap(({ wrong }) => wrong),
      ...(yield* Effect.forEach(kept, ({ guest }) => resume(guest))).flat(),
      ...(yield* probe(`group of ${numbers[0]}`)),
      ...(isQuiet ? [] : [`${(yield* supervisor.value).length} fibers of the group of ${numbers[0]} are still running`])
    ]
    return { wrong, underWay: cancelled.filter(({ isUnderWay }) => isUnderWay).length }
  })

const fileHandles = (): number => readdirSync("/proc/self/fd").length

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

const run = (size: Size) =>
  Effect.gen(function*() {
    const unhandled: Array<string> = []
    const note = (error: unknown): void => void unhandled.push(String(error))
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("unhandledRejection", note).on("uncaughtException", note)),
      () => Effect.sync(() => process.off("unhandledRejection", note).off("uncaughtException", note))
    )
    const directory = yield* Temporary.directory
    const before = { handles: fileHandles(), timers: timers() }
    const { left, results, served } = yield* Effect.scoped(Effect.gen(function*() {
      const service = yield* Server.make
      const groups = Array.chunksOf(Array.range(1, size.cancels), together)
      const results = yield* Effect.forEach(groups, (numbers, index) => {
        const [, client] = clients[index % clients.length]!
        const layer: Layer.Layer<Services> = Layer.merge(
          services(service.baseUrl, {}, client),
          Layer.orDie(NodeKeyValueStore.layerFileSystem(directory))
        )
        return Effect.provide(group(service, numbers, size.seed, index % 6 === 0), layer)
      }, { concurrency: 4 })
      const left = (yield* settled(Effect.sync(() => service.open() === 0))) ? 0 : service.open()
      return { left, results, served: service.served() }
    }))
    yield* settled(Effect.sync(() => fileHandles() <= before.handles && timers() <= before.timers))
    const underWay = results.reduce((sum, { underWay }) => sum + underWay, 0)
    const all = `${Experiment.count(size.cancels)} cancelled walks, ${Experiment.count(served)} requests`
    return [
      Experiment.finding(
        "walks that were running when they were cancelled",
        `${Experiment.count(underWay)} of ${Experiment.count(size.cancels)}`,
        underWay > size.cancels / 2
      ),
      Experiment.none(
        "cancelled walks that do not end, cannot be resumed, keep a turn or a fiber",
        results.flatMap(({ wrong }) => wrong),
        all
      ),
      Experiment.same("open requests", left, 0),
      Experiment.atMost("additional timers", timers() - before.timers, 0, "timers"),
      Experiment.atMost("additional file handles", fileHandles() - before.handles, 0, "handles"),
      Experiment.none("unhandled rejections", unhandled, all)
    ]
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "interruption",
  promise: "no request left open, no timer, no unhandled rejection, no file handle",
  small: { seed: 1, cancels: 300 },
  long: { seed: 1, cancels: 10_000 },
  run
})
