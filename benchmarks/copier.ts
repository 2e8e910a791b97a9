/**
 * Copies the contacts of the service at `BASE_URL` into a database, once, in a process of its own: `DATABASE` is the URL of
 * PostgreSQL, or the path of an SQLite file. Reports the memory that the process took at most, in bytes.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Mirror } from "@mailstream/mirror"
import { Effect } from "effect"
import * as Copies from "./copies.ts"
import * as Setting from "./setting.ts"

const { BASE_URL = "", DATABASE = "" } = process.env

NodeRuntime.runMain(
  Effect.gen(function*() {
    const copy = yield* Copies.open(DATABASE, yield* Setting.undici(BASE_URL))
    yield* copy(Effect.flatMap(Mirror.Mirror, (mirror) => mirror.sync({ lists: ["contacts"] })))
    yield* Effect.async<void>((resume) =>
      void process.send?.(process.resourceUsage().maxRSS * 1024, () => resume(Effect.void))
    )
  }).pipe(Effect.scoped)
)
