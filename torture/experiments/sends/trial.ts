/** Senders and a server that are killed at random moments, on one store. */
import type { Faults } from "@mailstream/server"
import { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Effect } from "effect"
import * as Experiment from "../../Experiment.ts"
import type * as Plants from "../../support/plants.ts"
import * as Service from "../../support/service.ts"
import { judge, read } from "./judge.ts"
import type * as Plan from "./plan.ts"

export interface Size extends Experiment.Size {
  /** How many calls of `send` and `sendBatch` there are, on each store. */
  readonly sends: number
  /** How many processes send at the same time. */
  readonly senders: number
  /** How often each of them is killed. */
  readonly kills: number
  /** How often the server is killed. */
  readonly serverKills: number
}

/** What is planted to show that the judge finds it: a fault of the server, or a sender with a new key for each attempt. */
export type Plant = Plants.Name | "newKeys"

/** 30 % of the requests, two thirds of them after they were carried out. */
const faultsOf = (seed: number): Faults.Options => ({
  seed,
  rateLimit: { rate: 0.04, retryAfter: 0 },
  serverError: { rate: 0.04 },
  html: { rate: 0.01 },
  reset: { rate: 0.07 },
  truncate: { rate: 0.06 },
  malform: { rate: 0.04 },
  inProgress: { rate: 0.04 },
  // Some later than senders wait.
  late: { rate: 0.05, delay: "1500 millis" }
})

/** What one sender and its successors were told, each life by itself. */
interface Ledger {
  readonly lives: ReadonlyArray<ReadonlyMap<number, Plan.Told>>
  readonly requests: number
}

/** How many lines all senders have printed: kills are spread over the work, however long it takes. */
interface Progress {
  lines: number
}

/** Sends until everything is settled. One that is killed is started again for what it had not confirmed. */
const sending = (
  baseUrl: string,
  all: ReadonlyArray<number>,
  kills: number,
  dice: Dice,
  progress: Progress,
  plant: Plant | undefined
): Effect.Effect<Ledger, never, Programs> =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const lives: Array<ReadonlyMap<number, Plan.Told>> = []
    let requests = 0
    let numbers = all
    // Two lines for each send: every life gets about the same share of them, and the last one is not killed.
    const share = Math.ceil(4 * all.length / (kills + 1))
    for (let life = 0; life <= kills; life++) {
      const isLast = life === kills
      const running = Process.start([path("sender")], {
        env: {
          BASE_URL: baseUrl,
          NUMBERS: JSON.stringify(numbers),
          KILL_AT: isLast ? "0" : String(1 + dice.below(Math.min(share, numbers.length))),
          KILL_DELAY: String(dice.below(40)),
          PLANT: plant ?? ""
        }
      })
      const { code, stderr, stdout } = yield* Effect.scoped(Effect.flatMap(running, ({ child, finished }) => {
        child.stdout.on("data", (text: string) => {
          progress.lines += text.split("\n").length - 1
        })
        return finished
      }))
      if (code !== "SIGKILL" && code !== 0) return yield* Effect.dieMessage(`A sender ended with ${code}: ${stderr}`)
      const entries = stdout.split("\n").slice(0, -1).map((line): Plan.Entry => JSON.parse(line))
      const told = new Map(entries.map(({ number, told }) => [number, told]))
      lives.push(told)
      requests += entries.at(-1)?.requests ?? 0
      numbers = numbers.filter((number) => !["done", "not_processed"].includes(told.get(number)?._tag ?? "begun"))
      if (numbers.length === 0) break
    }
    return { lives, requests }
  })

/** Sends everything while the server is killed again and again, and then compares with the store that it has left. */
export const trial =
  (size: Size, plant?: Plant) =>
  (place: Service.Place): Effect.Effect<ReadonlyArray<Experiment.Finding>, unknown, Programs> =>
    Effect.gen(function*() {
      const dice = new Dice(size.seed, 1)
      let serverKills = 0
      const start = (port?: number) =>
        Service.start(place, {
          port,
          faults: faultsOf(size.seed + serverKills),
          plant: plant === "newKeys" ? undefined : plant
        })
      const progress: Progress = { lines: 0 }
      const mortal = (first: Service.Service) =>
        Effect.gen(function*() {
          let service = first
          while (serverKills < size.serverKills) {
            const next = (serverKills + 1) * 2 * size.sends / (size.serverKills + 1)
            yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => progress.lines >= next })
            yield* Effect.sleep(dice.below(50))
            yield* service.kill
            serverKills++
            service = yield* start(Number(new URL(first.baseUrl).port))
          }
        })
      const ledgers = yield* Effect.gen(function*() {
        const first = yield* start()
        const senders = Effect.forEach(Array.from({ length: size.senders }, (_, index) => index), (sender) => {
          const numbers = Array.from({ length: size.sends }, (_, number) => number)
            .filter((number) => number % size.senders === sender)
          return sending(first.baseUrl, numbers, size.kills, new Dice(size.seed, 2 + sender), progress, plant)
        }, { concurrency: "unbounded" })
        return yield* Effect.zipLeft(senders, mortal(first), { concurrent: true })
      }).pipe(Effect.scoped)
      const told = new Map<number, Array<Plan.Told>>()
      for (const [number, last] of ledgers.flatMap(({ lives }) => lives.flatMap((life) => [...life]))) {
        told.set(number, [...told.get(number) ?? [], last])
      }
      const requests = ledgers.reduce((sum, ledger) => sum + ledger.requests, 0)
      const clientKills = ledgers.reduce((sum, { lives }) => sum + lives.length - 1, 0)
      const { count } = Experiment
      return [
        ...judge(told, yield* read(place)),
        Experiment.same("sends that were attempted", count(told.size), count(size.sends)),
        Experiment.finding(
          "requests, over kills and faults",
          `${count(requests)} for ${count(size.sends)} sends, over ${clientKills} kills of senders and ` +
            `${serverKills} of the server`,
          requests > 1.2 * size.sends && clientKills > 0
        )
      ]
    })
