/**
 * Bundles programs from their sources, with everything that they import: a bundle starts in a fraction of the time that it
 * takes to load the sources one by one. What is published, what tests start and what `npm run mailstream` runs is made
 * here, and so the same.
 */
import { build, type Metafile, type Plugin } from "esbuild"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../../../", import.meta.url))

export interface Options {
  /** The extension of the files, which a `package.json` may give a meaning of its own. Default: `.mjs`. */
  readonly extension?: ".js" | ".mjs" | undefined
  /**
   * How the drivers of databases, which are not bundled, are found at run time: where they are installed now (`path`, the
   * default), or by their names, as dependencies of the package that the bundle is published in.
   */
  readonly drivers?: "path" | "name" | undefined
  /**
   * What of undici is bundled: all of it (the default); only its agents, which load in a third of the time; or a module
   * without one, as on Bun.
   */
  readonly undici?: "complete" | "agent" | "missing" | undefined
  /** The conditions by which the runtime selects from the exports of packages, besides those of Node. */
  readonly conditions?: ReadonlyArray<string> | undefined
}

/** PostgreSQL's driver looks for a binary. SQLite's is a module of the runtime. */
const driversBy = (how: "path" | "name"): Plugin => ({
  name: "drivers",
  setup: (build) => {
    build.onResolve(
      { filter: /^(pg|pg-connection-string|pg-cursor)$/ },
      async ({ importer, kind, path: name, pluginData, resolveDir }) => {
        if (pluginData === "resolved") return undefined
        if (how === "name") return { path: name, external: true }
        const { path } = await build.resolve(name, { importer, kind, resolveDir, pluginData: "resolved" })
        return { path, external: true }
      }
    )
  }
})

/** Replaces the module `undici` by one with this code, in the folder of the package. */
const undiciAs = (contents: string): Plugin => ({
  name: "undici",
  setup: (build) => {
    build.onResolve({ filter: /^undici$/ }, async ({ importer, kind, pluginData, resolveDir }) => {
      if (pluginData === "resolved") return undefined
      const { path } = await build.resolve("undici", { importer, kind, resolveDir, pluginData: "resolved" })
      return { path: dirname(path), namespace: "undici" }
    })
    build.onLoad({ filter: /^/, namespace: "undici" }, ({ path }) => ({ contents, resolveDir: path }))
  }
})

/** The global dispatcher and the one for proxies are agents, too; what they need is loaded when one is asked for. */
const agent = `import Agent from "./lib/dispatcher/agent.js"
import buildConnector from "./lib/core/connect.js"
import Dispatcher from "./lib/dispatcher/dispatcher.js"
export { Agent, buildConnector, Dispatcher }
export const getGlobalDispatcher = () => require("./lib/global.js").getGlobalDispatcher()
export function EnvHttpProxyAgent(options) {
  // As undici does when all of it is loaded.
  Object.assign(Dispatcher.prototype, require("./lib/api/index.js"))
  return new (require("./lib/dispatcher/env-http-proxy-agent.js"))(options)
}
export default { Agent, buildConnector, Dispatcher, EnvHttpProxyAgent, getGlobalDispatcher }
`

/** As on Bun, which replaces it: the names are there, but an agent dispatches nothing. */
const missing =
  "module.exports = { Agent: class Agent {}, Dispatcher: class Dispatcher {}, FormData, getGlobalDispatcher: () => ({}) }"

const undici = { complete: [], agent: [undiciAs(agent)], missing: [undiciAs(missing)] }

const reading = /readFileSync\(new URL\("([^"]+)", import\.meta\.url\), "utf8"\)/g

/** The code of a module with the text of every file that it reads, by a path relative to its source, in place of the call. */
export const withTexts = (code: string, source: string | URL): string =>
  code.replaceAll(reading, (_, path: string) => JSON.stringify(readFileSync(new URL(path, source), "utf8")))

/** The status page of workers is part of the bundle. */
const texts: Plugin = {
  name: "texts",
  setup: (build) => {
    build.onLoad({ filter: /[\\/]cluster[\\/]src[\\/]internal[\\/]page\.ts$/ }, ({ path }) => ({
      contents: withTexts(readFileSync(path, "utf8"), pathToFileURL(path)),
      loader: "ts"
    }))
  }
}

/**
 * Bundles programs, given by name, into a directory. They share their code, and what they import dynamically is a file of
 * its own. They are not minified, for the sake of stack traces: it would save less than 10 ms.
 */
export const bundle = (
  files: Record<string, string>,
  directory: string,
  options: Options = {}
): Promise<{ readonly metafile: Metafile }> =>
  build({
    entryPoints: files,
    absWorkingDir: root,
    conditions: ["module", ...(options.conditions ?? [])],
    outdir: directory,
    outExtension: { ".js": options.extension ?? ".mjs" },
    bundle: true,
    splitting: true,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node22",
    plugins: [driversBy(options.drivers ?? "path"), texts, ...undici[options.undici ?? "complete"]],
    // CommonJS among the packages requires modules of Node. Some packages import `createRequire` under its own name.
    banner: {
      js: "import { createRequire as requireFrom } from \"node:module\"; const require = requireFrom(import.meta.url);"
    },
    // A name that a replaced module does not have.
    logOverride: { "import-is-undefined": "error" },
    logLevel: "warning"
  })

/** The directories of the packages in a bundle. */
export const packagesIn = ({ outputs }: Metafile): ReadonlyArray<string> => {
  const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))
  const packages = new Set(
    inputs.flatMap(([path, { bytesInOutput }]) =>
      // A module that was replaced has a name before its path, and imports others of its package.
      bytesInOutput === 0 ? [] : /^[^:]*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
    )
  )
  return [...packages].sort().map((path) => join(root, path))
}

/** The licenses of the packages in a bundle, which ask to be included. */
export const licenses = (metafile: Metafile): string =>
  packagesIn(metafile).map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
    const license = licenseIn(path)
    if (license === undefined) throw new Error(`${name} is in the bundle, but has no license.`)
    return `${name} ${version}\n\n${license.trim()}\n`
  }).join(`\n${"-".repeat(80)}\n\n`)

/** The license of a package: a file, or else the last section of its README. */
const licenseIn = (path: string): string | undefined => {
  const textOf = (pattern: RegExp): string | undefined => {
    const file = readdirSync(path).find((name) => pattern.test(name))
    return file === undefined ? undefined : readFileSync(join(path, file), "utf8")
  }
  return textOf(/^licen[cs]e/i) ??
    /^#+ *licen[cs]e *\n([^#]*Copyright [^#]*)$/im.exec(textOf(/^readme\.md$/i) ?? "")?.[1]
}
