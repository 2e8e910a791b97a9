/**
 * Runs pipelines over all contacts, several at once, until each of them has handled everything. `FIRST` and `COUNT` say
 * which of those that follow from `SEED`. Everything that happens is appended to a file for each pipeline in `DIRECTORY`,
 * so that it survives SIGKILL at any instant.
 */
import { NodeKeyValueStore, NodeRuntime } from "@effect/platform-node"
import { Dice } from "@mailstream/testing/Dice"
import { Array, Effect, Layer } from "effect"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import * as Pipelines from "../experiments/pipelines/pipelines.ts"
import { services } from "../support/clients.ts"

const { BASE_URL = "", COUNT = "1", DIRECTORY = "", FIRST = "0", SEED = "1" } = process.env

const run = (number: number) => {
  const log = (line: string): void => appendFileSync(join(DIRECTORY, `${number}.log`), `${line}\n`)
  const pipeline = Pipelines.make(new Dice(Number(SEED), number))
  const dice = new Dice(Number(SEED) + process.pid, number)
  return Effect.suspend(() =>
    pipeline.run(`pipeline-${number}`, {
      begins: Effect.sync(() => log("begins")),
      handle: ({ id }) =>
        Effect.suspend(() => {
          if (dice.chance(0.002)) return Effect.fail("broken" as const)
          log(`handled ${id}`)
          return dice.chance(0.05) ? Effect.sleep(dice.below(3)) : Effect.void
        }),
      committed: ({ data }) =>
        Effect.sync(() => {
          const [first] = data
          const last = data.at(-1)
          if (first !== undefined && last !== undefined) log(`committed ${first.id} ${last.id}`)
        })
    })
  ).pipe(
    // A pipeline that breaks is started again in the same process.
    Effect.retry({ while: (error) => error === "broken" }),
    Effect.zipRight(Effect.sync(() => log("done")))
  )
}

const program = Effect.gen(function*() {
  process.stdout.write("ready\n")
  yield* Effect.forEach(Array.makeBy(Number(COUNT), (index) => Number(FIRST) + index), run, {
    concurrency: "unbounded",
    discard: true
  })
})

program.pipe(
  Effect.provide(Layer.merge(services(BASE_URL), NodeKeyValueStore.layerFileSystem(join(DIRECTORY, "state")))),
  NodeRuntime.runMain
)
