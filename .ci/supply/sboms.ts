/** `node .ci/supply/sboms.ts DIRECTORY` writes a bill of materials for every published package. */
import { FileSystem, Path } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import * as Sbom from "./Sbom.ts"
import * as Shipped from "./Shipped.ts"

Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const [directory = "artifacts"] = process.argv.slice(2)
  const lockfile = yield* fs.readFileString("pnpm-lock.yaml")
  const shipped = yield* Shipped.all(process.cwd())
  yield* Effect.forEach(shipped, (each) => {
    const { name, version } = each.package
    const file = `${name.replace("@", "").replace("/", "-")}-${version}.cdx.json`
    return fs.writeFileString(path.join(directory, file), Sbom.document(each, lockfile))
  })
  yield* Console.log(`bills of materials: ${shipped.length} written`)
}).pipe(
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)
