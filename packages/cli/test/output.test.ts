import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { inside } from "./support/inside.ts"
import { directory, jsonLines, run, slow, start } from "./support/program.ts"
import { contacts, paging, serving } from "./support/service.ts"

const items = contacts(12)

describe("--output", () => {
  it.scoped("writes the file in the format of its extension, and nothing else", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(items))
      const home = yield* directory
      const write = (name: string, ...args: ReadonlyArray<string>) =>
        Effect.map(run(["contacts", "list", "--output", name, ...args], { ...service, cwd: home }), (finished) => {
          assert.deepStrictEqual(finished, { code: 0, stdout: "", stderr: "" })
          return readFileSync(join(home, name), "utf8")
        })
      assert.deepStrictEqual(jsonLines(yield* write("a.txt")), items)
      assert.deepStrictEqual(JSON.parse(yield* write("a.json")), items)
      assert.match(yield* write("a.csv"), /^id,email/)
      assert.match(yield* write("b.csv", "--format", "table"), /^id +email/)
      assert.sameMembers(readdirSync(home), ["a.txt", "a.json", "a.csv", "b.csv"])
    }), slow)

  it.scoped("of - is standard output", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(items))
      const home = yield* directory
      const finished = yield* run(["contacts", "list", "--output", "-"], { ...service, cwd: home })
      assert.deepStrictEqual([finished.code, finished.stderr, jsonLines(finished.stdout)], [0, "", items])
      assert.deepStrictEqual(readdirSync(home), [])
    }), slow)

  it.scoped(
    "replaces an existing file, keeping its permissions and following links",
    () =>
      Effect.gen(function*() {
        const service = yield* serving(paging(items))
        const home = yield* directory
        const file = join(home, "real")
        const link = join(home, "link")
        writeFileSync(file, "old")
        chmodSync(file, 0o600)
        symlinkSync(file, link)
        assert.strictEqual((yield* inside(["contacts", "list", "--output", link], service)).code, 0)
        assert.deepStrictEqual(jsonLines(readFileSync(file, "utf8")), items)
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.isTrue(lstatSync(link).isSymbolicLink())
        // Whatever the umask of the program.
        chmodSync(file, 0o666)
        assert.strictEqual((yield* inside(["contacts", "list", "--output", link], service)).code, 0)
        assert.strictEqual(statSync(file).mode & 0o777, 0o666)
      }),
    slow
  )

  it.scoped("writes a file whose name is as long as a name can be, or odd", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(items))
      const home = yield* directory
      for (const name of ["x".repeat(255), " a\nb\t€ ", "./-"]) {
        const { code } = yield* run(["contacts", "list", `--output=${name}`], { ...service, cwd: home })
        assert.strictEqual(code, 0, name)
        assert.deepStrictEqual(jsonLines(readFileSync(join(home, name), "utf8")), items)
      }
    }), slow)

  it.scoped("leaves the directory unchanged when the walk fails", () =>
    Effect.gen(function*() {
      const page = paging(items)
      const service = yield* serving((url) =>
        url.searchParams.has("after")
          ? { status: 403, body: { name: "invalid_permission", message: "No." } }
          : page(url)
      )
      const home = yield* directory
      writeFileSync(join(home, "old"), "old")
      for (const name of ["old", "new"]) {
        const { code, stderr } = yield* run(
          ["contacts", "list", "--page-size", "5", "--output", join(home, name)],
          service
        )
        assert.strictEqual(code, 1)
        assert.match(stderr, /^invalid_permission: GET \S+: No\. \(mailstream explain invalid_permission\)\n$/)
      }
      assert.deepStrictEqual(readdirSync(home), ["old"])
      assert.strictEqual(readFileSync(join(home, "old"), "utf8"), "old")
    }), slow)

  for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    it.scoped(`leaves the directory unchanged when ${signal} ends it`, () =>
      Effect.gen(function*() {
        const page = paging(items)
        const reached = yield* Deferred.make<void>()
        const service = yield* serving((url) => {
          if (!url.searchParams.has("after")) return page(url)
          Deferred.unsafeDone(reached, Effect.void)
          return new Promise(() => {})
        })
        const home = yield* directory
        const program = yield* start(["contacts", "list", "--page-size", "5", "--output", join(home, "new")], service)
        yield* Deferred.await(reached)
        assert.strictEqual(readdirSync(home).length, 1)
        yield* program.kill(signal)
        assert.deepStrictEqual(yield* program.finished, { code: expected, stdout: "", stderr: "" })
        assert.deepStrictEqual(readdirSync(home), [])
      }), slow)
  }

  it.scoped("rejects a path that it cannot replace, before the first request", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(items))
      const home = yield* directory
      mkdirSync(join(home, "directory"))
      const rejects = (file: string) =>
        Effect.map(inside(["contacts", "list", "--output", file], service), ({ code, stderr }) => {
          assert.strictEqual(code, 1)
          assert.match(stderr, /^OutputError: [^\n]+\n$/)
          assert.include(stderr, file)
        })
      symlinkSync("b", join(home, "a"))
      symlinkSync("a", join(home, "b"))
      symlinkSync("missing/file", join(home, "dangling"))
      yield* rejects(join(home, "directory"))
      yield* rejects(join(home, "new/"))
      yield* rejects(join(home, "missing", "file"))
      yield* rejects(join(home, "a"))
      yield* rejects(join(home, "dangling"))
      // No one, not even root, creates files there.
      yield* rejects("/sys/mailstream")
      assert.sameMembers(readdirSync(home), ["directory", "a", "b", "dangling"])
      assert.deepStrictEqual(service.requests, [])
    }), slow)
})
