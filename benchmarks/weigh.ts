/** The size of a bundled program. */
import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

export interface Weight {
  /** Minified and gzipped. */
  readonly bytes: number
  readonly code: Uint8Array
  /** The paths of its modules. */
  readonly modules: ReadonlyArray<string>
}

/** Bundles one of the programs in `weights`, below the given directory. */
export const weigh = async (directory: string, program: string): Promise<Weight> => {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`weights/${program}.ts`, directory))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "error"
  })
  const code = outputFiles[0]!.contents
  const [output] = Object.values(metafile.outputs)
  const modules = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  return { code, bytes: gzipSync(code, { level: 9 }).length, modules: modules.map(([path]) => path) }
}
