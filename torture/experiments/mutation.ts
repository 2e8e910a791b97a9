/** Random inserts and deletions before every page of a walk. */
import { SqlStore, Store } from "@mailstream/server"
import { Dice } from "@mailstream/testing/Dice"
import { Postgres } from "@mailstream/testing/Postgres"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Effect, Layer } from "effect"
import * as Experiment from "../Experiment.ts"
import { services } from "../support/clients.ts"
import { changes, walks } from "./mutation/walks.ts"
import * as World from "./mutation/world.ts"

interface Size extends Experiment.Size {
  readonly rounds: number
}

type Mode = keyof typeof walks

const modes: ReadonlyArray<Mode> = ["forward", "backward", "committed", "processed", "follow"]

const stores: Record<string, Layer.Layer<Store, unknown, Postgres>> = {
  memory: Store.layerMemory,
  SQLite: Layer.unwrapScoped(
    Effect.map(Temporary.file("store.db"), (filename) => SqlStore.layerSqlite({ filename }))
  ),
  PostgreSQL: Layer.unwrapEffect(
    Effect.map(Effect.flatMap(Postgres, ({ database }) => database), (url) => SqlStore.layerPostgres({ url }))
  )
}

const rounds = (world: World.World, title: string, mode: Mode, seed: number, count: number) =>
  Effect.gen(function*() {
    const wrong: Array<string> = []
    let items = 0
    let lost = 0
    for (let number = 0; number < count; number++) {
      const dice = new Dice(seed, number)
      const size = 1 + dice.below(40)
      const inSegment = dice.chance(0.5)
      const round = yield* world.begin({ dice, size, inSegment, changes: changes[mode] })
      const verdict = yield* walks[mode](round, dice, world.gone)
      items += verdict.items
      if (verdict.isLost) lost++
      if (verdict.wrong !== undefined) wrong.push(`${title}, round ${number}: ${verdict.wrong}`)
    }
    return { mode, items, lost, wrong }
  })

const run = (size: Size) =>
  Effect.gen(function*() {
    const places = Array.cartesian(Object.entries(stores), ["stands", "404"] as const)
    const count = Math.ceil(size.rounds / (places.length * modes.length))
    const results = yield* Effect.forEach(places, ([[name, store], gone], place) =>
      Effect.gen(function*() {
        const world = yield* World.make(gone)
        return yield* Effect.forEach(modes, (mode, index) => {
          const title = `${name}, deleted cursors: ${gone}, ${mode}`
          return rounds(world, title, mode, size.seed + 1000 * (10 * place + index), count)
        }).pipe(Effect.provide(services(world.baseUrl)))
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(store))), { concurrency: "unbounded" })
    return modes.map((mode) => {
      const all = results.flat().filter((result) => result.mode === mode)
      const sum = (key: "items" | "lost") => Experiment.count(all.reduce((sum, result) => sum + result[key], 0))
      return Experiment.none(
        `${mode}: missed, repeated or out of order`,
        all.flatMap(({ wrong }) => wrong),
        `${Experiment.count(count * places.length)} rounds with ${sum("items")} items; ${
          sum("lost")
        } lost their position`
      )
    })
  })

export default Experiment.make<Size>({
  name: "mutation",
  promise: "items present throughout are seen exactly once; none twice",
  small: { seed: 1, rounds: 180 },
  long: { seed: 1, rounds: 10_000 },
  run
})
