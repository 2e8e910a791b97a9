import * as Compiler from "@mailstream/testing/Compiler"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Redacted } from "effect"
import { Effect as Effect3 } from "effect3"
import { transformSync } from "esbuild"
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { scoped, service } from "../support/service.ts"

const home = fileURLToPath(new URL("../..", import.meta.url))
const manifestOf = (directory: string) => JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))

/** The lowest and the highest version of Effect that the package is for. */
const versions = ["effect-lowest", "effect"].map((name) => {
  const directory = realpathSync(join(home, "node_modules", name))
  return { directory, version: String(manifestOf(directory).version) }
})

/** Projects with nothing installed but the packages, as they are published, and one version of Effect. */
const root = Temporary.make()
const projectOf = (version: string) => join(root, version)

/** The code blocks of the README. */
const snippets = [...readFileSync(join(home, "README.md"), "utf8").matchAll(/```ts\n([^]*?)```/g)].map(([, code]) =>
  code!
)

beforeAll(async () => {
  await Compiler.build(join(home, "tsconfig.src.json"))
  for (const { directory, version } of versions) {
    const modules = join(projectOf(version), "node_modules")
    for (const name of ["kernel", "effect4"]) {
      const { publishConfig, ...manifest } = manifestOf(join(home, "..", name))
      mkdirSync(join(modules, "@mailstream", name), { recursive: true })
      writeFileSync(
        join(modules, "@mailstream", name, "package.json"),
        // As it is packed: imports within the package lead to what was built.
        JSON.stringify({ ...manifest, ...publishConfig }).replace(/\.\/src\/(internal\/[^"]*)\.ts"/g, "./dist/$1.js\"")
      )
      cpSync(join(home, "..", name, "dist"), join(modules, "@mailstream", name, "dist"), { recursive: true })
    }
    symlinkSync(directory, join(modules, "effect"))
    for (const name of ["undici", "pg"]) {
      symlinkSync(realpathSync(join(home, "node_modules", name)), join(modules, name))
    }
    writeFileSync(join(projectOf(version), "package.json"), JSON.stringify({ type: "module" }))
  }
}, 240_000)

afterAll(() => Temporary.remove(root))

const run = (version: string, code: string, env: Record<string, string>) => {
  const file = join(projectOf(version), "main.js")
  writeFileSync(file, transformSync(code, { loader: "ts" }).code)
  return Effect.promise(() => Effect3.runPromise(Process.run([file], { cwd: dirname(file), env })))
}

describe.each(versions)("the published package, on Effect $version", ({ version }) => {
  scoped("runs the quick start of the README", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, requests } = yield* service({ contacts: 650 })
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) }
      const { code, stderr, stdout } = yield* run(version, snippets[0]!, env)
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.strictEqual(stdout.match(/@/g)?.length, 500)
      assert.isAtMost(requests.length, 7)
    }), 60_000)

  scoped("walks, catches, interrupts, processes and resumes", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* service({ contacts: 150 })
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) }
      const { code, stderr, stdout } = yield* run(
        version,
        `import { contacts, Mailstream, Topics } from "@mailstream/effect4"
         import * as FetchTransport from "@mailstream/effect4/FetchTransport"
         import * as FileStore from "@mailstream/effect4/FileStore"
         import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
         import { Effect, Fiber, Exit, Layer, Stream } from "effect"

         let handled = 0
         const process = (concurrency, limit) =>
           contacts.process("key", () => ++handled === limit ? Effect.fail("enough") : Effect.void, { concurrency })
         const program = Effect.gen(function*() {
           const fiber = yield* Effect.forkChild(Stream.runDrain(contacts.follow({ poll: "1 milli" })))
           yield* Effect.yieldNow
           yield* Fiber.interrupt(fiber)
           return [
             yield* Stream.runCount(contacts.items()),
             yield* Stream.runCount(contacts.whole()),
             yield* contacts.items({ pageSize: 0 }).pipe(
               Stream.catchTag("InvalidOption", ({ option }) => Stream.succeed(option)),
               Stream.runCollect
             ),
             Exit.hasInterrupts(yield* Fiber.await(fiber)),
             yield* Effect.flip(process(1, 120)),
             yield* process(8, 1000),
             handled,
             (yield* (yield* Topics).create({ name: "News" })).object
           ]
         })
         const layers = [FetchTransport.layer, UndiciTransport.layer].map((transport, index) =>
           Layer.merge(Layer.provide(Mailstream.layerConfig(), transport), FileStore.layer("state-" + index)))
         for (const layer of layers) {
           handled = 0
           console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, layer))))
         }`,
        env
      )
      assert.deepStrictEqual([code, stderr], [0, ""])
      const expected = [150, 150, ["pageSize"], true, "enough", null, 170, "topic"]
      assert.deepStrictEqual(stdout.trim().split("\n").map((line) => JSON.parse(line)), [expected, expected])
    }), 60_000)

  scoped("sends the campaign of the README to everybody once, and continues it", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, requests } = yield* service({ contacts: 250 })
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) }
      const campaign = snippets.find((code) => code.includes("Campaign.run"))!
      const first = yield* run(version, campaign, env)
      assert.deepStrictEqual([first.code, first.stderr], [0, ""])
      const [, accepted, rejected, skipped] =
        /accepted: (\d+), rejected: (\d+), skipped: (\d+)/.exec(first.stdout)?.map(Number) ?? []
      assert.deepStrictEqual([accepted! + skipped!, rejected], [250, 0])
      const sent = requests.filter((request) => request.startsWith("POST")).length
      assert.isAtLeast(sent, 2)
      const again = yield* run(version, campaign, env)
      assert.deepStrictEqual([again.code, again.stdout], [0, first.stdout])
      assert.strictEqual(requests.filter((request) => request.startsWith("POST")).length, sent)
    }), 60_000)

  scoped("runs statements with limits on PostgreSQL", () =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* run(
        version,
        `import * as Postgres from "@mailstream/effect4/Postgres"
         import { Effect, Redacted } from "effect"
         import { SqlClient } from "effect/sql"

         const program = Effect.gen(function*() {
           const sql = yield* SqlClient.SqlClient
           yield* sql\`CREATE TEMPORARY TABLE t (a INT)\`.pipe(Effect.andThen(sql\`INSERT INTO t VALUES (1)\`), sql.withTransaction)
           const error = yield* Effect.flip(Postgres.allow("300 millis")(sql\`SELECT pg_sleep(60)\`))
           return [error._tag, error.reason._tag, (yield* sql\`SELECT 1 AS one\`)[0].one]
         })
         const live = Postgres.layer({ url: Redacted.make(process.env.DATABASE_URL), maxConnections: 1 })
         console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, live))))`,
        { DATABASE_URL: Provided.postgres() }
      )
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.deepStrictEqual(JSON.parse(stdout), ["SqlError", "StatementTimeoutError", 1])
    }), 60_000)

  it("compiles in strict projects, library types included", { timeout: 240_000 }, async () => {
    const files = Object.fromEntries(snippets.map((code, index) => [`snippet-${index}.ts`, code]))
    const problems = await Compiler.problems(projectOf(version), files, { types: [] })
    assert.deepStrictEqual(problems, [])
  })
})

