/**
 * What the registry has, installed in folders outside the workspace: below the user's cache, named after the versions,
 * and used again by the next run.
 */
import { Command } from "@effect/platform"
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import { Data, Effect, type Scope, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

/** Something that this machine cannot have. */
export class Unavailable extends Data.TaggedError("Unavailable")<{ readonly message: string }> {}

/** Something that does not work, although it is available. */
export class Failed extends Data.TaggedError("Failed")<{ readonly message: string }> {}

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "mailstream-runtimes")

/** The registry that npm is configured to use, for the package managers that do not read npm's configuration. */
const registry = execFileSync("npm", ["config", "get", "registry"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"]
}).trim()

/** Without what `npm run` has set: it would make npm install into this workspace. */
const environment: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  npm_config_registry: registry,
  YARN_NPM_REGISTRY_SERVER: registry,
  BUN_CONFIG_REGISTRY: registry
}

const textOf = <E>(stream: Stream.Stream<Uint8Array, E>) => Stream.mkString(Stream.decodeText(stream))

export interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** Starts a command, and kills it when the scope closes. */
export const start = (
  [command, ...args]: readonly [string, ...Array<string>],
  { cwd, env }: Options
): Effect.Effect<
  { readonly finished: Effect.Effect<Finished, PlatformError> },
  PlatformError,
  CommandExecutor | Scope.Scope
> =>
  Command.make(command, ...args).pipe(
    Command.workingDirectory(cwd),
    Command.env({ ...environment, ...env }, { extendEnv: false }),
    Command.start,
    Effect.map(({ exitCode, stderr, stdout }) => ({
      finished: Effect.all({ code: exitCode, stdout: textOf(stdout), stderr: textOf(stderr) }, {
        concurrency: "unbounded"
      })
    }))
  )

/** Runs a command to its end; kills it after ten minutes: a busy machine may take long. */
export const run = (
  argv: readonly [string, ...Array<string>],
  options: Options
): Effect.Effect<Finished, never, CommandExecutor> =>
  start(argv, options).pipe(
    Effect.flatMap(({ finished }) => finished),
    Effect.scoped,
    Effect.timeout("10 minutes"),
    Effect.catchAll((error) => Effect.succeed({ code: -1, stdout: "", stderr: `${argv[0]}: ${error.message}` }))
  )

/** The end of what a command that failed has to say. */
export const complaint = ({ code, stderr, stdout }: Finished): string => {
  const lines = `${stdout}\n${stderr}`.split("\n").filter((line) =>
    line.trim() !== "" && !/^npm (warn|notice)/.test(line)
  )
  return `exit code ${code}: ${lines.slice(-6).join(" ").replaceAll(registry, "REGISTRY/").slice(-600)}`
}

/** A folder that `fill` filled once, also if others fill it meanwhile. */
export const folder = <E, R>(
  name: string,
  fill: (path: string) => Effect.Effect<void, E, R>
): Effect.Effect<string, E, R> =>
  Effect.suspend(() => {
    const path = join(cache, name.replaceAll("/", "+"))
    if (existsSync(path)) return Effect.succeed(path)
    const draft = `${path}.${randomUUID()}`
    mkdirSync(draft, { recursive: true })
    return fill(draft).pipe(
      Effect.tap(() => Effect.sync(() => existsSync(path) || renameSync(draft, path))),
      Effect.ensuring(Effect.sync(() => rmSync(draft, { recursive: true, force: true }))),
      Effect.as(path)
    )
  })

/** The folder with these packages, `name@version` each. */
export const packages = (
  ...names: readonly [string, ...Array<string>]
): Effect.Effect<string, Unavailable, CommandExecutor> =>
  folder(names.join("_"), (path) => {
    writeFileSync(join(path, "package.json"), "{}")
    return Effect.flatMap(
      run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts=false", ...names], {
        cwd: path
      }),
      (finished) =>
        finished.code === 0 ? Effect.void : new Unavailable({ message: `${names.join(" ")}: ${complaint(finished)}` })
    )
  })

/** The path of a program that was installed, with other packages beside it, and that starts. */
export const program = (
  name: string,
  bin: string,
  ...beside: ReadonlyArray<string>
): Effect.Effect<string, Unavailable, CommandExecutor> =>
  Effect.gen(function*() {
    const path = join(yield* packages(name, ...beside), "node_modules/.bin", bin)
    const finished = yield* run([path, "--version"], { cwd: dirname(path) })
    if (finished.code !== 0) return yield* new Unavailable({ message: `${name}: ${complaint(finished)}` })
    return path
  })
