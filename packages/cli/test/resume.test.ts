import { assert, describe, it } from "@effect/vitest"
import * as ResumeState from "@mailstream/cli/output/ResumeState"
import { Effect, Either } from "effect"
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inside } from "./support/inside.ts"
import { mortal } from "./support/mortal.ts"
import { directory, type Finished, jsonLines, run, slow, start } from "./support/program.ts"
import { contacts, paging, serving } from "./support/service.ts"

type Format = "ndjson" | "csv" | "json"

const items = contacts(8)
const header = "id,email,first_name,last_name,created_at,unsubscribed,other_fields"

/** Each item exactly once, in its order, and nothing else. */
const assertWhole = (file: string, format: Format, message: string) => {
  const text = readFileSync(file, "utf8")
  switch (format) {
    case "ndjson":
      return assert.deepStrictEqual(jsonLines(text), items, message)
    case "json":
      return assert.deepStrictEqual(JSON.parse(text), items, message)
    case "csv": {
      const [head, ...lines] = text.split("\r\n")
      assert.strictEqual(head, header, message)
      return assert.deepStrictEqual(
        lines.slice(0, -1).map((line) => line.split(",")[0]),
        items.map(({ id }) => id),
        message
      )
    }
  }
}

const args = (file: string, format = "ndjson") => [
  "contacts",
  "list",
  "--page-size",
  "3",
  "--format",
  format,
  "--output",
  file,
  "--resume",
  "test"
]

/** CI tries every instant, one after the other. */
const isComplete = process.env["MAILSTREAM_SLOW_TESTS"] === "1"