describe("the package", () => {
  it("needs Effect 4, and nothing for Effect 3", () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = manifestOf(home)
    assert.deepStrictEqual(Object.keys(dependencies), ["@mailstream/kernel"])
    assert.deepStrictEqual(Object.keys(peerDependencies), ["effect", "pg", "undici"])
    assert.deepStrictEqual(peerDependenciesMeta, { pg: { optional: true }, undici: { optional: true } })
    const [lowest, highest] = versions
    assert.strictEqual(lowest?.version, "4.0.0")
    assert.match(highest?.version ?? "", /^4\./)
  })

  it("imports only modules that Effect calls stable in its main entry", () => {
    const effect = join(realpathSync(join(home, "node_modules/effect")), "src")
    const seen = new Set<string>()
    const imported = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/^(?! *\*).* from "([^"]+)"$/gm)) {
        if (path.startsWith(".")) visit(join(dirname(file), path))
        else imported.add(path)
      }
    }
    visit(join(home, "src/index.ts"))
    const modules = [...imported].filter((path) => path.startsWith("effect/"))
    assert.isAbove(modules.length, 20)
    for (const path of modules) {
      const [head = ""] =
        /\/\*\*[^]*?\*\//.exec(readFileSync(join(effect, `${path.slice("effect/".length)}.ts`), "utf8")) ?? []
      assert.notMatch(head, /@stability (unstable|experimental)/, path)
    }
    assert.deepStrictEqual([...imported].filter((path) => !/^(effect\/|@mailstream\/kernel\/)/.test(path)), [])
  })
})
