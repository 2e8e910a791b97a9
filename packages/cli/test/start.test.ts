import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import type { Metafile } from "esbuild"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "../build/bundle.ts"
import { directory, slow } from "./support/program.ts"
import { contacts, paging, serving } from "./support/service.ts"

/** The modules that come with a part of the program. */
const parts = {
  // The names of what can be copied are data.
  mirror: /packages\/mirror\/src\/(?!Lists\.ts)/,
  server: /packages\/server\/src\//,
  "sample data": /packages\/server\/src\/samples\//,
  SQL: /node_modules\/(@effect\/sql|pg)[-/]|src\/stores\/sql\//,
  "the command serve": /packages\/cli\/src\/service\/Flags\.ts$/,
  undici: /node_modules\/undici\//,
  "exporters of telemetry": /node_modules\/@effect\/opentelemetry\//,
  schemas: /node_modules\/effect\/dist\/esm\/Schema\.js$/
}

type Part = keyof typeof parts

describe("the program", () => {
  let home: string
  let metafile: Metafile

  beforeAll(async () => {
    home = Temporary.make()
    metafile = await bundle(home, { drivers: "path" })
    return () => Temporary.remove(home)
  }, slow)

  /** Which parts were loaded by a run, of those that are given. */
  const loaded = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
    Effect.gen(function*() {
      // V8 names every script that was loaded.
      const coverage = yield* directory
      const finished = yield* Process.run([join(home, "bin.mjs"), ...args], {
        env: { ...env, NODE_V8_COVERAGE: coverage }
      })
      assert.deepStrictEqual([finished.code, finished.stderr], [0, ""])
      const scripts = readdirSync(coverage).flatMap((name): ReadonlyArray<{ readonly url: string }> =>
        JSON.parse(readFileSync(join(coverage, name), "utf8")).result
      )
      const files = new Set(scripts.filter(({ url }) => url.startsWith("file:")).map(({ url }) => fileURLToPath(url)))
      const outputs = Object.entries(metafile.outputs).filter(([path]) => files.has(join(home, basename(path))))
      assert.isAbove(outputs.length, 1)
      const modules = [
        ...files,
        ...outputs.flatMap(([, { inputs }]) => Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0))
      ]
      return (Object.keys(parts) as Array<Part>).filter((part) => modules.some((path) => parts[part].test(path)))
    })

  it.scoped("loads for --version neither commands nor schemas", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* loaded(["--version"]), [])
    }), slow)

  it.scoped("loads for --help only the table of lists", () =>
    Effect.gen(function*() {
      for (const args of [["--help"], ["contacts", "--help"], []]) {
        assert.deepStrictEqual(yield* loaded(args), ["schemas"])
      }
    }), slow)

  it.scoped("loads for the help of a command neither transport nor other commands", () =>
    Effect.gen(function*() {
      const commands = [
        "contacts list",
        "campaign run",
        "campaign recipients",
        "sync",
        "changes topics",
        "worker",
        "cluster status",
        "explain not_found",
        "demo"
      ]
      for (const command of commands) {
        assert.deepStrictEqual(yield* loaded([...command.split(" "), "--help"]), ["schemas"], command)
      }
      assert.deepStrictEqual(yield* loaded(["serve", "--help"]), ["the command serve", "schemas"])
    }), slow)

  it.scoped("loads for the changes of a copy neither server nor transport", () =>
    Effect.gen(function*() {
      const { env } = yield* serving(paging(contacts(3)))
      const to = ["--to", `sqlite:${join(yield* directory, "mail.db")}`]
      yield* loaded(["sync", "--lists", "contacts", ...to], env)
      for (const args of [["changes", "contacts", ...to], ["sync", "status", ...to]]) {
        assert.deepStrictEqual(yield* loaded(args), ["mirror", "SQL", "schemas"])
      }
    }), slow)

  it.scoped("loads for a list neither server, SQL nor sample data", () =>
    Effect.gen(function*() {
      const { env } = yield* serving(paging(contacts(3)))
      // As on a machine where all programs find the variables of a collector.
      const variables = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }
      assert.deepStrictEqual(yield* loaded(["contacts", "list"], variables), ["undici", "schemas"])
    }), slow)
})
