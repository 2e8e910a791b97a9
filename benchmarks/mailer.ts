/**
 * Runs a campaign for `SIZE` people with the service at `BASE_URL`, in a process of its own: `DATABASE` is the URL of PostgreSQL, or
 * the path of an SQLite file. Reports the largest heap without garbage, in bytes, of those measured a hundred times on the way.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Campaign } from "@mailstream/campaign"
import { Effect } from "effect"
import * as Campaigns from "./campaigns.ts"
import * as Setting from "./setting.ts"

const { BASE_URL = "", DATABASE = "", SIZE = "" } = process.env

const size = Number(SIZE)
const every = Math.max(1, Math.floor(size / 100 / 100))
let largest = 0

const look = (batch: number): void => {
  if (batch % every !== 0) return
  globalThis.gc?.()
  largest = Math.max(largest, process.memoryUsage().heapUsed)
}

NodeRuntime.runMain(
  Effect.gen(function*() {
    const { accepted } = yield* Campaign.run(Campaigns.campaign("memory", size, look)).pipe(
      Effect.provide(yield* Setting.undici(BASE_URL)),
      Effect.provide(Campaigns.database(DATABASE))
    )
    if (accepted !== size) return yield* Effect.dieMessage(`${accepted} of ${size} emails were accepted`)
    yield* Effect.async<void>((resume) => void process.send?.(largest, () => resume(Effect.void)))
  }).pipe(Effect.scoped)
)