describe("a file written with --resume", () => {
  for (const format of ["ndjson", "csv", "json"] as const) {
    it.scoped(`holds each item once, wherever the last run died: ${format}`, () =>
      Effect.gen(function*() {
        const service = yield* serving(paging(items))
        const home = yield* directory
        let ends = 0
        for (const how of ["after", "within", "power"] as const) {
          for (let at = 1;; at += isComplete ? 1 : 4) {
            const file = join(home, `${how}-${at}`)
            const { died, layer } = mortal(at, how)
            const { code } = yield* inside(args(file, format), { ...service, fileSystem: layer })
            assert.strictEqual(code, died() ? 1 : 0)
            if (died()) ends++
            assert.strictEqual((yield* inside(args(file, format), service)).code, 0)
            assertWhole(file, format, `${how} change ${at}`)
            if (!died()) break
          }
        }
        // Three pages, each of them written, synced and stored as done, and the file itself.
        assert.isAbove(ends, isComplete ? 60 : 15)
      }), 3 * slow)
  }

  it.scoped("holds each item once, however often the program is killed", () =>
    Effect.gen(function*() {
      const many = contacts(120)
      const respond = paging(many)
      let kill = () => {}
      let left = 0
      const service = yield* serving((url) => {
        // Some milliseconds after the response the page is being written; each time at another moment.
        if (--left === 0) setTimeout(kill, kills % 8)
        return respond(url)
      })
      const file = join(yield* directory, "contacts.ndjson")
      const line = ["contacts", "list", "--page-size", "5", "--output", file, "--resume", "killed"]
      let kills = 0
      for (;;) {
        left = 3
        const { code } = yield* Effect.scoped(Effect.gen(function*() {
          const program = yield* start(line, service)
          kill = () => {
            kills++
            program.child.kill("SIGKILL")
          }
          return yield* program.finished
        }))
        if (code === 0) break
        assert.strictEqual(code, "SIGKILL")
        const text = existsSync(file) ? readFileSync(file, "utf8") : ""
        const whole = jsonLines(text.slice(0, text.lastIndexOf("\n") + 1))
        assert.deepStrictEqual(whole, many.slice(0, whole.length))
      }
      assert.isAbove(kills, 5)
      assert.deepStrictEqual(jsonLines(readFileSync(file, "utf8")), many)
    }), slow)

  it.scoped("is left alone when it is complete, with a message", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(items))
      const home = yield* directory
      const file = join(home, "contacts.json")
      assert.strictEqual((yield* inside(args(file, "json"), service)).code, 0)
      const requested = service.requests.length
      const files = () => readdirSync(home).map((name) => [name, readFileSync(join(home, name), "utf8")])
      const before = files()
      assert.deepStrictEqual(before.map(([name]) => name), ["contacts.json", "contacts.json.mailstream-resume"])
      const again = yield* inside(args(file, "json"), service)
      assert.deepStrictEqual([again.code, again.stdout], [0, ""])
      assert.match(again.stderr, /^\S+contacts\.json is already complete\..*mailstream-resume\.\n$/)
      assert.deepStrictEqual(files(), before)
      assert.strictEqual(service.requests.length, requested)
    }), slow)

  it.scoped("is not touched by a run with other options", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(items))
      const home = yield* directory
      const file = join(home, "contacts")
      const other = join(home, "other")
      writeFileSync(other, "mine")
      assert.strictEqual((yield* inside(args(file), service)).code, 0)
      const text = readFileSync(file, "utf8")
      const rejects = (line: ReadonlyArray<string>, reason: RegExp) =>
        Effect.map(inside(line, service), ({ code, stderr }) => {
          assert.strictEqual(code, 1)
          assert.match(stderr, /^(OutputError|CheckpointError): [^\n]+\n$/)
          assert.match(stderr, reason)
        })
      yield* rejects(args(other), /already exists and was not created with --resume/)
      yield* rejects(args(file, "csv"), /the format "ndjson", not "csv"/)
      yield* rejects([...args(file), "--columns", "id,email"], /the columns "all", not \["id","email"\]/)
      yield* rejects([...args(file).slice(0, -1), "key"], /the key "test", not "key"/)
      yield* rejects([...args(file), "--after", items[3]!.id], /the start position "Start", not "After/)
      yield* rejects(["topics", ...args(file).slice(1)], /the list "contacts", not "topics"/)
      yield* rejects([...args(file), "--segment", "s"], /the filter \{\}, not \{"segment_id":"s"\}/)
      assert.strictEqual(readFileSync(file, "utf8"), text)
      assert.strictEqual(readFileSync(other, "utf8"), "mine")
      writeFileSync(file, "")
      yield* rejects(args(file), /shorter than the last run left it/)
    }), slow)

  it.scoped("is resumed from the service that it was started with only", () =>
    Effect.gen(function*() {
      const page = paging(items)
      const broken = yield* serving((url) =>
        url.searchParams.has("after")
          ? { status: 403, body: { name: "invalid_permission", message: "No." } }
          : page(url)
      )
      const other = yield* serving(page)
      const file = join(yield* directory, "contacts")
      assert.strictEqual((yield* inside(args(file), broken)).code, 1)
      const text = readFileSync(file, "utf8")
      assert.deepStrictEqual(jsonLines(text), items.slice(0, 3))
      const { code, stderr } = yield* inside(args(file), other)
      assert.strictEqual(code, 1)
      const { MAILSTREAM_BASE_URL: first = "" } = broken.env
      const { MAILSTREAM_BASE_URL: second = "" } = other.env
      assert.include(stderr, `OutputError: ${file}: started with the service "${first}", not "${second}"`)
      assert.strictEqual(readFileSync(file, "utf8"), text)
      assert.deepStrictEqual(other.requests, [])
      // The same service, written differently.
      const same = yield* inside([...args(file), "--base-url", `${first.replace("http", "HTTP")}///`], broken)
      assert.match(same.stderr, /^invalid_permission/)
    }), slow)

  it.scoped("stores its position under any key", () =>
    Effect.gen(function*() {
      const page = paging(items)
      const service = yield* serving((url) =>
        url.searchParams.has("after")
          ? { status: 403, body: { name: "invalid_permission", message: "No." } }
          : page(url)
      )
      for (const key of ["nightly.lock", "nightly~", " a\nb "]) {
        const line = [...args(join(yield* directory, "contacts")).slice(0, -1), key]
        service.requests.length = 0
        for (const _ of [1, 2]) assert.strictEqual((yield* inside(line, service)).code, 1)
        assert.deepStrictEqual(service.requests.filter((path) => !path.includes("after=")).length, 1, key)
      }
    }), slow)

  it.scoped("finds its state again behind links, from any working directory", () =>
    Effect.gen(function*() {
      const page = paging(items)
      let isBroken = true
      const service = yield* serving((url) =>
        isBroken && url.searchParams.has("after")
          ? { status: 403, body: { name: "invalid_permission", message: "No." } }
          : page(url)
      )
      const home = yield* directory
      mkdirSync(join(home, "data"))
      mkdirSync(join(home, "links"))
      // Two links, both relative, to a file that does not exist yet.
      symlinkSync("../second", join(home, "links", "first"))
      symlinkSync("data/contacts", join(home, "second"))
      assert.strictEqual((yield* run(args("links/first"), { ...service, cwd: home })).code, 1)
      assert.sameMembers(readdirSync(join(home, "data")), ["contacts", "contacts.mailstream-resume"])
      isBroken = false
      assert.strictEqual((yield* run(args("first"), { ...service, cwd: join(home, "links") })).code, 0)
      assertWhole(join(home, "data", "contacts"), "ndjson", "behind links")
      const again = yield* run(args(join(home, "second")), { ...service, cwd: "/" })
      assert.strictEqual(again.code, 0)
      assert.include(again.stderr, `remove it and ${join(home, "data", "contacts.mailstream-resume")}.`)
      assert.sameMembers(readdirSync(home), ["data", "links", "second"])
      assert.isTrue(lstatSync(join(home, "links", "first")).isSymbolicLink())
    }), slow)

  it.scoped("is not created where it cannot be completed", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(items))
      const home = yield* directory
      symlinkSync("missing/file", join(home, "dangling"))
      symlinkSync("loop", join(home, "loop"))
      const assertRefused = (file: string, { code, stderr, stdout }: Finished) => {
        assert.deepStrictEqual([file, code, stdout], [file, 1, ""])
        assert.match(stderr, /^(OutputError|LockError): [^\n]+\n$/)
        assert.include(stderr, file)
      }
      for (const file of ["missing/file", "/dev/stdout", "-"]) {
        assertRefused(file, yield* run(args(file), { ...service, cwd: home }))
      }
      for (const file of [join(home, "dangling"), join(home, "loop"), "/sys/mailstream", "/dev/null"]) {
        assertRefused(file, yield* inside(args(file), service))
      }
      assert.sameMembers(readdirSync(home), ["dangling", "loop"])
      assert.deepStrictEqual(service.requests, [])
    }), slow)
})

