/**
 * SIGKILL on both sides at once: the command-line program that writes files with `--resume`, and the server that it
 * calls, at random moments, while others walk, follow and create; and writers of every class, killed in the middle of a request.
 */
import { RetryPolicy } from "@mailstream/http"
import { Dice } from "@mailstream/testing/Dice"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import * as Service from "../support/service.ts"
import * as Writers from "../support/writers.ts"
import * as Export from "./kill/Export.ts"
import * as Traffic from "./kill/Traffic.ts"
import * as Writing from "./kill/Writing.ts"

interface Size extends Experiment.Size {
  /** How often the command-line program is killed, half of it on each store. */
  readonly clientKills: number
  /** How often it is killed while it writes one file; then it may finish it. */
  readonly killsPerFile: number
  /** How many writers are killed, on each store. */
  readonly writerKills: number
  /** How often the server is killed, on each store. */
  readonly serverKills: number
  readonly contacts: number
  readonly creators: number
  /** How many milliseconds a response takes at most. */
  readonly latency: number
  /** How many milliseconds a server lives at most. */
  readonly life: number
}

/** Kills the server and starts it again at the same address, some time after it has begun to listen. */
const mortal = (size: Size, place: Service.Place, dice: Dice, first: Service.Service) =>
  Effect.gen(function*() {
    const port = Number(new URL(first.baseUrl).port)
    let service = first
    for (let kill = 0; kill < size.serverKills; kill++) {
      yield* Effect.sleep(dice.below(size.life))
      yield* service.kill
      service = yield* Service.start(place, { port, latency: size.latency })
    }
  })

const filled = (size: Size, place: Service.Place) =>
  Effect.gen(function*() {
    const service = yield* Service.start(place, { latency: size.latency })
    yield* service.ask({ _tag: "Fill", contacts: size.contacts })
    return { service, setting: { baseUrl: service.baseUrl, directory: yield* Temporary.directory } }
  })

const on = (size: Size, expected: Export.Reference) => (place: Service.Place) =>
  Effect.gen(function*() {
    const { service, setting } = yield* filled(size, place)
    const kills = { kills: size.clientKills / 2, killsPerFile: size.killsPerFile }
    const exporting = Export.run(setting, expected, kills, new Dice(size.seed, place.store.length))
    const writers = { kills: size.writerKills, latency: size.latency }
    const writing = Writing.run(service.baseUrl, writers, new Dice(size.seed, 3))
    const [[exported, entries], findings] = yield* Traffic.during(
      Effect.zipLeft(
        Effect.all([exporting, writing], { concurrency: 2 }),
        mortal(size, place, new Dice(size.seed, 2), service),
        { concurrent: true }
      ),
      size
    ).pipe(Effect.provide(Clients.services(service.baseUrl)))
    const written = yield* Effect.provide(
      Writers.judge(entries, RetryPolicy.default),
      Clients.services(service.baseUrl)
    )
    const of = `${exported.files}, over ${exported.kills} kills of the program and ${size.serverKills} of the server`
    return [Experiment.none("incomplete files", exported.wrong, of), ...findings, ...written]
  })

export default Experiment.make<Size>({
  name: "kill",
  promise:
    "a file holds each item exactly once; acknowledged creates survive; walks and followers lose nothing; no write happens twice",
  small: {
    seed: 1,
    clientKills: 6,
    killsPerFile: 1,
    writerKills: 2,
    serverKills: 1,
    contacts: 100,
    creators: 2,
    latency: 5,
    life: 400
  },
  long: {
    seed: 1,
    clientKills: 200,
    killsPerFile: 4,
    writerKills: 100,
    serverKills: 50,
    contacts: 600,
    creators: 4,
    latency: 20,
    life: 1500
  },
  run: (size) =>
    Effect.gen(function*() {
      // Written in one run, from a server that stays alive.
      const expected = yield* filled(size, { store: "memory", target: "" }).pipe(
        Effect.flatMap(({ setting }) => Export.reference(setting)),
        Effect.scoped
      )
      return yield* Service.onEach(["SQLite", "PostgreSQL"], on(size, expected), { concurrency: 2 })
    })
})
