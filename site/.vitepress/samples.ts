/**
 * Types on hover. Samples are compiled against the packages of this repository, and one that does not compile fails the
 * build.
 */
import { transformerTwoslash } from "@shikijs/vitepress-twoslash"
import { createFileSystemTypesCache } from "@shikijs/vitepress-twoslash/cache-fs"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createTwoslasher } from "twoslash"
import ts from "typescript"
import { root } from "../links.ts"

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")]
}

/** Compiles as if the sample was in a folder. */
const at = (folder: string): ReturnType<typeof createTwoslasher> =>
  createTwoslasher({ vfsRoot: join(root, folder), tsModule: ts })

const effect3 = at("examples")
const effect4 = at("examples/effect4")

/** Changes with everything that samples are compiled against. */
const fingerprint = (): string => {
  const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })
    .filter((path) => /^[^/\\]+[/\\](src[/\\].*\.ts|package\.json)$/.test(path))
    .sort()
  const hash = createHash("sha256").update(JSON.stringify(compilerOptions))
  for (const path of ["pnpm-lock.yaml", "site/pnpm-lock.yaml", ...sources.map((path) => join("packages", path))]) {
    hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest("hex").slice(0, 16)
}

const cache = createFileSystemTypesCache({ dir: join(root, "site/node_modules/.cache/twoslash", fingerprint()) })
cache.init?.()

/** `effect` is Effect 4 beside the package for it, and Effect 3 elsewhere. */
const compile = (...[code, ...rest]: Parameters<typeof effect3>): ReturnType<typeof effect3> =>
  (code.includes("\"@mailstream/effect4") ? effect4 : effect3)(code, ...rest)

const twoslasher: typeof effect3 = Object.assign(
  (...[code, ...rest]: Parameters<typeof effect3>) => {
    const known = cache.read(code)
    if (known !== null) return known
    const compiled = compile(code, ...rest)
    cache.write(code, compiled)
    return compiled
  },
  { getCacheMap: effect3.getCacheMap }
)

export const samples = transformerTwoslash({ twoslasher, twoslashOptions: { compilerOptions }, throws: true })
