/**
 * Programs that an experiment starts and kills, as plain JavaScript in one directory: they start in a fraction of the
 * time that it takes to load their sources one by one.
 */
import { Effect, type Scope } from "effect"
import { build, type Plugin } from "esbuild"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Temporary from "./temporary.ts"

/** SQLite brings a binary, which stays where it is. */
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

const sources = {
  mailstream: new URL("../../packages/cli/src/bin.ts", import.meta.url),
  service: new URL("../programs/service.ts", import.meta.url)
}

/** Bundles a program, and gives the path of the file that starts it. */
export const bundled = (name: keyof typeof sources): Effect.Effect<string, never, Scope.Scope> =>
  Effect.flatMap(Temporary.directory, (directory) =>
    Effect.promise(async () => {
      const source = fileURLToPath(sources[name])
      await build({
        entryPoints: [source],
        outdir: directory,
        outExtension: { ".js": ".mjs" },
        bundle: true,
        splitting: true,
        platform: "node",
        format: "esm",
        target: "node20",
        external: ["pg-native"],
        plugins: [native],
        banner: {
          js: "import { createRequire } from \"node:module\"; const require = createRequire(import.meta.url);"
        },
        logLevel: "warning"
      })
      return join(directory, `${basename(source, ".ts")}.mjs`)
    }))
