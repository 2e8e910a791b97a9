/** The start of the command-line program: installed, and from the repository, compared with Node alone. */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Harness from "../harness.ts"
import * as Setting from "../setting.ts"

/** Linux counts the CPU time of processes that have ended in hundredths of a second: a sample is of several. */
const starts = 5

const tick = 10

/** The CPU time of all processes that this one has started and that have ended, in milliseconds. */
const usedByChildren = (): number => {
  // The fields after the name of the program, which may contain anything: cutime and cstime are the 16th and 17th of all.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)!.split(" ")
  return (Number(fields[13]) + Number(fields[14])) * tick
}

const root = fileURLToPath(new URL("../../../", import.meta.url))

const undici = (): string => {
  const platform = createRequire(import.meta.url).resolve("@effect/platform-node")
  return pathToFileURL(createRequire(platform).resolve("undici")).href
}

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: 100 })
  const env = { ...process.env, MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Setting.key }
  const once = (args: ReadonlyArray<string>) =>
    Effect.async<void, Harness.Unmeasurable>((resume) => {
      execFile(process.execPath, args, { cwd: root, env }, (error) =>
        resume(error === null ? Effect.void : new Harness.Unmeasurable({ message: error.message })))
    })
  const contender = (name: string, ...args: ReadonlyArray<string>) => ({
    name,
    run: Effect.replicateEffect(once(args), starts, { discard: true })
  })
  const installed = (...args: ReadonlyArray<string>) =>
    contender(args.join(" "), fileURLToPath(new URL("mailstream/bin.js", import.meta.url)), ...args)
  const npm = process.env["npm_execpath"] ?? ""
  const fromSource = (...args: ReadonlyArray<string>) =>
    contender(`npm run mailstream -- ${args.join(" ")}`, npm, "run", "--silent", "mailstream", "--", ...args)

  const several = yield* Harness.race([
    contender("node -e 0", "-e", "0"),
    contender("import undici", "-e", `import("${undici()}")`),
    installed("--version"),
    installed("--help"),
    installed("contacts", "list"),
    fromSource("--version"),
    fromSource("--help"),
    fromSource("contacts", "list")
  ], { rounds: 9, cpu: usedByChildren })
  const samples: Harness.Samples = new Map(
    [...several].map(([name, all]) => [name, all.map(({ cpu, wall }) => ({ cpu: cpu / starts, wall: wall / starts }))])
  )
  const within = (name: string, cpu: number, wall = Infinity): Harness.Row => {
    const all = samples.get(name) ?? []
    return {
      ...Harness.beside(samples, name, "node -e 0"),
      target: `at most ${cpu} ms of CPU${wall === Infinity ? "" : ` and ${wall} ms`}`,
      reached: Harness.median(all.map(({ cpu }) => cpu)) <= cpu && Harness.median(all.map(({ wall }) => wall)) <= wall
    }
  }
  return [
    Harness.peer(samples, "node -e 0"),
    Harness.beside(samples, "import undici", "node -e 0"),
    within("--version", 250),
    within("--help", 250),
    Harness.beside(samples, "contacts list", "node -e 0"),
    within("npm run mailstream -- --version", 1000, 1000),
    Harness.beside(samples, "npm run mailstream -- --help", "node -e 0"),
    Harness.beside(samples, "npm run mailstream -- contacts list", "node -e 0")
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
