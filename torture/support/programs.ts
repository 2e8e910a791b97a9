/**
 * Programs that experiments start and kill, as plain JavaScript: they start in a fraction of the time that it takes to
 * load their sources one by one. They are made again whenever a source has changed.
 */
import { Effect } from "effect"
import { build, type Plugin } from "esbuild"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const sources = {
  /** The command-line program. */
  mailstream: here("../../packages/cli/src/bin.ts"),
  /** Lets another program die at an exact instant. */
  mortal: here("../programs/mortal.ts"),
  /** A server. */
  service: here("../programs/service.ts")
}

const cache = here("../node_modules/.cache/programs")

/** When the sources were last changed. */
const changed = (): number => {
  const directories = [
    ...["core", "http", "stream", "server", "cli"].map((name) => here(`../../packages/${name}/src`)),
    here("../programs"),
    here(".")
  ]
  return Math.max(
    ...directories.flatMap((directory) =>
      readdirSync(directory, { recursive: true, encoding: "utf8" }).map((file) =>
        statSync(join(directory, file)).mtimeMs
      )
    )
  )
}

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

const make = async (home: string): Promise<void> => {
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, "making-"))
  await build({
    entryPoints: sources,
    outdir: fresh,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["pg-native"],
    plugins: [native],
    banner: { js: "import { createRequire } from \"node:module\"; const require = createRequire(import.meta.url);" },
    logLevel: "warning"
  })
  // Whoever comes second uses what the first has made; what is older than an hour is in use no more.
  if (existsSync(home)) rmSync(fresh, { recursive: true })
  else renameSync(fresh, home)
  const now = statSync(home).mtimeMs
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (now - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true })
  }
}

/** The file that starts a program. */
export const bundled = (name: keyof typeof sources): Effect.Effect<string> =>
  Effect.promise(async () => {
    const home = join(cache, String(changed()))
    if (!existsSync(home)) await make(home)
    return join(home, `${name}.mjs`)
  })