describe("a run that begins", () => {
  const subject: ResumeState.Subject = {
    service: "http://localhost",
    list: "contacts",
    filter: { segment_id: "s" },
    key: "test",
    format: "csv",
    columns: ["id"],
    begin: "Start"
  }
  const files = { file: "FILE", stateFile: "STATE" }
  const state = (fields: object = {}) =>
    JSON.stringify({ version: 2, ...subject, bytes: 10, checkpoint: { test: "x" }, ...fields })
  const decide = (found: Pick<ResumeState.Found, "size" | "stored">) =>
    Either.mapLeft(ResumeState.decide(subject, { ...files, ...found }), ({ message }) => message)

  it("creates a file where there is nothing, and stores what it belongs to", () => {
    const decision = decide({ size: undefined, stored: undefined })
    assert.deepStrictEqual(
      decision,
      Either.right({ isNew: true, state: { version: 2, ...subject, bytes: 0, checkpoint: {} } })
    )
    const stored = Either.map(decision, ({ state }) => ResumeState.encode(state))
    assert.deepStrictEqual(
      Either.flatMap(stored, (stored) => decide({ size: undefined, stored })),
      Either.map(decision, ({ state }) => ({ isNew: false, state }))
    )
  })

  it("resumes a file that is at least as long as its valid bytes", () => {
    for (const size of [10, 11]) {
      const decision = decide({ size, stored: state() })
      assert.deepStrictEqual(
        Either.map(decision, ({ isNew, state }) => [isNew, state.bytes]),
        Either.right([false, 10])
      )
    }
    for (const size of [0, 9, undefined]) {
      assert.deepStrictEqual(
        decide({ size, stored: state() }),
        Either.left("FILE: shorter than the last run left it; to start over, remove it and STATE")
      )
    }
  })

  it("rejects what it did not write, and names the file", () => {
    assert.deepStrictEqual(
      decide({ size: 0, stored: undefined }),
      Either.left("FILE: already exists and was not created with --resume; remove it or choose another file")
    )
    for (const stored of ["", "{", "{}", state({ version: 1 }), state({ version: 3 }), state({ bytes: -1 })]) {
      assert.deepStrictEqual(
        decide({ size: 10, stored }),
        Either.left("STATE: not written by --resume; to start over, remove it and FILE")
      )
    }
  })

  it("rejects a file that was started with anything else", () => {
    const others: ReadonlyArray<readonly [field: keyof ResumeState.Subject, value: unknown, message: string]> = [
      ["service", "http://other", "service \"http://other\", not \"http://localhost\""],
      ["list", "topics", "list \"topics\", not \"contacts\""],
      ["filter", {}, "filter {}, not {\"segment_id\":\"s\"}"],
      ["key", "other", "key \"other\", not \"test\""],
      ["format", "json", "format \"json\", not \"csv\""],
      ["columns", undefined, "columns \"all\", not [\"id\"]"],
      ["begin", "After x", "start position \"After x\", not \"Start\""]
    ]
    for (const [field, value, message] of others) {
      assert.deepStrictEqual(
        decide({ size: 10, stored: state({ [field]: value }) }),
        Either.left(`FILE: started with the ${message}; use the same or choose another file`)
      )
    }
  })
})
