/** The start of the command-line program: installed, and from the repository, compared with Node alone. */
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import * as Children from "../children.ts"
import * as Harness from "../harness.ts"
import * as Setting from "../setting.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const undici = (): string => import.meta.resolve("undici")

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: 100 })
  const env = { ...process.env, MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Setting.key }
  const contender = (name: string, ...args: ReadonlyArray<string>): Children.Program => ({ name, args })
  const installed = (...args: ReadonlyArray<string>) =>
    contender(args.join(" "), fileURLToPath(new URL("mailstream/bin.js", import.meta.url)), ...args)
  const npm = process.env["npm_execpath"] ?? ""
  const fromSource = (...args: ReadonlyArray<string>) =>
    contender(`npm run mailstream -- ${args.join(" ")}`, npm, "run", "--silent", "mailstream", "--", ...args)

  const samples = yield* Children.race([
    contender("node -e 0", "-e", "0"),
    contender("import undici", "-e", `import("${undici()}")`),
    installed("--version"),
    installed("--help"),
    installed("contacts", "list"),
    fromSource("--version"),
    fromSource("--help"),
    fromSource("contacts", "list")
  ], { rounds: 9, cwd: root, env })
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
