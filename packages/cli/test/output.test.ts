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
        assert.strictEqual((yield* run(["contacts", "list", "--output", link], service)).code, 0)
        assert.deepStrictEqual(jsonLines(readFileSync(file, "utf8")), items)
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.isTrue(lstatSync(link).isSymbolicLink())
      }),
    slow
  )

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
        assert.deepStrictEqual([code, stderr], [1, "invalid_permission: No.\n"])
      }
      assert.deepStrictEqual(readdirSync(home), ["old"])
      assert.strictEqual(readFileSync(join(home, "old"), "utf8"), "old")
    }), slow)

  for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
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
        Effect.map(run(["contacts", "list", "--output", file], service), ({ code, stderr }) => {
          assert.strictEqual(code, 1)
          assert.match(stderr, /^OutputError: [^\n]+\n$/)
          assert.include(stderr, file)
        })
      yield* rejects("/dev/null")
      yield* rejects(join(home, "directory"))
      yield* rejects(join(home, "missing", "file"))
      assert.isTrue(statSync("/dev/null").isCharacterDevice())
      assert.deepStrictEqual(service.requests, [])
    }), slow)
})
