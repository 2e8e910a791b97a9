import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const manifestOf = (folder: string) => JSON.parse(read(join(folder, "package.json")))

const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}`)
const published = folders.filter((folder) => manifestOf(folder).private !== true)

/** The files that contain the version. */
const copies = [
  "packages/kernel/src/Version.ts",
  "packages/cli/src/terminal/Version.ts",
  "packages/cli/terminal.svg"
]

/** A clean checkout, of which everything is installed and released. */
const checkout = Effect.map(Temporary.directory, (to) => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text)
  }
  cpSync(join(root, ".ci/scripts"), join(to, ".ci/scripts"), { recursive: true })
  const { version } = manifestOf("packages/core")
  for (const path of ["package.json", ...folders.map((folder) => `${folder}/package.json`), ...copies]) {
    write(path, read(path))
  }
  write("pnpm-lock.yaml", "")
  write("node_modules/.pnpm/lock.yaml", "")
  write(".gitignore", "node_modules\n")
  write(".changeset/README.md", "")
  write("CHANGELOG.md", `# Changelog\n\n## ${version}\n\nEverything.\n`)
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...args], { cwd: to })
  git("init", "--quiet")
  const commit = () => {
    git("add", "--all")
    git("commit", "--quiet", "--message", "test")
  }
  commit()
  // Instead of npm, which would build.
  write("node_modules/npm.mjs", "console.log(process.argv.slice(2).join(\" \")); process.exit(3)")
  const release = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
    Process.run([join(to, ".ci/scripts/release.mjs"), ...args], {
      cwd: to,
      env: { ...env, npm_execpath: join(to, "node_modules/npm.mjs") }
    })
  return { commit, release, to, version, write }
})

describe("npm run release", () => {
  it.scoped("publishes from CI alone, and says what is missing elsewhere", () =>
    Effect.gen(function*() {
      const { release, version } = yield* checkout
      const refused = yield* release([])
      assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
      assert.include(refused.stderr, "Publishing is for CI alone; here, use npm run release -- --dry-run.")
      assert.include(refused.stderr, "id-token: write")
      assert.include(refused.stderr, `this is not the tag v${version}`)
      const untagged = yield* release([], {
        GITHUB_ACTIONS: "true",
        ACTIONS_ID_TOKEN_REQUEST_URL: "urn:token",
        GITHUB_REF: "refs/heads/main"
      })
      assert.deepStrictEqual([untagged.code, untagged.stdout], [1, ""])
      assert.include(untagged.stderr, `this is not the tag v${version}`)
      assert.notInclude(untagged.stderr, "id-token")
    }))

  it.scoped("releases a commit: nothing may be uncommitted", () =>
    Effect.gen(function*() {
      const { release, write } = yield* checkout
      write("packages/core/src/More.ts", "")
      const { code, stderr, stdout } = yield* release(["--dry-run"])
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.include(stderr, "Commit these first")
      assert.include(stderr, "packages/core/src/")
    }))

  it.scoped("releases one version: everything says it, and the changelog describes it", () =>
    Effect.gen(function*() {
      const { commit, release, to, version, write } = yield* checkout
      write("packages/http/package.json", read("packages/http/package.json").replace(version, "7.0.0"))
      write("packages/cli/terminal.svg", read("packages/cli/terminal.svg").replace(version, "8.0.0"))
      write(".changeset/quick-dogs-run.md", "")
      rmSync(join(to, "CHANGELOG.md"))
      write("CHANGELOG.md", "# Changelog\n")
      commit()
      const { code, stderr, stdout } = yield* release(["--dry-run"])
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.include(stderr, "packages/http has version 7.0.0")
      assert.include(stderr, "packages/cli/terminal.svg says 8.0.0")
      assert.include(stderr, `CHANGELOG.md has no section for ${version}`)
      assert.include(stderr, ".changeset/quick-dogs-run.md is not part of a version")
    }))

  it.scoped("builds what is clean and complete, and stops at the first failure", () =>
    Effect.gen(function*() {
      const { release } = yield* checkout
      const { code, stderr, stdout } = yield* release(["--dry-run"])
      assert.strictEqual(stdout, "\nBuilding, packing and checking the packages\nrun --silent build --\n")
      assert.deepStrictEqual([code, stderr.includes("failed with exit code 3")], [1, true])
      assert.include((yield* release(["--dryrun"])).stderr, "unknown argument --dryrun")
    }))
})

describe("the manifests", () => {
  it.each(published)("of %s are complete", (folder) => {
    const manifest = manifestOf(folder)
    for (const field of ["description", "license", "author", "engines", "files"]) assert.property(manifest, field)
    assert.isAtLeast(manifest.keywords.length, 3)
    assert.strictEqual(manifest.sideEffects, false)
    assert.strictEqual(manifest.version, manifestOf("packages/core").version)
    assert.strictEqual(manifest.publishConfig.access, "public")
    // These depend on where the repository lives, and are added when the package is packed.
    for (const field of ["repository", "homepage", "bugs"]) assert.notProperty(manifest, field)
  })

  it.scoped("say where the repository lives once they are packed, as the root says it", () =>
    Effect.gen(function*() {
      const to = yield* Temporary.directory
      cpSync(join(root, ".ci/scripts"), join(to, ".ci/scripts"), { recursive: true })
      const hookWith = (manifest: object) => {
        writeFileSync(join(to, "package.json"), JSON.stringify(manifest))
        const require = createRequire(join(to, "test.js"))
        for (const path of Object.keys(require.cache).filter((path) => path.startsWith(to))) delete require.cache[path]
        return require("./.ci/scripts/packing.cjs").hooks.beforePacking
      }
      const own = { name: "@mailstream/core" }
      const directory = join(to, "packages/core")
      assert.deepStrictEqual(hookWith({})(own, directory), own)
      const repository = { type: "git", url: "git+https://example.com/some/mailstream.git" }
      assert.deepStrictEqual(hookWith({ repository })(own, directory), {
        ...own,
        repository: { ...repository, directory: "packages/core" },
        homepage: "https://example.com/some/mailstream/tree/main/packages/core#readme",
        bugs: "https://example.com/some/mailstream/issues"
      })
    }))

  it("let npm start install all that the program needs", () => {
    const { dependencies } = manifestOf(".")
    const own = Object.keys(manifestOf("packages/cli").devDependencies)
      .filter((name) => name.startsWith("@mailstream/"))
      .map((name) => name.replace("@mailstream/", "packages/"))
    for (const folder of ["packages/cli", ...own.filter((name) => name !== "packages/testing")]) {
      const { dependencies: its = {}, peerDependencies: peers = {} } = manifestOf(folder)
      assert.containsAllKeys(dependencies, Object.keys({ ...its, ...peers }), folder)
    }
  })
})
