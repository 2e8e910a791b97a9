import { assert, describe, it } from "@effect/vitest"
import * as Temporary from "@mailstream/testing/Temporary"
import * as Tools from "@mailstream/testing/Tools"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { cpSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const home = fileURLToPath(new URL("../../../..", import.meta.url))

const run = (file: string, args: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv) =>
  Effect.promise(() => promisify(execFile)(file, args, { cwd, env }))

describe.skipIf(process.platform !== "linux")("a machine that has Node 20 and npm, and nothing else", () => {
  it.scopedLive("runs a program in TypeScript, on a Node 24 from the registry", (context) =>
    Effect.gen(function*() {
      const modules = yield* Effect.promise(() => Tools.install(`node-linux-${process.arch}@20.20.2`))
      if (modules === undefined) return context.skip("Node 20 cannot be installed")
      const node = join(modules, `node-linux-${process.arch}/bin/node`)
      const root = yield* Temporary.directory
      for (const name of [".ci/scripts", "package.json"]) {
        cpSync(join(home, name), join(root, name), { recursive: true })
      }
      // What it would install has other tests.
      writeFileSync(join(root, ".ci/scripts/setup.mjs"), "")
      writeFileSync(join(root, "main.ts"), "const version: string = process.versions.node\nconsole.log(version)\n")
      const npm = yield* run("npm", ["config", "get", "prefix", "--location=global"], root, process.env)
      const env = {
        ...process.env,
        PATH: [dirname(node), process.env["PATH"]].join(delimiter),
        npm_execpath: process.env["npm_execpath"] ?? join(npm.stdout.trim(), "lib/node_modules/npm/bin/npm-cli.js")
      }
      assert.match((yield* run("node", ["--version"], root, env)).stdout, /^v20\./)
      const first = yield* run("node", [".ci/scripts/run.mjs", "main.ts"], root, env)
      assert.match(first.stdout, /^24\.\d+\.\d+\n$/)
      assert.match(first.stderr, /^Mailstream needs Node .*; this is 20\.20\.2\. Installing Node \^24\.15\.0 .*\n$/)
      assert.deepStrictEqual(yield* run("node", [".ci/scripts/run.mjs", "main.ts"], root, env), {
        ...first,
        stderr: ""
      })
    }), 120_000)
})
