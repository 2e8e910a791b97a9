/**
 * Builds what is published: everything that the client imports, Effect included, in one bundle, as ES modules and as
 * CommonJS, with the types of both.
 */
import { licenses } from "@mailstream/testing/Bundle"
import * as Compiler from "@mailstream/testing/Compiler"
import { build, type Plugin, transform } from "esbuild"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const home = fileURLToPath(new URL("..", import.meta.url))
const root = join(home, "../..")

/** The modules that can be imported. */
export const entries = ["index", "undici", "file-store", "attach-file", "webhook", "campaign"] as const

/**
 * Undici is CommonJS, and requires modules of Node, some of them only if they exist: an ES module does that with
 * `createRequire`. What it is relative to does not matter for them.
 */
const builtins: Plugin = {
  name: "builtins",
  setup: ({ onLoad, onResolve }) => {
    onResolve(
      { filter: /^/ },
      ({ kind, path }) => kind === "require-call" && isBuiltin(path) ? { path, namespace: "builtin" } : undefined
    )
    onResolve({ filter: /^/, namespace: "builtin" }, ({ path }) => ({ path, namespace: "builtins" }))
    onLoad({ filter: /^/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = require("require").load(${JSON.stringify(path)})`
    }))
    onLoad({ filter: /^/, namespace: "builtins" }, () => ({
      contents: "import { createRequire } from \"node:module\"; export const load = createRequire(process.execPath)",
      resolveDir: home
    }))
  }
}

/**
 * Effect keeps its default services, its scheduler, its loggers and its metrics on `globalThis`, for all copies in a
 * process, even of other versions. The bundle has its own, so that it does not run on the clock of another copy.
 */
const globals: Plugin = {
  name: "globals",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]effect[\\/]dist[\\/]esm[\\/]GlobalValue\.js$/ }, () => ({
      contents: `
        const values = new Map()
        export const globalValue = (id, compute) => {
          if (!values.has(id)) values.set(id, compute())
          return values.get(id)
        }`
    }))
}

/** The published modules, for a directory. */
export const modules = (directory: string) =>
  build({
    entryPoints: entries.map((name) => join(home, `src/${name}.ts`)),
    absWorkingDir: root,
    outdir: directory,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    plugins: [builtins, globals],
    logLevel: "warning"
  })

/** Writes the published files into a directory. */
export const bundle = async (directory: string): Promise<void> => {
  mkdirSync(directory, { recursive: true })
  const { metafile, outputFiles } = await modules(directory)
  for (const { path, text } of outputFiles) {
    writeFileSync(path, text)
    // Made from the ES modules, so that the entries share their chunks here, too.
    const { code } = await transform(text, {
      format: "cjs",
      target: "es2022",
      platform: "node",
      // An `import()` would load an ES module, and another copy of everything.
      supported: { "dynamic-import": false }
    })
    writeFileSync(path.replace(/\.js$/, ".cjs"), code.replace(/(require\("\.\/[^"]*)\.js"\)/g, "$1.cjs\")"))
  }
  writeFileSync(join(directory, "THIRD-PARTY.txt"), licenses(metafile))
  await declarations(directory)
}

/** The types, which the compiler wrote for ES modules, also for CommonJS. */
const declarations = async (directory: string): Promise<void> => {
  await Compiler.build(join(home, "tsconfig.src.json"))
  const dist = join(home, "dist")
  for (const name of readdirSync(dist).filter((name) => name.endsWith(".d.ts"))) {
    const text = readFileSync(join(dist, name), "utf8")
    const linked = (extension: string): string => text.replace(/(from "\.\/[^"]*)\.[jt]s"/g, `$1.${extension}"`)
    writeFileSync(join(directory, name), linked("js"))
    writeFileSync(join(directory, name.replace(/\.d\.ts$/, ".d.cts")), linked("cjs"))
  }
}
