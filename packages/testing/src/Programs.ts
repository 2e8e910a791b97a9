/**
 * Programs that tests start as processes, bundled from their sources: a bundle starts in a fraction of the time that it
 * takes to load the sources one by one.
 */
import { Context, Effect, Layer } from "effect"
import { build, type Plugin } from "esbuild"
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Temporary from "./Temporary.ts"

export class Programs extends Context.Tag("@mailstream/testing/Programs")<Programs, {
  /** The file that starts a program. */
  readonly path: (name: string) => string
}>() {}

const root = fileURLToPath(new URL("../../../", import.meta.url))

const programsIn = (directory: string): ReadonlyArray<readonly [name: string, file: string]> =>
  readdirSync(join(root, directory)).filter((name) => name.endsWith(".ts")).map((name) => [
    basename(name, ".ts"),
    join(root, directory, name)
  ])

const mailstream = join(root, "packages/cli/src/bin.ts")

/** By name, the sources of everything else that is started somewhere. */
const sources = (): Record<string, string> => ({
  serve: join(root, "packages/server/test/support/serve.ts"),
  lock: join(root, "packages/server/test/support/lock.ts"),
  worker: join(root, "packages/client/test/support/worker.ts"),
  advisories: join(root, ".ci/supply/main.ts"),
  ...Object.fromEntries(programsIn("examples")),
  ...Object.fromEntries(programsIn("torture/programs"))
})

/** SQLite comes with a binary, which stays where it is installed. */
const native: Plugin = {
  name: "native",
  setup: (build) => {
    build.onResolve({ filter: /^libsql$/ }, async ({ importer, kind, pluginData, resolveDir }) => {
      if (pluginData === "resolved") return undefined
      const { path } = await build.resolve("libsql", { importer, kind, resolveDir, pluginData: "resolved" })
      return { path, external: true }
    })
  }
}

/** undici as on Bun, which replaces it: the names are there, but an agent dispatches nothing. */
const withoutUndici: Plugin = {
  name: "without-undici",
  setup: (build) => {
    build.onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "without-undici" }))
    build.onLoad({ filter: /.*/, namespace: "without-undici" }, () => ({
      contents: "module.exports = { Agent: class Agent {}, FormData, getGlobalDispatcher: () => ({}) }",
      loader: "js"
    }))
  }
}

/** Bundles all programs into a directory. The one that is started most has a bundle of its own, which loads faster. */
export const bundle = async (directory: string): Promise<void> => {
  await bundleFiles({ mailstream }, directory)
  await bundleFiles(sources(), directory)
}

/** The runtime that programs are bundled for. Default: Node. */
export interface Options {
  /** Whether the runtime has undici. */
  readonly undici?: boolean
  /** The conditions by which the runtime selects from the exports of packages, besides those of Node. */
  readonly conditions?: Array<string>
}

/** Bundles programs, given by name, into a directory. */
export const bundleFiles = async (
  files: Record<string, string>,
  directory: string,
  { conditions = [], undici = true }: Options = {}
): Promise<void> => {
  await build({
    entryPoints: files,
    conditions: ["module", ...conditions],
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["pg-native"],
    plugins: undici ? [native] : [native, withoutUndici],
    banner: { js: "import { createRequire } from \"node:module\"; const require = createRequire(import.meta.url);" },
    logLevel: "warning"
  })
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
