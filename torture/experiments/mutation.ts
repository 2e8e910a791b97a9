/** Inserts and deletes at random, before every page, while somebody walks. */
import { Effect, Layer } from "effect"
import * as Experiment from "../Experiment.ts"
import { services } from "../support/clients.ts"
import { Dice } from "../support/dice.ts"
import * as Stores from "../support/stores.ts"
import { changes, walks } from "./mutation/walks.ts"
import * as World from "./mutation/world.ts"

interface Size extends Experiment.Size {
  readonly rounds: number
}

type Mode = keyof typeof walks

const modes: ReadonlyArray<Mode> = ["forward", "backward", "checkpointed", "resumable", "follow"]

/** What came of so many rounds of a mode. */
interface Result {
  readonly mode: Mode
  readonly items: number
  readonly lost: number
  readonly wrong: ReadonlyArray<string>
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

const run = (size: Size): Effect.Effect<ReadonlyArray<Experiment.Finding>, unknown> =>
  Effect.gen(function*() {
    const stores = yield* Stores.all
    const count = Math.ceil(size.rounds / (stores.length * 2 * modes.length))
    const places = stores.flatMap(([name, store]) =>
      (["stands", "404"] as const).map((gone) => ({ name: `${name}, deleted cursors: ${gone}`, store, gone }))
    )
    const results = yield* Effect.forEach(places, ({ gone, name, store }, place) =>
      Effect.gen(function*() {
        const world = yield* World.make(gone)
        return yield* Effect.forEach(
          modes,
          (mode, index) => rounds(world, `${name}, ${mode}`, mode, size.seed + 1000 * (10 * place + index), count)
        ).pipe(
          Effect.provide(services(world.baseUrl))
        )
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(store))), { concurrency: "unbounded" })
    return modes.map((mode) =>
      findingOf(results.flat().filter((one) => one.mode === mode), mode, count * places.length)
    )
  }).pipe(Effect.scoped)

const findingOf = (results: ReadonlyArray<Result>, mode: Mode, rounds: number): Experiment.Finding => {
  const sum = (of: (result: Result) => number) => Experiment.count(results.reduce((sum, one) => sum + of(one), 0))
  return Experiment.none(
    `${mode}: missed, twice or out of order`,
    results.flatMap(({ wrong }) => wrong),
    `${Experiment.count(rounds)} rounds with ${sum(({ items }) => items)} items; ${
      sum(({ lost }) => lost)
    } were told ` +
      "that their place is lost"
  )
}

export default Experiment.make<Size>({
  name: "mutation",
  promise: "items present throughout are seen exactly once; none twice",
  small: { seed: 1, rounds: 180 },
  long: { seed: 1, rounds: 10_000 },
  run
})
