/** The packages behind `@mailstream/stream`, module by module as they are published. */
import { build } from "esbuild"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Published {
  /** The programs: one imports `@mailstream/stream/contacts`, one the modules of Effect that it needs. */
  readonly own: string
  readonly effect: string
  /** The first one with all that it imports, in one file. */
  readonly bundled: string
  /** How many modules each of them loads: the first one only those of Mailstream. */
  readonly modules: { readonly own: number; readonly effect: number }
}

const isOwn = (path: string): boolean => path.includes("packages/")

/** Writes the programs into a directory below which `effect` is installed. */
export const publish = async (root: string, into: string): Promise<Published> => {
  for (const name of ["core", "http", "stream"]) {
    const source = join(root, "packages", name)
    const modules = readdirSync(join(source, "src"), { recursive: true, encoding: "utf8" })
    const target = join(into, "node_modules/@mailstream", name)
    await build({
      entryPoints: modules.filter((path) => path.endsWith(".ts")).map((path) => join(source, "src", path)),
      outbase: join(source, "src"),
      outdir: join(target, "dist"),
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node22",
      plugins: [{
        name: "one by one",
        setup: ({ onResolve }) =>
          onResolve(
            { filter: /./ },
            ({ kind, path }) =>
              kind === "entry-point" ? undefined : { external: true, path: path.replace(/\.ts$/, ".js") }
          )
      }]
    })
    const { imports, publishConfig } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"))
    const manifest = JSON.stringify({ type: "module", exports: publishConfig.exports, imports })
    writeFileSync(join(target, "package.json"), manifest.replace(/\.\/src\/([^"]*)\.ts"/g, "./dist/$1.js\""))
  }
  const program = "import \"@mailstream/stream/contacts\"\n"
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: join(root, "packages/stream") },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    // What is imported is loaded, whether it is used or not.
    ignoreAnnotations: true,
    logLevel: "error"
  })
  const inputs = Object.entries(metafile.inputs).filter(([path]) => path !== "<stdin>")
  const own = inputs.filter(([path]) => isOwn(path))
  const needed = new Set(
    own.flatMap(([, { imports }]) => imports.flatMap(({ original, path }) => isOwn(path) ? [] : [original!]))
  )
  writeFileSync(join(into, "own.mjs"), program)
  writeFileSync(join(into, "effect.mjs"), [...needed].map((name) => `import "${name}"\n`).join(""))
  const bundled = join(into, "bundled.mjs")
  await build({
    stdin: { contents: "export * from \"@mailstream/stream/contacts\"\n", resolveDir: join(root, "packages/stream") },
    outfile: bundled,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node22"
  })
  return {
    bundled,
    own: join(into, "own.mjs"),
    effect: join(into, "effect.mjs"),
    modules: { own: own.length, effect: inputs.length - own.length }
  }
}
