import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Bundle from "@mailstream/testing/Bundle"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { directory, jsonLines, slow } from "./support/program.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const packages = ["kernel", "core", "http", "stream", "client", "effect4", "sql", "mirror", "cluster", "server", "cli"]

/** Copies the packages. Their links to each other are relative, so that they lead to the copies. */
const copyRepository = (to: string): void => {
  for (const name of packages) {
    for (const part of ["src", "generate", "node_modules", "package.json"]) {
      const from = join(root, "packages", name, part)
      if (existsSync(from)) {
        cpSync(from, join(to, "packages", name, part), { recursive: true, verbatimSymlinks: true })
      }
    }
  }
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"))
}

/** The code of the steps in CONTRIBUTING.md. */
const steps = (): ReadonlyArray<string> => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
  const [section = ""] = /## Adding a list\n[^]*?\n## /.exec(text) ?? []
  return [...section.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code.replace(/^ {3}/gm, ""))
}

const edit = (file: string, change: (text: string) => string): void => {
  const before = readFileSync(file, "utf8")
  const after = change(before)
  assert.notStrictEqual(after, before, `${file} has changed its form`)
  writeFileSync(file, after)
}

/** Follows CONTRIBUTING.md up to `npm run generate`. */
const addList = (to: string): void => {
  const [schema, entry, sample] = steps()
  assert(schema !== undefined && entry !== undefined && sample !== undefined)
  const core = join(to, "packages/core/src")
  writeFileSync(join(core, "Webhook.ts"), schema)
  edit(join(core, "index.ts"), (text) => `${text}export * from "./Webhook.ts"\n`)
  edit(join(core, "Resource.ts"), (text) =>
    text
      .replace("import { Topic }", `import { Webhook } from "./Webhook.ts"\n$&`)
      .replace("/**\n * Every list, in the order", `${entry}\n$&`)
      .replace("  topics\n] as const", "  topics,\n  webhooks\n] as const"))
  edit(join(to, "packages/server/src/samples/SampleData.ts"), (text) =>
    text
      .replace("import type { Sample }", "import { sample, type Sample }")
      .replace("export const samples = {\n", `$&${sample}\n`))
}

/** Programs that use the list, by the package that they belong to. */
const programs = {
  cli: `
    import { Mailstream, Webhooks } from "@mailstream/http"
    import * as FetchTransport from "@mailstream/http/FetchTransport"
    import { webhooks } from "@mailstream/stream"
    import { Console, Effect, Layer, Stream } from "effect"

    const program = Effect.gen(function*() {
      const { data } = yield* (yield* Webhooks).list({ limit: 1 })
      const count = yield* Stream.runCount(webhooks.items({ pageSize: 40 }))
      const whole = yield* Stream.runCount(webhooks.whole())
      yield* Console.log(JSON.stringify({ id: data[0]?.id, count, whole }))
    })
    const live = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))
    await Effect.runPromise(Effect.provide(program, live))`,
  client: `
    import { Mailstream } from "@mailstream/client"

    const { webhooks } = Mailstream.fromEnv()
    const { data } = await webhooks.list({ limit: 1 })
    let count = 0
    for await (const webhook of webhooks.items({ pageSize: 40 })) if (webhook.endpoint !== undefined) count++
    const whole = await webhooks.whole().toArray({ limit: 1000 })
    console.log(JSON.stringify({ id: data[0]?.id, count, whole: whole.length }))`,
  effect4: `
    import { Mailstream, Webhooks, webhooks } from "@mailstream/effect4"
    import { Console, Effect, Stream } from "effect"

    const program = Effect.gen(function*() {
      const { data } = yield* (yield* Webhooks).list({ limit: 1 })
      const count = yield* Stream.runCount(webhooks.items({ pageSize: 40 }))
      const whole = yield* Stream.runCount(webhooks.whole())
      yield* Console.log(JSON.stringify({ id: data[0]?.id, count, whole }))
    })
    await Effect.runPromise(Effect.provide(program, Mailstream.layerConfig()))`
}

describe("an eleventh list, added by the steps in CONTRIBUTING.md", () => {
  it.scopedLive(
    "is served, stored, streamed, listed, copied, in the plain client and on Effect 4",
    () =>
      Effect.gen(function*() {
        const to = yield* directory
        copyRepository(to)
        addList(to)
        const generated = yield* Process.run(["packages/core/generate/main.ts"], { cwd: to })
        assert.deepStrictEqual([generated.code, generated.stderr], [0, ""])
        assert.include(generated.stdout, "wrote packages/stream/src/webhooks.ts")

        const walks = Object.entries(programs).map(([name, code]) => {
          const file = join(to, "packages", name, "walk.ts")
          writeFileSync(file, code)
          return [`walk-${name}`, file] as const
        })
        const sources = { mailstream: join(to, "packages/cli/src/bin.ts"), ...Object.fromEntries(walks) }
        yield* Effect.promise(() => Bundle.bundle(sources, join(to, "dist")))
        const program = (name: string) => join(to, "dist", `${name}.mjs`)

        const file = join(to, "mailstream.db")
        const options = ["--port", "0", "--store", `sqlite:${file}`, "--items", "webhooks=150", "--api-key", "re_1"]
        const service = yield* Process.start([program("mailstream"), "serve", ...options])
        const [baseUrl = ""] = /http:\S+/.exec(yield* service.line) ?? []
        const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: "re_1" }

        const response = yield* Effect.promise(() =>
          fetch(`${baseUrl}/webhooks?limit=2`, { headers: { authorization: "Bearer re_1" } }).then((_) => _.text())
        )
        const { data } = JSON.parse(response)
        assert.strictEqual(data.length, 2)
        assert.strictEqual(data[0].endpoint, "https://example.com/149")

        const listed = yield* Process.run([program("mailstream"), "webhooks", "list", "--format", "ndjson"], { env })
        assert.deepStrictEqual([listed.code, listed.stderr], [0, ""])
        const ids = jsonLines(listed.stdout).map(({ id }) => id)
        assert.strictEqual(new Set(ids).size, 150)

        for (const [name] of walks) {
          const walked = yield* Process.run([program(name)], { env })
          assert.deepStrictEqual([walked.code, walked.stderr], [0, ""])
          assert.deepStrictEqual(JSON.parse(walked.stdout), { id: ids[0], count: 150, whole: 150 })
        }

        const copy = join(to, "copy.db")
        const synced = yield* Process.run(
          [program("mailstream"), "sync", "--lists", "webhooks", "--to", `sqlite:${copy}`],
          { env }
        )
        assert.strictEqual(synced.code, 0, synced.stderr)

        const rows = (file: string, query: string) =>
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(query)).pipe(
            Effect.provide(Sqlite.layer({ filename: file }))
          )
        assert.deepStrictEqual(
          yield* rows(file, "SELECT count(*) AS count FROM mailstream_items WHERE list = 'webhooks' AND live = 1"),
          [{ count: 150 }]
        )
        assert.deepStrictEqual(
          yield* rows(copy, "SELECT count(DISTINCT endpoint) AS count FROM webhooks WHERE deleted_at IS NULL"),
          [{ count: 150 }]
        )
      }),
    2 * slow
  )
})
