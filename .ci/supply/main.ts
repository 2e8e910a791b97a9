/** `node --import tsx .ci/supply/main.ts`: the known advisories about everything the published packages need. */
import { Command } from "@effect/platform"
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import * as Advisories from "./Advisories.ts"
import * as Installed from "./Installed.ts"

Effect.gen(function*() {
  const own = yield* Installed.published(process.cwd())
  const needed = (yield* Installed.closure(own)).filter(({ directory }) => !own.includes(directory))
  const registry = (yield* Command.string(Command.make("npm", "config", "get", "registry"))).trim()
  yield* Advisories.check(registry, needed)
}).pipe(
  Effect.provide([NodeContext.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
