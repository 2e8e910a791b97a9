/** The runtimes, and how each of them runs the program. */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import * as Port from "@mailstream/testing/Port"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Schedule } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as App from "./app.ts"
import { browsers } from "./browsers.ts"
import { type Door, doors, effect3 } from "./doors.ts"
import * as Installed from "./installed.ts"
import { framings } from "./program/bodies.ts"
import type { Report } from "./program/Check.ts"
import * as Row from "./Row.ts"
import { apiKey } from "./service.ts"

type Argv = readonly [string, ...Array<string>]

/** A runtime that starts programs from a terminal. */
const process_ = (
  name: string,
  title: string,
  command: Effect.Effect<Argv, Installed.Unavailable, CommandExecutor>,
  { hasUndici = true }: { readonly hasUndici?: boolean } = {}
): Row.Runtime => ({
  name,
  title,
  rows: (setting) =>
    Effect.flatMap(command, (argv) =>
      Effect.all([
        ...doors.map((door) =>
          doorReport(title, argv, door, setting).pipe(
            Effect.map((report) => door.isOnUndici === true && !hasUndici ? refusal(report) : report),
            Effect.map(rowOf(title, door))
          )
        ),
        commandLine(title, argv, setting)
      ]))
})

/** Where there is no undici, every walk is refused in words that say so. */
const refusal = (report: Report): Report => {
  const walks = ["lazy", "prefetch", "whole", "gzip", ...framings].filter((check) => check in report)
  const failures = walks.length === 0
    ? Object.values(report)
    : walks.map((check) => `${check}: ${report[check] ?? "not refused"}`)
  return { "refused in words": failures.find((failure) => !failure?.includes("this runtime has no undici")) ?? null }
}

export const doorReport = (
  title: string,
  argv: Argv,
  door: Door,
  setting: App.Setting,
  ...args: ReadonlyArray<string>
): Effect.Effect<Report, never, CommandExecutor> => {
  const settings = JSON.stringify(Row.settingsFor(setting, title, door.name))
  return Effect.map(
    Installed.run([...argv, "program/process.js", door.name, settings, ...args], { cwd: setting.app(door.packages) }),
    Row.reportOf
  )
}

const rowOf = (runtime: string, { kind = "library", title }: Door) => (report: Report): Row.Row => ({
  kind,
  runtime,
  what: title,
  report
})

/** The program `mailstream` against the service. */
const commandLine = (
  title: string,
  argv: Argv,
  { app, origin, tarballs }: App.Setting
): Effect.Effect<Row.Row, never, CommandExecutor> => {
  const mailstream = (...args: ReadonlyArray<string>) =>
    Installed.run([...argv, "node_modules/@mailstream/cli/dist/bin.js", ...args], {
      cwd: app(effect3),
      env: { MAILSTREAM_BASE_URL: `${origin}/api`, MAILSTREAM_API_KEY: apiKey }
    })
  const version = tarballs.find(({ name }) => name === "@mailstream/cli")?.version
  const unless = (isRight: boolean, finished: Installed.Finished) => isRight ? null : Installed.complaint(finished)
  return Effect.gen(function*() {
    const about = yield* mailstream("--version")
    const list = yield* mailstream("contacts", "list", "--format", "ndjson")
    return {
      kind: "program",
      runtime: title,
      what: "`mailstream`",
      report: {
        "--version": unless(about.stdout.trim() === version, about),
        "contacts list": unless(list.stdout.trim().split("\n").length === 250, list)
      }
    }
  })
}

const installed = (version: string): Effect.Effect<Argv, Installed.Unavailable, CommandExecutor> =>
  Effect.map(Installed.program(`node@${version}`, "node"), (bin) => [bin])

/** The newest version of a line, or the one that runs this. */
const node = (version: string): Row.Runtime => {
  const [major] = version.split(".")
  const isRunning = process.versions.node.startsWith(`${major}.`)
  return process_(`node-${major}`, `Node ${major}`, isRunning ? Effect.succeed([process.execPath]) : installed(version))
}

/** The oldest version of a line that the packages accept. */
const floor = (version: string): Row.Runtime =>
  process_(`node-${version.split(".")[0]}-floor`, `Node ${version}`, installed(version))

/** Bun replaces the package undici with a module of its own; the client has the package inside. */
const bun = process_("bun", "Bun", Effect.map(Installed.program("bun@1.4.4", "bun"), (bin) => [bin]), {
  hasUndici: false
})

const deno = process_(
  "deno",
  "Deno",
  Effect.map(Installed.program("deno@2.9.5", "deno"), (bin) => [bin, "run", "--allow-all", "--node-modules-dir=manual"])
)

/** Node with the `fetch` of React Native. */
const reactNative: Row.Runtime = {
  name: "react-native",
  title: "React Native (simulated)",
  rows: (setting) =>
    Effect.forEach(
      doors.filter(({ name }) => name.endsWith("-fetch")),
      (door) =>
        Effect.map(
          doorReport(reactNative.title, [process.execPath], door, setting, "without-body"),
          rowOf(reactNative.title, door)
        )
    )
}

const workerConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "main.js", esModule = embed "main.js")],
      compatibilityDate = "2025-11-01",
      globalOutbound = "loopback"
    )),
    (name = "loopback", network = (allow = ["private"]))
  ],
  sockets = [(name = "http", http = (), service = "main")]
);
`

/** Plain workers: no `nodejs_compat`. */
const workers: Row.Runtime = {
  name: "workers",
  title: "workerd",
  rows: (setting) =>
    Effect.flatMap(
      Installed.program("workerd@1.20261104.1", "workerd"),
      (workerd) =>
        Effect.forEach(doors.filter(({ needs }) => needs !== "Node"), (door) =>
          Effect.map(Row.orError(inWorker(workerd, door, setting)), (report) => ({
            kind: "library",
            runtime: workers.title,
            what: door.title,
            report
          })))
    )
}

const inWorker = (
  workerd: string,
  door: Door,
  setting: App.Setting
): Effect.Effect<Report, unknown, CommandExecutor> =>
  Effect.gen(function*() {
    const path = yield* Temporary.directory
    yield* App.bundle(setting.app(door.packages), door.name, "inWorker", join(path, "main.js"), {
      conditions: ["workerd", "worker"]
    })
    writeFileSync(join(path, "config.capnp"), workerConfig)
    const [port] = yield* Effect.promise(() => Port.free(1))
    const worker = yield* Installed.start([workerd, "serve", "config.capnp", `--socket-addr=http=127.0.0.1:${port}`], {
      cwd: path
    })
    const ask = Effect.tryPromise(async (signal): Promise<Report> => {
      const body = JSON.stringify(Row.settingsFor(setting, workers.title, door.name))
      return (await fetch(`http://127.0.0.1:${port}`, { method: "POST", body, signal })).json()
    })
    const listening = Effect.retry(ask, Schedule.spaced("200 millis"))
    return yield* Effect.raceFirst(listening, Effect.map(worker.finished, Row.reportOf))
  }).pipe(Effect.scoped, Effect.timeout("10 minutes"))

export const runtimes: ReadonlyArray<Row.Runtime> = [
  node("22.23.3"),
  node("24.21.0"),
  node("26.10.0"),
  floor("22.22.3"),
  floor("24.15.0"),
  bun,
  deno,
  workers,
  ...browsers,
  reactNative
]
