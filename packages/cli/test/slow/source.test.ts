import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { directory, slow } from "../support/program.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

/** A checkout whose sources can be changed, with what is installed here. */
const checkout = Effect.map(directory, (to) => {
  for (const name of [".ci", "package.json", "pnpm-lock.yaml", "tsconfig.base.json"]) {
    cpSync(join(root, name), join(to, name), { recursive: true })
  }
  for (const name of readdirSync(join(root, "packages"))) {
    for (const part of ["src", "build", "node_modules", "package.json", "tsconfig.json"]) {
      const from = join(root, "packages", name, part)
      if (existsSync(from)) cpSync(from, join(to, "packages", name, part), { recursive: true, verbatimSymlinks: true })
    }
  }
  mkdirSync(join(to, "node_modules"))
  for (const name of readdirSync(join(root, "node_modules")).filter((name) => name !== ".cache")) {
    symlinkSync(join(root, "node_modules", name), join(to, "node_modules", name))
  }
  const cache = join(to, "node_modules/.cache/mailstream")
  return {
    cache,
    bundles: () => readdirSync(cache).filter((name) => name.startsWith("bundle-")),
    run: Process.run([join(to, ".ci/scripts/mailstream.mjs"), "--version"]),
    setVersion: (version: string) => {
      const file = join(to, "packages/cli/src/terminal/Version.ts")
      writeFileSync(file, readFileSync(file, "utf8").replace(/"[^"]*"\n$/, `"${version}"\n`))
    }
  }
})

const printed = (version: string) => ({ code: 0, stdout: `${version}\n`, stderr: "" })

describe("npm run mailstream", () => {
  it.scoped("runs what the sources say, and bundles them once", () =>
    Effect.gen(function*() {
      const { bundles, run, setVersion } = yield* checkout
      for (const version of ["1.0.0", "2.0.0", "1.0.0"]) {
        setVersion(version)
        for (const _ of [1, 2]) assert.deepStrictEqual(yield* run, printed(version))
      }
      assert.lengthOf(bundles(), 2)
    }), slow)

  it.scoped("bundles again if an installed package has changed", () =>
    Effect.gen(function*() {
      const { bundles, cache, run } = yield* checkout
      yield* run
      const [name = ""] = readdirSync(cache).filter((name) => name.endsWith(".json"))
      const known = JSON.parse(readFileSync(join(cache, name), "utf8"))
      const [file = ""] = Object.keys(known.packages)
      writeFileSync(join(cache, name), JSON.stringify({ ...known, packages: { ...known.packages, [file]: "other" } }))
      yield* run
      assert.lengthOf(bundles(), 2)
      yield* run
      assert.lengthOf(bundles(), 2)
    }), slow)

  it.scoped("may be started several times at once", () =>
    Effect.gen(function*() {
      const { run, setVersion } = yield* checkout
      setVersion("3.0.0")
      const finished = yield* Effect.all([run, run, run], { concurrency: "unbounded" })
      assert.deepStrictEqual(finished, [printed("3.0.0"), printed("3.0.0"), printed("3.0.0")])
    }), slow)

  it.scoped("needs no bundle, if there is no place for one", () =>
    Effect.gen(function*() {
      const { cache, run, setVersion } = yield* checkout
      setVersion("4.0.0")
      mkdirSync(join(cache, ".."))
      // Nothing can be created in it, whoever the user is.
      writeFileSync(cache, "")
      assert.deepStrictEqual(yield* run, printed("4.0.0"))
      rmSync(cache)
    }), slow)
})
