/**
 * SIGKILL at random moments for a process that copies lists into a database, sometimes two of them at once, while the
 * lists change, and while the service and the database fail, too.
 */
import { SqlClient } from "@effect/sql"
import { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Effect, Fiber, Layer, Schedule, Scope } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Service from "../support/service.ts"
import * as Database from "./mirror/database.ts"
import { disturb } from "./mirror/disturbance.ts"
import { judge, type Verdict } from "./mirror/judge.ts"

interface Size extends Experiment.Size {
  readonly number: number
  readonly segments: number
  readonly receivedEmails: number
  readonly topics: number
  /** How often the mirror is killed, on each database. */
  readonly kills: number
  /** After how many kills the copy is left in peace, and compared. */
  readonly killsPerRest: number
  /** The probability that a second mirror runs beside the first. */
  readonly second: number
  /** The probabilities that the service is killed, or the database fails, during one life of a mirror. */
  readonly serviceKills: number
  readonly disturbances: number
  /** How many changes are made at once. */
  readonly mutations: number
}

const start = (baseUrl: string, target: string, isRest: boolean) =>
  Effect.flatMap(Programs, ({ path }) =>
    Process.start([path("mirror")], {
      env: { BASE_URL: baseUrl, DATABASE: target, REST: isRest ? "1" : "0" }
    }))

/** A service that can be replaced by another one at the same address. */
const replaceable = (place: Service.Place) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const first = yield* Service.start(place)
    let current = first
    return {
      baseUrl: first.baseUrl,
      ask: (command: Parameters<Service.Service["ask"]>[0]) => Effect.suspend(() => current.ask(command)),
      replace: Effect.gen(function*() {
        yield* current.kill
        current = yield* Service.start(place, { port: Number(new URL(first.baseUrl).port) })
      }).pipe(Scope.extend(scope))
    }
  })

/** One comparison at a time: it needs much memory. */
const judging = Effect.unsafeMakeSemaphore(1)

/** Makes one undisturbed pass that begins after this, and compares. Also returns how long the pass took. */
const rest = (baseUrl: string, target: string) =>
  Effect.gen(function*() {
    const { code, stderr, stdout } = yield* Effect.scoped(
      Effect.flatMap(start(baseUrl, target, true), ({ finished }) => finished)
    )
    if (code !== 0) return yield* Effect.dieMessage(`the mirror ended with ${code}: ${stdout}${stderr}`)
    const verdict = yield* judge.pipe(
      Effect.provide(Layer.merge(Clients.services(baseUrl), Database.copy(target))),
      judging.withPermits(1)
    )
    return { took: Number(stdout.trim().split("\n").at(-1)), verdict }
  })

