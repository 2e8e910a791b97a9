import { build, type Plugin } from "esbuild"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(new URL("../../../", import.meta.url))
const modules = join(packages, "cli", "node_modules", ".cache")
const prefix = "test-bundle-of-"

/** When the sources were last changed. */
const changed = (): number =>
  Math.max(
    ...["core", "http", "stream", "server", "cli"].flatMap((name) => {
      const src = join(packages, name, "src")
      return readdirSync(src, { recursive: true, encoding: "utf8" }).map((file) => statSync(join(src, file)).mtimeMs)
    })
  )

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

mkdirSync(modules, { recursive: true })

const make = async (): Promise<string> => {
  const home = join(modules, `${prefix}${changed()}`)
  if (existsSync(home)) return join(home, "bin.mjs")
  const fresh = mkdtempSync(join(modules, "test-bundle-making-"))
  await build({
    entryPoints: [join(packages, "cli", "src", "bin.ts")],
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
  // Whoever comes second uses what the first has made.
  if (existsSync(home)) rmSync(fresh, { recursive: true })
  else renameSync(fresh, home)
  return join(home, "bin.mjs")
}

/** Bundles of sources that are gone; those of the last hour may still be in use. */
const tidy = (): void => {
  for (const name of readdirSync(modules).filter((name) => name.startsWith("test-bundle-"))) {
    const path = join(modules, name)
    // eslint-disable-next-line no-restricted-syntax
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true })
  }
}

let made: Promise<string> | undefined

/**
 * The program, as one file and its parts: the same sources, which start in a fraction of the time that it takes to
 * transpile and load them one by one. It is made again whenever a source has changed.
 */
export const bundle = (): Promise<string> => {
  if (made === undefined) {
    tidy()
    made = make()
  }
  return made
}
