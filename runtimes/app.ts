/** An app with all packages installed from their tarballs, and the program in it. */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import { Effect } from "effect"
import { build, type BuildOptions } from "esbuild"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { doors } from "./doors.ts"
import * as Installed from "./installed.ts"
import * as Registry from "./registry.ts"

/** What the rows have in common. */
export interface Setting {
  /** The folder with these packages installed, and the program in `program/`. */
  readonly app: (packages: ReadonlyArray<string>) => string
  /** The folder of the pages that the service serves. */
  readonly pages: string
  readonly tarballs: ReadonlyArray<Registry.Tarball>
  /** The registry of the scope. */
  readonly registry: string
  /** The service. */
  readonly origin: string
  /** A service on raw sockets: `raw.ts`. */
  readonly rawOrigin: string
  /** The service on another origin. */
  readonly otherOrigin: string
}

const source = fileURLToPath(new URL(".", import.meta.url))

/** Makes npm, pnpm, bun and Yarn 1 ask our registry for our packages, and for nothing else. */
export const useRegistry = (path: string, registry: string): void =>
  writeFileSync(join(path, ".npmrc"), `@mailstream:registry=${registry}\n`)

/** Writes the program where the packages it imports are the installed ones. */
export const writeProgram = (path: string): Effect.Effect<void> =>
  Effect.promise(() =>
    build({
      absWorkingDir: source,
      entryPoints: [
        ...doors.map(({ folder = "program/doors", name }) => ({ in: `./${folder}/${name}.ts`, out: `doors/${name}` })),
        ...["hosts", "process"].map((name) => ({ in: `./program/${name}.ts`, out: name }))
      ],
      outdir: join(path, "program"),
      bundle: true,
      packages: "external",
      splitting: true,
      format: "esm",
      target: "es2022",
      logLevel: "warning"
    })
  ).pipe(
    Effect.tap(() => Effect.sync(() => writeFileSync(join(path, "program", "package.json"), `{ "type": "module" }`)))
  )

/** The folder of an app with these packages. With other tarballs, it is another one. */
export const folder = (
  packages: ReadonlyArray<string>,
  tarballs: ReadonlyArray<Registry.Tarball>,
  registry: string
): Effect.Effect<string, Installed.Unavailable, CommandExecutor> =>
  Installed.folder(`app-${Registry.fingerprint(tarballs, packages)}`, (path) =>
    Effect.gen(function*() {
      useRegistry(path, registry)
      writeFileSync(join(path, "package.json"), "{}")
      const finished = yield* Installed.run(["npm", "install", "--no-audit", "--no-fund", ...packages], {
        cwd: path
      })
      if (finished.code !== 0) return yield* new Installed.Unavailable({ message: Installed.complaint(finished) })
    })).pipe(Effect.tap(writeProgram))

/** Bundles a door for a runtime without packages. */
export const bundle = (
  app: string,
  door: string,
  host: "inWorker" | "inPage",
  outfile: string,
  options: BuildOptions = {}
): Effect.Effect<void, Installed.Failed> =>
  Effect.tryPromise({
    try: () =>
      build({
        stdin: { contents: entry(door, host, "./program"), resolveDir: app },
        outfile,
        bundle: true,
        format: "esm",
        target: "es2022",
        platform: "browser",
        logLevel: "silent",
        ...options
      }),
    catch: (error) => new Installed.Failed({ message: String(error).replaceAll("\n", " ") })
  })

/** The main module of a worker or a page. */
export const entry = (door: string, host: "inWorker" | "inPage", program: string): string =>
  `import door from "${program}/doors/${door}.js"
import { ${host} } from "${program}/hosts.js"
export default ${host}(door)
`