const on = (size: Size) => (place: Service.Place) =>
  Effect.gen(function*() {
    const { number: contacts, receivedEmails, segments, topics } = size
    const counts = { contacts, receivedEmails, segments, topics }
    const dice = new Dice(size.seed, place.store.length)
    const showProgress = yield* Experiment.Progress
    const target = (yield* Service.place(place.store)).target
    const service = yield* replaceable(place)
    yield* service.ask({ _tag: "Fill", ...counts })
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.unsafe(`CREATE TABLE ${Database.consumed} (seq BIGINT, kind TEXT, id TEXT)`)).pipe(
        Effect.provide(Database.copy(target))
      )

    let fresh = Math.max(contacts, receivedEmails, topics)
    let mutations = 0
    const mutate = Effect.suspend(() => {
      fresh += size.mutations
      mutations += size.mutations
      return service.ask({
        _tag: "Mutate",
        ...counts,
        seed: size.seed,
        count: size.mutations,
        fresh: fresh - size.mutations
      })
    }).pipe(
      // While the service is replaced, it does not respond.
      Effect.catchAllCause(() =>
        Effect.sleep("50 millis")
      ),
      Effect.repeat(Schedule.spaced("20 millis"))
    )

    const ledger = { kills: 0, seconds: 0, services: 0, disturbances: 0, rests: 0 }
    /** One life of a mirror, or of two. */
    const life = (span: number) =>
      Effect.gen(function*() {
        const hasSecond = dice.chance(size.second)
        const first = yield* start(service.baseUrl, target, false)
        const all = hasSecond ? [first, yield* start(service.baseUrl, target, false)] : [first]
        yield* Effect.forEach(all, ({ finished, line }) => Effect.raceFirst(line, finished), {
          concurrency: "unbounded"
        })
        if (dice.chance(size.serviceKills)) {
          yield* Effect.sleep(dice.below(span))
          yield* service.replace
          ledger.services++
        }
        if (dice.chance(size.disturbances)) {
          yield* disturb(target, dice)
          ledger.disturbances++
        }
        yield* Effect.sleep(dice.below(span))
        for (const { child, finished, kill } of all) {
          const ended = Process.endOf(child)
          if (ended !== undefined) {
            return yield* Effect.dieMessage(`a mirror ended with ${ended}: ${(yield* finished).stderr}`)
          }
          yield* kill("SIGKILL")
          yield* finished
        }
        ledger.kills += all.length
        if (hasSecond) ledger.seconds++
      })

    const verdicts: Array<Verdict> = []
    // Until the first comparison, the span is a guess.
    let span = Math.max(1000, contacts / 200)
    while (ledger.kills < size.kills) {
      const enough = Math.min(size.kills, ledger.kills + size.killsPerRest)
      const mutating = yield* Effect.fork(mutate)
      while (ledger.kills < enough) yield* Effect.scoped(life(span))
      yield* Fiber.interrupt(mutating)
      // A batch of changes may still be under way.
      yield* service.ask({ _tag: "Look" })
      const { took, verdict } = yield* rest(service.baseUrl, target)
      // Each life continues the pass of the last one, so kills hit all of it.
      span = Math.max(200, took / 4)
      verdicts.push(verdict)
      ledger.rests++
      const found = verdict.wrongRows.length + verdict.wrongChanges.length + verdict.wrongConsumer.length
      showProgress(
        `${place.store}: ${ledger.kills} of ${size.kills} kills, ${Experiment.count(verdict.items)} items and ` +
          `${Experiment.count(verdict.changes)} changes compared, ${found} wrong`
      )
    }
    const count = Experiment.count
    const last = verdicts.at(-1)
    const during =
      `${ledger.kills} kills (${ledger.seconds} with a second mirror), ${ledger.services} of the service, ` +
      `${ledger.disturbances} of the database, ${count(mutations)} changes`
    const wrong = (of: (verdict: Verdict) => ReadonlyArray<string>) => verdicts.flatMap(of)
    return [
      Experiment.none(
        "rows that differ from the list",
        wrong(({ wrongRows }) => wrongRows),
        `${count(last?.items ?? 0)}, compared ${ledger.rests} times, over ${during}`
      ),
      Experiment.none(
        "changes that are missing, repeated or do not produce the copy",
        wrong(({ wrongChanges }) => wrongChanges),
        count(last?.changes ?? 0)
      ),
      Experiment.none(
        "changes that the consumer has not processed exactly once",
        wrong(({ wrongConsumer }) => wrongConsumer),
        "those of contacts"
      )
    ]
  })

export default Experiment.make<Size>({
  name: "mirror",
  promise: "at rest the copy is the list, its changes produce it, and a consumer processes each of them once",
  small: {
    seed: 1,
    number: 2000,
    segments: 5,
    receivedEmails: 100,
    topics: 700,
    kills: 5,
    killsPerRest: 5,
    second: 0.3,
    serviceKills: 0.3,
    disturbances: 0.4,
    mutations: 5
  },
  long: {
    seed: 1,
    number: 1_000_000,
    segments: 20,
    receivedEmails: 1000,
    topics: 5000,
    kills: 200,
    killsPerRest: 50,
    second: 0.3,
    serviceKills: 0.1,
    disturbances: 0.3,
    mutations: 20
  },
  run: (size) => Service.onEach(["SQLite", "PostgreSQL"], on(size), { concurrency: 2 })
})
