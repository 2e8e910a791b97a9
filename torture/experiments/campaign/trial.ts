/** A campaign whose runner, service and database are killed at random moments, while the audience changes and days pass. */
import { ApiKeys } from "@mailstream/http"
import type { Faults } from "@mailstream/server"
import { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import * as Temporary from "@mailstream/testing/Temporary"
import { Cause, Effect, Fiber, Redacted, Schedule, Scope } from "effect"
import * as Experiment from "../../Experiment.ts"
import * as Clients from "../../support/clients.ts"
import * as Clock from "../../support/clock.ts"
import * as Service from "../../support/service.ts"
import * as Database from "./database.ts"
import { judge, read } from "./judge.ts"
import type { Plant } from "./plants.ts"

export interface Size extends Experiment.Size {
  readonly contacts: number
  /** How many emails a request has. */
  readonly batch: number
  /** How many lives the runner has; at the end of each, it is killed. */
  readonly kills: number
  readonly serverKills: number
  readonly databaseKills: number
  /** How often a runner is suspended, while another one takes the campaign over. */
  readonly pauses: number
  /** How often 25 hours pass. */
  readonly jumps: number
  /** The probability that a second runner is started beside the first. */
  readonly second: number
  /** How many emails the service accepts in a day, as a share of the contacts. */
  readonly quota: number
}

/** What differs from the campaign with an API key that may do everything. */
export interface Variant {
  readonly plant?: Plant | undefined
  /** The API key may only send: nobody can look at the emails of the account. */
  readonly isRestricted?: boolean | undefined
}

/** A third of the sends, two thirds of those after they were carried out. */
const faultsOf = (seed: number): Faults.Options => ({
  seed,
  rateLimit: { rate: 0.03, retryAfter: 0 },
  serverError: { rate: 0.03 },
  html: { rate: 0.01 },
  inProgress: { rate: 0.04 },
  reset: { rate: 0.08, only: "changes" },
  truncate: { rate: 0.05, only: "changes" },
  malform: { rate: 0.04, only: "changes" },
  // Some later than the runner waits.
  late: { rate: 0.3, delay: "1500 millis" }
})

const lease = 1000
/** Longer than any request is under way, also on a machine that is busy with other things. */
const settle = 10_000
const concurrency = 2

/** Whether the event that happens this many times in all happens in this life. */
const isDue = (times: number, lives: number, life: number): boolean =>
  Math.floor(times * (life + 1) / lives) > Math.floor(times * life / lives)

interface Runner extends Process.Running {
  /** How many requests it has begun. */
  readonly requests: () => number
}

/** Waits for something, but not for long. */
const patiently = (millis: number, until: () => boolean) =>
  Effect.repeat(Effect.sleep("5 millis"), { until }).pipe(Effect.timeout(millis), Effect.ignore)

const isOver = ({ child }: Runner): boolean => Process.endOf(child) !== undefined

/** Whatever a run may end with while everything fails. */
const isExpected = (end: string): boolean =>
  ["Success", "CampaignBusy", "CampaignTakenOver", "UndecidedRecipients"].includes(end) ||
  /^CampaignPaused (Quota|Unavailable)$/.test(end)

export const trial = (
  size: Size,
  store: Database.StoreName,
  { isRestricted = false, plant }: Variant = {}
): Effect.Effect<ReadonlyArray<Experiment.Finding>, unknown, Programs> =>
  Effect.gen(function*() {
    const dice = new Dice(size.seed, store.length)
    const { path } = yield* Programs
    const showProgress = yield* Experiment.Progress
    const who = isRestricted ? `${store}, restricted` : store
    const databases = yield* Database.make[store]
    const clock = Clock.make(yield* Temporary.file("clock"))
    const { ask, baseUrl, kill, replace } = yield* replaceable(size, databases, clock.file)
    yield* ask({ _tag: "Enroll", contacts: size.contacts })
    const restricted = isRestricted ? yield* restrictedKey(baseUrl) : ""

    const ledger = { kills: 0, seconds: 0, servers: 0, databases: 0, jumps: 0, pauses: 0, requests: 0, changes: 0 }
    const ends: Array<string> = []
    const inDoubt = new Set<number>()

    const start = (options: { readonly isLast: boolean; readonly isWaiting: boolean; readonly isHasty: boolean }) =>
      Effect.gen(function*() {
        const running = yield* Process.start([path("campaigner")], {
          env: {
            BASE_URL: baseUrl,
            DATABASE: databases.target,
            CLOCK: clock.file,
            RESTRICTED: restricted,
            PLANT: plant ?? "",
            HASTY: options.isHasty ? "1" : "0",
            OPTIONS: JSON.stringify({
              batchSize: size.batch,
              concurrency,
              lease,
              settle,
              onPause: options.isWaiting ? "wait" : "fail",
              onUndecided: options.isLast ? "report" : "fail"
            })
          }
        })
        let requests = 0
        running.child.stdout.on("data", (text: string) => {
          const more = text.split("request\n").length - 1
          requests += more
          ledger.requests += more
        })
        return { ...running, requests: () => requests } satisfies Runner
      })
    const startAny = Effect.suspend(() =>
      start({ isLast: false, isWaiting: dice.chance(0.3), isHasty: dice.chance(0.2) })
    )

    /** What a run ended with, if it did by itself. */
    const ended = (runner: Runner) =>
      Effect.map(runner.finished, ({ code, stderr, stdout }) => {
        const end = stdout.split("\n").find((line) => line.startsWith("ended "))?.slice("ended ".length)
        const described = end ?? (code === "SIGKILL" ? "killed" : `ended with ${code}: ${stderr.slice(-1000)}`)
        ends.push(described)
        return described
      })

    /**
     * 25 hours pass at once for the service and for all runners, which have been stopped: what they have sent has arrived by then, and
     * the responses have not.
     */
    const jump = (runners: ReadonlyArray<Runner>) =>
      Effect.gen(function*() {
        yield* Effect.forEach(runners, ({ kill }) => kill("SIGSTOP"))
        yield* Effect.ignore(Effect.sandbox(ask({ _tag: "Look" })))
        yield* Effect.sleep("500 millis")
        // It is not too busy to read what has arrived.
        yield* Effect.ignore(Effect.sandbox(ask({ _tag: "Look" })))
        const open = yield* Database.look(
          databases.target,
          (sql) =>
            sql<{ readonly unit: number }>`SELECT unit FROM mailstream_units WHERE state IN ('attempting', 'undecided')`
        ).pipe(
          Effect.catchIf(
            // There may be no tables yet.
            (error) => /no such table|does not exist/.test(Cause.pretty(Cause.fail(error))),
            () => Effect.succeed([])
          ),
          // Another process may lock the file.
          Effect.retry({ times: 200, schedule: Schedule.spaced("100 millis") })
        )
        for (const { unit } of open) inDoubt.add(Number(unit))
        clock.move()
        yield* Effect.forEach(runners, ({ kill }) => kill("SIGCONT"))
        ledger.jumps++
      })

    /** One life of a runner, or of two. */
    const life = (number: number) =>
      Effect.gen(function*() {
        const due = (times: number) => isDue(times, size.kills, number)
        const runners: Array<Runner> = [yield* startAny]
        if (dice.chance(size.second)) {
          runners.push(yield* startAny)
          ledger.seconds++
        }
        // The work of the campaign is spread over all lives.
        const goal = 1 + dice.below(Math.ceil(2.2 * size.contacts / size.batch / size.kills))
        const count = () => runners.reduce((sum, { requests }) => sum + requests(), 0)
        yield* patiently(15_000, () => count() > 0 || runners.every(isOver))
        yield* patiently(3000, () => count() >= goal || runners.every(isOver))
        yield* Effect.sleep(dice.below(60))
        if (due(size.serverKills)) {
          yield* kill
          ledger.servers++
          yield* Effect.sleep(dice.below(200))
          yield* replace
        }
        const isJumping = due(size.jumps)
        const isJumpingLater = dice.chance(0.5)
        if (due(size.pauses)) {
          const suspended = runners.find((runner) => runner.requests() > 0) ?? runners[0]!
          yield* suspended.kill("SIGSTOP")
          ledger.pauses++
          const heir = yield* startAny
          runners.push(heir)
          if (isJumping && !isJumpingLater) yield* jump(runners.filter((runner) => runner !== suspended))
          yield* patiently(15_000, () => heir.requests() > 0 || isOver(heir))
          yield* Effect.sleep(dice.below(300))
          yield* suspended.kill("SIGCONT")
          yield* patiently(2000, () => isOver(suspended))
        } else if (isJumping && !isJumpingLater) yield* jump(runners)
        if (due(size.databaseKills)) {
          yield* databases.fail(dice)
          ledger.databases++
          yield* Effect.sleep(dice.below(300))
        }
        let isUsedUp = count() === 0
        for (const runner of runners) {
          if (!isOver(runner)) {
            yield* runner.kill("SIGKILL")
            ledger.kills++
          }
          isUsedUp ||= (yield* ended(runner)) === "CampaignPaused Quota"
        }
        if (isUsedUp || isJumping && isJumpingLater) yield* jump([])
      }).pipe(Effect.scoped)

    let fresh = size.contacts
    const stir = Effect.suspend(() => {
      fresh += changesAtOnce
      ledger.changes += changesAtOnce
      const command = { seed: size.seed, count: changesAtOnce, fresh: fresh - changesAtOnce, contacts: size.contacts }
      return ask({ _tag: "Stir", ...command })
    }).pipe(
      // While the service is replaced, it does not respond.
      Effect.catchAllCause(() => Effect.sleep("50 millis")),
      Effect.repeat(Schedule.spaced("50 millis"))
    )

    const stirring = yield* Effect.fork(stir)
    for (let number = 0; number < size.kills; number++) {
      yield* life(number)
      if (number % 10 === 9 || number === size.kills - 1) {
        showProgress(`${who}: ${number + 1} of ${size.kills} lives, ${Experiment.count(ledger.requests)} requests`)
      }
    }
    yield* Fiber.interrupt(stirring)

    /** Runs in peace until everybody is dealt with. */
    const attempts = 60
    let last = ""
    for (let attempt = 0; attempt < attempts && last !== "Success"; attempt++) {
      last = yield* Effect.scoped(
        Effect.flatMap(start({ isLast: true, isWaiting: false, isHasty: false }), ended)
      )
      showProgress(
        `${who}: run ${attempt + 1} in peace ended with ${last}, ${Experiment.count(ledger.requests)} requests`
      )
      if (last === "CampaignPaused Quota") yield* jump([])
    }
    yield* kill
    const { count } = Experiment
    const often = (pattern: RegExp): number => ends.filter((end) => pattern.test(end)).length
    const unexpected = ends.filter((end) => end !== "killed" && !isExpected(end))
    return [
      ...judge(yield* read(databases), { contacts: size.contacts, inDoubt: isRestricted ? inDoubt : new Set() }),
      Experiment.same("how the last run ended", last, "Success"),
      Experiment.none("runs that ended with something unexpected", unexpected, `${count(ends.length)} runs`),
      Experiment.finding(
        "what happened meanwhile",
        `${count(ledger.requests)} sends, ${
          count(ledger.kills)
        } kills of runners (${ledger.seconds} times two at once), ` +
          `${ledger.servers} of the service, ${ledger.databases} of the database, ${ledger.pauses} suspended, ` +
          `25 hours passed ${ledger.jumps} times with ${inDoubt.size} requests in doubt, ${
            count(ledger.changes)
          } changes; ` +
          `${often(/Busy/)} runs were refused, ${often(/TakenOver/)} taken over, ${
            often(/Quota/)
          } used up the quota, ` +
          `${often(/Unavailable/)} gave up`,
        ledger.kills > 0 && ledger.jumps > 0
      )
    ]
  }).pipe(Effect.scoped)

/** How many changes of the audience are made at once. */
const changesAtOnce = 5

/** A service that can be killed, and replaced by another one at the same address. */
const replaceable = (size: Size, { place }: Database.Databases, clock: string) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const quota = Math.ceil(size.quota * size.contacts)
    let started = 0
    const start = (port?: number) =>
      Service.start(place, { port, clock, quota, faults: faultsOf(size.seed + started++) }).pipe(Scope.extend(scope))
    const first = yield* start()
    let current = first
    return {
      baseUrl: first.baseUrl,
      ask: (command: Parameters<Service.Service["ask"]>[0]) => Effect.suspend(() => current.ask(command)),
      kill: Effect.suspend(() => current.kill),
      replace: Effect.gen(function*() {
        current = yield* start(Number(new URL(first.baseUrl).port))
      })
    }
  })

/** An API key that may send, and nothing else. */
const restrictedKey = (baseUrl: string) =>
  Effect.flatMap(ApiKeys, ({ create }) => create({ name: "sender", permission: "sending_access" })).pipe(
    Effect.retry({ times: 20 }),
    Effect.map(({ token }) => Redacted.value(token)),
    Effect.provide(Clients.services(baseUrl))
  )
