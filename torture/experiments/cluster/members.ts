/**
 * Workers, each on a machine of its own: between it and the database and the service there are networks that fail. Each can be
 * killed, paused, stopped and replaced.
 */
import type { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import * as Tcp from "@mailstream/testing/Tcp"
import { Duration, Effect, Option, Scope } from "effect"
import * as Mark from "../../support/mark.ts"

export interface Size {
  readonly accounts: number
  readonly workers: number
  /** Seconds after which the accounts of a lost worker are taken over. */
  readonly expiration: number
  /** The longest time from one disturbance to the next, in seconds. */
  readonly spacing: number
}

/** How a network fails. */
export const faults = ["halfOpen", "cut", "refusal", "isolation", "partition"] as const

export type Fault = typeof faults[number]

/** How many accounts a worker copies at once. */
export const maxAccounts = 8

/** How long a worker may take to stop, whatever is down. */
export const patience = Duration.seconds(10)

const hour = 60 * 60 * 1000

/** By how much the wall clock of a worker is off, in milliseconds. */
const skews = [0, 0, 25 * hour, -25 * hour, 10 * 60 * 1000, -hour]

interface Networks {
  readonly database: Tcp.Tcp
  readonly service: Tcp.Tcp
}

const portOf = (url: string): number => Number(new URL(url).port)

const through = (url: string, { port }: Tcp.Tcp): string => {
  const other = new URL(url)
  other.port = String(port)
  other.hostname = "127.0.0.1"
  return other.href.replace(/\/$/, "")
}

/** `takeover` waits until the accounts of a worker that is gone are free, and returns how many seconds that took. */
export const make = (
  size: Size,
  dice: Dice,
  environment: { readonly database: string; readonly baseUrl: string },
  takeover: (name: string) => Effect.Effect<Option.Option<number>>
) =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const scope = yield* Effect.scope
    let started = 0
    let endedAlone = 0
    const stops: Array<{ readonly fault: string; readonly seconds: number }> = []
    const takeovers: Array<number> = []
    const begun = new Map<string, number>()

    const start = (slot: number, { database, service }: Networks) =>
      Effect.gen(function*() {
        const name = `worker-${++started}`
        const running = yield* Process.start([path("member")], {
          env: {
            DATABASE: through(environment.database, database),
            KEY: Mark.key,
            ACCOUNTS: String(size.accounts),
            NAME: name,
            SKEW: String(dice.pick(skews)),
            LOUD: process.argv.includes("loud") ? "1" : "0",
            OPTIONS: JSON.stringify({
              // Whether two of them have one name makes no difference.
              name: slot < 2 ? "twin" : name,
              baseUrl: through(environment.baseUrl, service),
              every: "5 seconds",
              maxAccounts,
              lists: ["contacts", "topics"],
              lockExpiration: `${size.expiration} seconds`,
              minBackoff: "1 second",
              maxBackoff: "5 seconds",
              maxDeleted: 1
            })
          }
        })
        if (process.argv.includes("loud")) running.child.stderr.on("data", (text: string) => process.stderr.write(text))
        return { ...running, database, service, name, isTwin: slot < 2 }
      }).pipe(Scope.extend(scope))

    const slots = yield* Effect.forEach(
      Array.from({ length: size.workers }),
      (_, slot) =>
        Effect.flatMap(
          Effect.all({
            database: Tcp.make("127.0.0.1", portOf(environment.database)),
            service: Tcp.make("127.0.0.1", portOf(environment.baseUrl))
          }),
          (networks) => start(slot, networks)
        )
    )
    const restart = (slot: number) =>
      Effect.gen(function*() {
        slots[slot] = yield* start(slot, slots[slot]!)
      })
    const pick = () => {
      const slot = dice.below(slots.length)
      return { slot, victim: slots[slot]! }
    }
    /** A part of the time after which accounts are taken over, or up to twice that. */
    const aWhile = Effect.suspend(() => Effect.sleep(Duration.millis(size.expiration * (300 + dice.below(1700)))))

    /** A worker that cannot start, as without a database, ends, and is started again, as a supervisor would. */
    const revive = Effect.forEach(
      slots,
      ({ child }, slot) =>
        Process.endOf(child) === undefined ? Effect.void : Effect.gen(function*() {
          endedAlone++
          yield* restart(slot)
        }),
      { discard: true }
    )

    const kill = Effect.gen(function*() {
      const { slot, victim } = pick()
      yield* victim.kill("SIGKILL")
      yield* Process.ended(victim.child)
      if (!victim.isTwin) takeovers.push(...Option.toArray(yield* takeover(victim.name)))
      yield* Effect.sleep(Duration.seconds(dice.below(size.spacing + 1)))
      yield* restart(slot)
    })

    const pause = Effect.gen(function*() {
      const { victim } = pick()
      yield* victim.kill("SIGSTOP")
      yield* aWhile
      yield* victim.kill("SIGCONT")
    })

    /** Sets a clock while its worker is at work. */
    const jump = Effect.suspend(() => pick().victim.kill("SIGUSR2"))

    /** Asks a worker to stop, and notes how long that took. */
    const stop = (fault: string, { child, kill }: Process.Running) =>
      Effect.gen(function*() {
        if (Process.endOf(child) !== undefined) return
        yield* kill("SIGTERM")
        const [took] = yield* Effect.timed(Effect.timeoutOption(Process.ended(child), "30 seconds"))
        stops.push({ fault, seconds: Duration.toSeconds(took) })
        yield* Process.kill(child)
      })

    /** Every other time, the worker is asked to stop in the middle of it. */
    const during = (fault: string, worker: { readonly slot: number; readonly victim: Process.Running }) => {
      const count = begun.get(fault) ?? 0
      begun.set(fault, count + 1)
      const isStopped = count % 2 === 0
      return {
        isStopped,
        middle: isStopped ? Effect.zipRight(aWhile, stop(fault, worker.victim)) : aWhile,
        after: isStopped ? restart(worker.slot) : Effect.void
      }
    }

    const fail = (fault: Fault) =>
      Effect.gen(function*() {
        const { slot, victim } = pick()
        const { database, service } = victim
        const { after, middle } = during(fault, { slot, victim })
        switch (fault) {
          case "halfOpen":
            yield* database.freezeOld
            yield* middle
            yield* database.cut
            break
          case "cut":
            yield* Effect.forEach(slots, ({ database, service }) => Effect.zipRight(database.cut, service.cut))
            yield* middle
            break
          case "refusal":
            yield* Effect.zipRight(database.refuse, database.cut)
            yield* middle
            yield* database.accept
            break
          case "isolation":
            yield* Effect.zipRight(database.freeze, service.freeze)
            yield* middle
            yield* Effect.zipRight(database.thaw, service.thaw)
            break
          case "partition":
            yield* database.freeze
            yield* middle
            yield* database.thaw
        }
        yield* after
      })

    /** The same in the middle of something that concerns all of them. */
    const stopDuring = <E, R>(fault: string, disturbance: Effect.Effect<unknown, E, R>) =>
      Effect.gen(function*() {
        const { slot, victim } = pick()
        const { after, isStopped } = during(fault, { slot, victim })
        const stopped = Effect.zipRight(Effect.sleep(dice.below(500)), stop(fault, victim))
        yield* Effect.all([disturbance, Effect.when(stopped, () => isStopped)], { concurrency: "unbounded" })
        yield* after
      })

    return { kill, pause, jump, fail, stopDuring, revive, endedAlone: () => endedAlone, stops, takeovers }
  })
