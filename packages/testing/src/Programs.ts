/** Programs that tests start as processes, bundled from their sources. */
import { Context, Effect, Layer } from "effect"
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Bundle from "./Bundle.ts"
import * as Temporary from "./Temporary.ts"

export class Programs extends Context.Tag("@mailstream/testing/Programs")<Programs, {
  /** The file that starts a program. */
  readonly path: (name: string) => string
}>() {}

const root = fileURLToPath(new URL("../../../", import.meta.url))

const programsIn = (directory: string, prefix = ""): ReadonlyArray<readonly [name: string, file: string]> =>
  readdirSync(join(root, directory)).filter((name) => name.endsWith(".ts")).map((name) => [
    `${prefix}${basename(name, ".ts")}`,
    join(root, directory, name)
  ])

const mailstream = join(root, "packages/cli/src/bin.ts")

/** By name, the sources of everything else that is started somewhere. */
const sources = (): Record<string, string> => ({
  serve: join(root, "packages/server/test/support/serve.ts"),
  lock: join(root, "packages/server/test/support/lock.ts"),
  clientWorker: join(root, "packages/client/test/support/worker.ts"),
  clientCampaign: join(root, "packages/client/test/support/campaign.ts"),
  ...Object.fromEntries(
    ["lines", "campaign3", "campaign4", "process3", "process4"]
      .map((name) => [name, join(root, "packages/effect4/test/programs", `${name}.ts`)])
  ),
  clusterWorker: join(root, "packages/cluster/test/support/worker.ts"),
  ...Object.fromEntries(programsIn("examples")),
  ...Object.fromEntries(programsIn("examples/effect4", "effect4/")),
  ...Object.fromEntries(programsIn("torture/programs"))
})

/** Bundles all programs into a directory. The one that is published is bundled by itself, as it is then. */
export const bundle = async (directory: string): Promise<void> => {
  await Bundle.bundle({ mailstream }, directory, { undici: "agent" })
  await Bundle.bundle(sources(), directory)
}

/** The programs that were bundled into a directory. */
export const layerAt = (directory: string): Layer.Layer<Programs> =>
  Layer.succeed(Programs, { path: (name) => join(directory, `${name}.mjs`) })

/** Bundles the programs into a temporary directory. */
export const layer: Layer.Layer<Programs> = Layer.unwrapScoped(
  Effect.gen(function*() {
    const directory = yield* Temporary.directory
    yield* Effect.promise(() => bundle(directory))
    return layerAt(directory)
  })
)
