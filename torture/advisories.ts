/** `node --import tsx torture/advisories.ts`: what the configured registry knows of all that the packages need. */
import { Command, FileSystem, Path } from "@effect/platform"
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import * as Advisories from "./supply/Advisories.ts"
import * as Installed from "./supply/Installed.ts"

const published = fileURLToPath(new URL("../packages", import.meta.url))

Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const own = (yield* fs.readDirectory(published)).map((name) => path.join(published, name))
  const needed = (yield* Installed.closure(own)).filter(({ directory }) => !own.includes(directory))
  const registry = (yield* Command.string(Command.make("npm", "config", "get", "registry"))).trim()
  yield* Advisories.check(registry, needed)
}).pipe(
  Effect.provide([NodeContext.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
