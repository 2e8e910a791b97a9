import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"
import manifest from "../package.json" with { type: "json" }
import typedoc from "../typedoc.json" with { type: "json" }

const src = fileURLToPath(new URL("../src", import.meta.url))

/** The imports of every module: relative ones as paths below `src`. */
const imports = new Map(
  readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts")).map((path) => {
    const text = readFileSync(join(src, path), "utf8")
    const targets = Array.from(
      text.matchAll(/^(?:import|export|\}) .*from "(.+)"$/gm),
      ([, target = ""]) => target.startsWith(".") ? normalize(join(dirname(path), target)) : target
    )
    return [path, targets] as const
  })
)

/** Everything that a module imports, directly or not. */
const reachable = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
  for (const target of imports.get(path) ?? []) {
    if (seen.has(target)) continue
    seen.add(target)
    reachable(target, seen)
  }
  return seen
}

const roomOf = (path: string) => path.split("/")[0]!

/** A program that prints the modules that an import loads. */
const loadedBy = (specifier: string) => `
  import { registerHooks } from "node:module"
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  await import(${JSON.stringify(specifier)})
  console.log(JSON.stringify(loaded))`

describe("the modules of the server", () => {
  it.each([
    ["hosts", ["hosts", "app", "stores"]],
    ["app", ["app", "stores"]],
    ["stores", ["stores"]],
    ["samples", ["samples", "stores"]]
  ])("%s imports only %s", (room, allowed) => {
    const modules = [...imports].filter(([path]) => roomOf(path) === room)
    assert.isNotEmpty(modules)
    for (const [path, targets] of modules) {
      for (const target of targets) if (imports.has(target)) assert.include(allowed, roomOf(target), path)
    }
  })

  it("the app knows stores only by their interface", () => {
    for (const [path, targets] of imports) {
      if (roomOf(path) === "app") {
        assert.deepStrictEqual(targets.filter((target) => /^stores\/(sql|memory)/.test(target)), [])
      }
    }
  })

  it("do not import each other in circles", () => {
    for (const path of imports.keys()) assert.isFalse(reachable(path).has(path), path)
  })

  it("the web handler needs nothing of Node's host, nor of a database", () => {
    const needed = reachable("hosts/WebHandler.ts")
    assert.isTrue(needed.has("app/App.ts"))
    const foreign = [...needed].filter((target) => /^hosts\/|^stores\/sql|^node:(?!crypto$)|\bsql\b/.test(target))
    assert.deepStrictEqual(foreign, [])
  })

  it.effect("the main entry loads no sample data", () =>
    Effect.gen(function*() {
      const loads = (specifier: string) =>
        Effect.map(Process.run(["--input-type=module", "--eval", loadedBy(specifier)], { cwd: src }), (finished) => {
          assert.strictEqual(finished.code, 0, finished.stderr)
          const modules: ReadonlyArray<string> = JSON.parse(finished.stdout)
          return modules.filter((url) => url.includes("/server/src/samples/")).length
        })
      assert.isAbove(yield* loads("@mailstream/server/SampleData"), 0)
      assert.strictEqual(yield* loads("@mailstream/server"), 0)
    }), 60_000)

  it("are public only where package.json says so, before and after the build", () => {
    const { resolve } = createRequire(import.meta.url)
    for (const [name, target] of Object.entries(manifest.exports)) {
      assert.strictEqual(resolve(name.replace(".", manifest.name)), join(src, "..", target))
    }
    for (const path of imports.keys()) {
      assert.throws(() => resolve(`${manifest.name}/${path.replace(/\.ts$/, "")}`), /not defined by "exports"/)
    }
    const built = Object.entries(manifest.exports).map(([name, target]) => {
      const path = target.replace("./src/", "./dist/").replace(/\.ts$/, "")
      return [name, { types: `${path}.d.ts`, default: `${path}.js` }]
    })
    assert.deepStrictEqual<object>(manifest.publishConfig.exports, Object.fromEntries(built))
  })

  it("are documented if they are public", () => {
    const { ".": _, ...modules } = manifest.exports
    assert.sameMembers(typedoc.entryPoints.map((path) => `./${path}`), Object.values(modules))
  })
})
