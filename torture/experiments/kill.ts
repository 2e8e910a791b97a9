/**
 * SIGKILL on both sides at once: the command-line program that writes files with `--resume`, and the server that it
 * asks, at random instants, while others walk, follow and create.
 */
import { Effect } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Clients from "../support/clients.ts"
import { Dice } from "../support/dice.ts"
import * as Postgres from "../support/postgres.ts"
import * as Bundles from "../support/programs.ts"
import * as Service from "../support/service.ts"
import * as Temporary from "../support/temporary.ts"
import * as Export from "./kill/Export.ts"
import * as Traffic from "./kill/Traffic.ts"

interface Size extends Experiment.Size {
  /** How often the command-line program is killed, half of it on each store. */
  readonly clientKills: number
  /** How often it is killed over one file; then it may finish it. */
  readonly killsPerFile: number
  /** How often the server is killed, on each store. */
  readonly serverKills: number
  readonly contacts: number
  readonly creators: number
  /** How many milliseconds an answer takes at the most. */
  readonly latency: number
  /** How many milliseconds a server lives at the most. */
  readonly life: number
}

/** The files that start the programs. */
type Programs = Pick<Export.Setting, "program" | "mortal"> & { readonly service: string }

/** A server that is killed and started again at the same place, some time after it has begun to listen. */
const mortal = (size: Size, program: string, place: Service.Place, dice: Dice, first: Service.Service) =>
  Effect.gen(function*() {
    const port = Number(new URL(first.baseUrl).port)
    let service = first
    for (let kill = 0; kill < size.serverKills; kill++) {
      yield* Effect.sleep(dice.below(size.life))
      yield* service.kill
      service = yield* Service.start(program, place, { port, latency: size.latency })
    }
    return service
  })

/** What files are to be, from a server that nobody kills. */
const reference = (size: Size, programs: Programs) =>
  Effect.gen(function*() {
    const service = yield* Service.start(programs.service, Service.memory, { latency: size.latency })
    yield* service.ask({ _tag: "Fill", contacts: size.contacts })
    return yield* Export.reference({ ...programs, baseUrl: service.baseUrl, directory: yield* Temporary.directory })
  }).pipe(Effect.scoped)

const on = (size: Size, programs: Programs, expected: Export.Reference) => (place: Service.Place) =>
  Effect.gen(function*() {
    const service = yield* Service.start(programs.service, place, { latency: size.latency })
    yield* service.ask({ _tag: "Fill", contacts: size.contacts })
    const setting = { ...programs, baseUrl: service.baseUrl, directory: yield* Temporary.directory }
    const exporting = Export.run(
      setting,
      expected,
      { kills: size.clientKills / 2, killsPerFile: size.killsPerFile },
      new Dice(size.seed, place.name.length)
    )
    const [[, exported], findings] = yield* Traffic.during(
      Effect.all([mortal(size, programs.service, place, new Dice(size.seed, 2), service), exporting], {
        concurrency: 2
      }),
      size
    ).pipe(Effect.provide(Clients.services(service.baseUrl)))
    const count = Experiment.count
    return [
      Experiment.none(
        "files that are not whole",
        exported.wrong,
        `${count(exported.files)}, over ${
          count(exported.kills)
        } kills of the program and ${size.serverKills} of the server`
      ),
      ...findings
    ].map((finding): Experiment.Finding => ({ ...finding, what: `${place.name}: ${finding.what}` }))
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "kill",
  promise: "a file holds each item exactly once; acknowledged creates survive; walks and followers lose nothing",
  small: {
    seed: 1,
    clientKills: 6,
    killsPerFile: 1,
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
    serverKills: 50,
    contacts: 600,
    creators: 4,
    latency: 20,
    life: 1500
  },
  run: (size) =>
    Effect.gen(function*() {
      const programs = {
        program: yield* Bundles.bundled("mailstream"),
        mortal: yield* Bundles.bundled("mortal"),
        service: yield* Bundles.bundled("service")
      }
      const expected = yield* reference(size, programs)
      const places = [yield* Service.sqlite, yield* Service.postgres(yield* Postgres.make)]
      return (yield* Effect.forEach(places, on(size, programs, expected), { concurrency: 2 })).flat()
    }).pipe(Effect.scoped)
})
