import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"

const root = new URL("../../", import.meta.url)

/** The sources of a package, except some. */
const sourcesOf = (name: string, except: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const src = new URL(`${name}/src/`, root)
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !except.includes(file))
    .map((file) => readFileSync(new URL(file, src), "utf8"))
}

/** The external modules that a package's sources, except some, import. */
const importsOf = (name: string, except: ReadonlyArray<string> = []): ReadonlySet<string> =>
  new Set(
    sourcesOf(name, except).flatMap((text) =>
      [...text.matchAll(/^(?:import|export) .*?from "([^.#"][^"]*)"$|^\} from "([^.#"][^"]*)"$/gm)]
        .map((match) => (match[1] ?? match[2])!.split("/").slice(0, match.input[0] === "@" ? 1 : 2).join("/"))
        .map((specifier) => specifier.startsWith("effect/") ? "effect" : specifier)
    )
  )

/** The modules that belong to the transport on undici. */
const onUndici = ["UndiciTransport.ts"]

const underUndici = ["undici/Incoming.ts", "undici/Reset.ts", "undici/Decompression.ts"]

/** The modules that belong to databases in files, which Node opens. */
const underSqlite = ["Driver.ts", "FileConnection.ts", "Files.ts", "Values.ts"].map((name) => `sqlite/${name}`)

const manifest = (name: string) => JSON.parse(readFileSync(new URL(`${name}/package.json`, root), "utf8"))

describe("packages", () => {
  it("core depends on effect alone", () => {
    assert.deepStrictEqual([...importsOf("core")], ["effect"])
    assert.deepStrictEqual(Object.keys(manifest("core").peerDependencies), ["effect"])
    assert.notProperty(manifest("core"), "dependencies")
  })

  it("http depends on core, kernel, effect and @effect/platform: it runs wherever `fetch` does", () => {
    assert.sameMembers(
      [...importsOf("http", onUndici)],
      ["effect", "@effect/platform", "@mailstream/core", "@mailstream/kernel"]
    )
    for (const text of sourcesOf("http", onUndici)) {
      assert.notMatch(text, /kernel\/undici/)
    }
  })

  it.each(["Undici", "Fetch"])("http's transport on %s is a separate module, which no other module imports", (name) => {
    const src = new URL("http/src/", root)
    const importers = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .filter((file) =>
        readFileSync(new URL(file, src), "utf8").match(/from "\.[^"]*"/g)?.some((_) => _.includes(name))
      )
    assert.deepStrictEqual(importers, [])
  })

  it("kernel is shared by the others, and needs nothing of them; what does not need Effect does not import it", () => {
    const onNode = [...underUndici, ...underSqlite]
    assert.deepStrictEqual([...importsOf("kernel", ["Fibers.ts", "Moment.ts", "Waiting.ts", ...onNode])], [])
    assert.deepStrictEqual([...importsOf("kernel", onNode)], ["effect"])
    assert.sameMembers([...importsOf("kernel", underSqlite)], ["effect", "undici", "node:stream", "node:zlib"])
    assert.sameMembers([...importsOf("kernel", underUndici)], ["effect", "node:sqlite", "node:fs", "node:path"])
    // Of undici, only types are imported.
    for (const text of sourcesOf("kernel")) assert.notMatch(text, /^import (?!type).*"undici"/m)
    assert.deepStrictEqual(manifest("kernel").peerDependenciesMeta, {
      effect: { optional: true },
      undici: { optional: true }
    })
    assert.notProperty(manifest("kernel"), "dependencies")
    assert.notMatch(
      readFileSync(new URL("kernel/src/index.ts", root), "utf8"),
      /\/(?:Fibers|Moment|Waiting|undici\/.*|sqlite\/.*)\.ts/
    )
  })

  it("no package exports its internals", () => {
    for (const name of readdirSync(root).filter((name) => manifest(name).private !== true)) {
      const { exports = {}, publishConfig } = manifest(name)
      for (const keys of [exports, publishConfig.exports ?? {}]) {
        for (const [key, target] of Object.entries(keys)) {
          assert.isFalse(target !== null && /\binternal\b/.test(key + JSON.stringify(target)), `${name}: ${key}`)
        }
      }
    }
  })

  it("only http's transport on undici needs undici", () => {
    assert.deepStrictEqual(manifest("http").peerDependenciesMeta, { undici: { optional: true } })
    const others = importsOf("http", onUndici)
    assert.deepStrictEqual(
      [...importsOf("http")].filter((name) => !others.has(name)),
      ["undici"]
    )
  })

  it("client builds on stream, but for its campaigns, and needs nothing to be installed", () => {
    const campaigns = ["audience.ts", "campaign.ts", "errors.ts"].map((name) => `internal/campaign/${name}`)
    assert.sameMembers(
      [...importsOf("client", ["undici.ts", "file-store.ts", "attach-file.ts", "campaign.ts", ...campaigns])],
      [
        "effect",
        "@effect/platform",
        "@mailstream/core",
        "@mailstream/http",
        "@mailstream/stream",
        "@mailstream/webhook"
      ]
    )
    assert.sameMembers(
      [...importsOf("client")].filter((name) => !name.startsWith("node:")),
      [...importsOf("client", ["undici.ts"])].filter((name) => !name.startsWith("node:")).concat(
        "undici"
      )
    )
    assert.notProperty(manifest("client"), "dependencies")
    assert.notProperty(manifest("client"), "peerDependencies")
  })

  it("every published package has an index, or is a program, and a manifest for ESM without side effects", () => {
    for (const name of readdirSync(root).filter((name) => manifest(name).private !== true)) {
      const main = manifest(name).bin === undefined ? "index.ts" : "bin.ts"
      assert.isTrue(existsSync(new URL(`${name}/src/${main}`, root)), name)
      assert.deepInclude(manifest(name), { type: "module", sideEffects: false })
    }
  })
})
