/**
 * The first install line of the README with every package manager, in an empty folder, and its quick start on what was
 * installed; the same from tarballs, as from a checkout; then the oldest and the newest versions of Effect that the packages accept.
 */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { transformSync } from "esbuild"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as App from "./app.ts"
import { doors } from "./doors.ts"
import * as Installed from "./installed.ts"
import type { Report } from "./program/Check.ts"
import type * as Row from "./Row.ts"
import { doorReport } from "./runtimes.ts"
import { apiKey } from "./service.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

/** The first block in this language below a heading of the README. */
const block = (heading: string, language: string): string => {
  const [, section = ""] = readme.split(`\n## ${heading}\n`)
  return section.split(`\`\`\`${language}\n`)[1]?.split("```")[0]?.trim() ?? ""
}

/** The packages of the install line. */
const wanted = block("Quick start", "sh").split("\n")[0]!.replace(/^npm install /, "").split(" ")

/** The install line for tarballs. */
export const tarballLine: string = /^npm install (?:.*\\\n)+.*tgz$/m.exec(readme)?.[0] ?? ""

type Argv = readonly [string, ...Array<string>]

interface Manager {
  readonly name: string
  readonly title: string
  /** The program, and its word for `npm install`. */
  readonly add: Effect.Effect<Argv, Installed.Unavailable, CommandExecutor>
  /** What must be in the folder. */
  readonly prepare?: (path: string, registry: string) => void
  /** What runs a program there; default: Node. */
  readonly node?: Effect.Effect<Argv, Installed.Unavailable, CommandExecutor>
}

const bin = (name: string, command: string, ...args: ReadonlyArray<string>) =>
  Effect.map(Installed.program(name, command), (path): Argv => [path, ...args])

/** Yarn needs all optional dependencies to exist, also those for other machines, which a mirror may not have. */
const yarnManifest = (path: string): void =>
  writeFileSync(join(path, "package.json"), JSON.stringify({ resolutions: { "msgpackr-extract": "3.0.4" } }))

const managers: ReadonlyArray<Manager> = [
  { name: "npm", title: "npm", add: Effect.succeed(["npm", "install"]) },
  { name: "pnpm", title: "pnpm", add: bin("pnpm@10.34.8", "pnpm", "add") },
  { name: "yarn-1", title: "Yarn 1", add: bin("yarn@1.22.22", "yarn", "add"), prepare: yarnManifest },
  {
    name: "yarn",
    title: "Yarn 4",
    add: bin("@yarnpkg/cli-dist@4.18.1", "yarn", "add"),
    node: bin("@yarnpkg/cli-dist@4.18.1", "yarn", "node"),
    prepare: (path, registry) => {
      yarnManifest(path)
      writeFileSync(
        join(path, ".yarnrc.yml"),
        `npmScopes: { mailstream: { npmRegistryServer: "${registry}" } }\nunsafeHttpWhitelist: ["127.0.0.1"]\n`
      )
    }
  },
  { name: "bun-add", title: "bun add", add: bin("bun@1.4.4", "bun", "add") }
]

const passes = (finished: Installed.Finished, isRight = finished.code === 0): string | null =>
  isRight ? null : Installed.complaint(finished)

const quickStart = (path: string, argv: Argv, origin: string) =>
  Effect.gen(function*() {
    const { code } = transformSync(block("Quick start", "ts"), { loader: "ts" })
    writeFileSync(join(path, "main.mjs"), code)
    const finished = yield* Installed.run([...argv, "main.mjs"], {
      cwd: path,
      env: { MAILSTREAM_BASE_URL: `${origin}/api`, MAILSTREAM_API_KEY: apiKey }
    })
    return passes(finished, finished.code === 0 && finished.stdout.includes("@"))
  })

const installWith = ({ add, name, node, prepare, title }: Manager): Row.Runtime => ({
  name,
  title,
  rows: ({ origin, registry }) =>
    Effect.gen(function*() {
      const argv = yield* add
      const run = node === undefined ? [process.execPath] as const : yield* node
      const path = yield* Temporary.directory
      App.useRegistry(path, registry)
      prepare?.(path, registry)
      const installed = yield* Installed.run([...argv, ...wanted], { cwd: path })
      const report: Report = installed.code === 0
        ? { install: null, "quick start": yield* quickStart(path, run, origin) }
        : { install: Installed.complaint(installed) }
      return [{ kind: "installation", runtime: title, what: "the line of the README", report }]
    }).pipe(Effect.scoped)
})

/** The commands for an empty folder beside a checkout. */
const fromCheckout: Row.Runtime = {
  name: "checkout",
  title: "npm, from a checkout",
  rows: ({ origin }) =>
    Effect.gen(function*() {
      const parent = yield* Temporary.directory
      symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(parent, "mailstream"))
      const path = join(parent, "app")
      mkdirSync(path)
      const installed = yield* Installed.run(["sh", "-c", tarballLine], { cwd: path })
      const report: Report = installed.code === 0
        ? { install: null, "quick start": yield* quickStart(path, [process.execPath], origin) }
        : { install: Installed.complaint(installed) }
      return [{ kind: "installation", runtime: "npm, from a checkout", what: "the lines of the README", report }]
    }).pipe(Effect.scoped)
}

const compilerOptions = {
  module: "NodeNext",
  target: "ES2022",
  lib: ["ES2022", "DOM", "ESNext.Disposable"],
  types: ["node"],
  strict: true,
  noEmit: true,
  skipLibCheck: false
}

/** The packages beside one set of Effect's: they install without a conflict, the types fit, and the program runs. */
const withEffect = (name: string, title: string, versions: ReadonlyArray<string>): Row.Runtime => ({
  name,
  title,
  rows: (setting) =>
    Effect.gen(function*() {
      const path = yield* Temporary.directory
      App.useRegistry(path, setting.registry)
      writeFileSync(join(path, "package.json"), "{}")
      const ours = ["@mailstream/core", "@mailstream/http", "@mailstream/stream"]
      const tools = ["typescript@5.9", "@types/node@22"]
      const installed = yield* Installed.run(
        ["npm", "install", "--no-audit", "--no-fund", "--strict-peer-deps", ...ours, ...versions, ...tools],
        { cwd: path }
      )
      const row = (what: string, report: Report): Row.Row => ({ kind: "installation", runtime: title, what, report })
      if (installed.code !== 0) return [row(versions.join(" "), { install: Installed.complaint(installed) })]
      mkdirSync(join(path, "types"))
      writeFileSync(join(path, "types/main.mts"), block("Quick start", "ts"))
      writeFileSync(join(path, "types/tsconfig.json"), JSON.stringify({ compilerOptions }))
      const types = yield* Installed.run(["node_modules/.bin/tsc", "-p", "types"], { cwd: path })
      yield* App.writeProgram(path)
      const reports = yield* Effect.forEach(
        doors.filter(({ name }) => name.startsWith("effect-")),
        (door) =>
          Effect.map(
            doorReport(title, [process.execPath], door, { ...setting, app: () => path }),
            (report) => ({ ...row(door.title, report), kind: "library" })
          )
      )
      return [row(versions.join(" "), { install: null, types: passes(types) }), ...reports]
    }).pipe(Effect.scoped)
})

export const installs: ReadonlyArray<Row.Runtime> = [
  ...managers.map(installWith),
  fromCheckout,
  withEffect("effect-oldest", "Effect 3.19", [
    "effect@3.19",
    "@effect/platform@0.93",
    "undici@8"
  ]),
  withEffect("effect-newest", "the newest Effect 3", [
    "effect@3",
    "@effect/platform@0.97",
    "undici@8"
  ])
]
