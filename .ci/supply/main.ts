/**
 * `npm run supply`: the licenses of everything that users get with the published packages, and the
 * known advisories about it.
 */
import { Command } from "@effect/platform"
import { NodeContext, NodeHttpClient, NodeRuntime } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import * as Advisories from "./Advisories.ts"
import * as Licenses from "./Licenses.ts"
import * as Shipped from "./Shipped.ts"

/** A package has a license that does not allow to ship it. */
class Rejected extends Data.TaggedError("Rejected")<{ readonly message: string }> {}

Effect.gen(function*() {
  const packages = yield* Shipped.foreign(process.cwd())
  const rejected = Licenses.rejected(packages)
  if (rejected.length > 0) return yield* new Rejected({ message: `licenses to review: ${rejected.join("; ")}` })
  yield* Console.log(`licenses: ${packages.length} packages, all of them allowed`)
  const registry = (yield* Command.string(Command.make("npm", "config", "get", "registry"))).trim()
  yield* Advisories.check(registry, packages)
}).pipe(
  Effect.provide([NodeContext.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
