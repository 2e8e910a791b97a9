import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { SystemError } from "@effect/platform/Error"
import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import { Effect, Layer, Redacted } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { contactService, type Fault } from "../support/contacts.ts"
import { inside, type Options } from "../support/inside.ts"
import { directory, jsonLines, slow } from "../support/program.ts"

const addressOf = (index: number) => `contact+${index}@example.com`

/** A file with this text, in its own directory. */
const file = (text: string, name = "contacts.csv") =>
  Effect.map(directory, (home) => {
    const path = join(home, name)
    writeFileSync(path, text)
    return path
  })

const importing = (path: string, options: Options, ...args: ReadonlyArray<string>) =>
  inside(["contacts", "import", path, "--format", "ndjson", ...args], options)

const csv = (count: number) =>
  ["email,first_name", ...Array.from({ length: count }, (_, index) => `${addressOf(index)},Name ${index}`)].join("\n")

const unauthorized: Fault = [401, "invalid_api_key"]

/** Whether a request is about one of the contacts from this one on. */
const isAfter = (line: string, first: number): boolean =>
  Number(/contact(?:\+|%2B)(\d+)/.exec(line)?.[1] ?? -1) >= first

const resultOf = (stdout: string) => jsonLines(stdout)[0]

const all = (count: number) => Array.from({ length: count }, (_, index) => addressOf(index))

describe("contacts import", () => {
  it.scopedLive("creates every contact of a file once", () =>
    Effect.gen(function*() {
      const service = yield* contactService()
      const path = yield* file(csv(50))
      const { code, stderr, stdout } = yield* importing(path, service)
      assert.deepStrictEqual(resultOf(stdout), {
        contacts: 50,
        refused: 0,
        refused_file: null
      })
      assert.deepStrictEqual(
        [code, stderr],
        [0, "50 contacts imported; 0 lines refused.\n"]
      )
      assert.sameMembers([...service.contacts.keys()], all(50))
      assert.strictEqual(service.creations(), 50)
      assert.isAtMost(service.most(), 5)
      assert.deepStrictEqual(readdirSync(dirname(path)), ["contacts.csv"])
    }), slow)

  it.scopedLive("writes refused lines to a file that can be corrected and imported", () =>
    Effect.gen(function*() {
      const service = yield* contactService()
      const path = yield* file(
        "email;first_name\r\nada@example.com;Ada\r\nnope;=1+1\r\nrefused@example.com;\"R\r\n1\"\r\n"
      )
      const { code, stderr, stdout } = yield* importing(path, service)
      const refused = `${path}.refused.csv`
      assert.strictEqual(code, 1)
      assert.deepInclude(resultOf(stdout), { contacts: 1, refused: 2, refused_file: refused })
      assert.strictEqual(
        stderr,
        "1 contact imported; 2 lines refused.\n" +
          `${refused} has the refused lines, with the reasons. Correct and import that file.\n`
      )
      const expected = "refused_line,refused_because,email,first_name\r\n" +
        "3,The `email` field must be an email address.,nope,'=1+1\r\n" +
        "4,The address refused@example.com is not accepted.,refused@example.com,\"R\r\n1\"\r\n"
      assert.strictEqual(readFileSync(refused, "utf8"), expected)
      writeFileSync(
        refused,
        expected.replace("nope", "bob@example.com").replace("example.com,\"R", "example.com,\"R")
          .replace(",refused@example.com,\"R", ",carl@example.com,\"R")
      )
      assert.strictEqual((yield* importing(refused, service)).code, 0)
      assert.deepStrictEqual(service.contacts.get("bob@example.com")?.fields, { first_name: "=1+1" })
      assert.deepStrictEqual(service.contacts.get("carl@example.com")?.fields, { first_name: "R\r\n1" })
    }), slow)

  it.scopedLive("sends nothing with --dry-run, but says and writes the same", () =>
    Effect.gen(function*() {
      const path = yield* file("{\"email\":\"a@example.com\"}\n{\"email\":1}\n\n{\n", "contacts.ndjson")
      const { code, stderr, stdout } = yield* importing(path, {}, "--dry-run")
      const refused = `${path}.refused.ndjson`
      assert.deepStrictEqual([code, resultOf(stdout)], [1, {
        dry_run: true,
        contacts: 1,
        refused: 2,
        refused_file: refused
      }])
      assert.strictEqual(
        stderr,
        "Nothing was sent: 1 contact would be, 2 lines refused. Whether the service accepts them, and whether segments, " +
          `topics and properties exist, was not checked.\n${refused} has the refused lines, with the reasons. Correct ${path} ` +
          "itself; or import it without --dry-run, and then the corrected lines.\n"
      )
      assert.strictEqual(
        readFileSync(refused, "utf8"),
        "{\"refused_line\":2,\"refused_because\":\"The `email` field must be an email address.\",\"email\":1}\n" +
          "{\"refused_line\":4,\"refused_because\":\"the line is not a JSON object\",\"original\":\"{\"}\n"
      )
    }), slow)

  it.scopedLive(
    "refuses unknown columns, an empty file and a wrong segment before anything is sent",
    () =>
      Effect.gen(function*() {
        const service = yield* contactService()
        const unknown = yield* importing(yield* file("email,Firma\na@example.com,x\n"), service)
        assert.strictEqual(unknown.code, 1)
        assert.match(
          unknown.stderr,
          /^InputError: .+contacts\.csv: unknown column 'Firma'\. .+--map 'Firma=properties\.firma'/
        )
        const empty = yield* importing(yield* file(""), service)
        assert.match(empty.stderr, /^InputError: .+ is empty; the first line must name the columns/)
        const missing = yield* importing("missing.csv", service)
        assert.match(missing.stderr, /^InputError: missing\.csv: no such file or directory/)
        assert.deepStrictEqual([unknown.code, empty.code, missing.code, service.requests], [1, 1, 1, []])
        const path = yield* file(csv(3))
        const wrong = yield* importing(path, service, "--segment", "unknown")
        assert.match(wrong.stderr, /^not_found: .+Audience not found/)
        assert.deepStrictEqual([wrong.code, service.contacts.size], [1, 0])
      }),
    slow
  )

  it.scopedLive("of a header alone does nothing", () =>
    Effect.gen(function*() {
      const service = yield* contactService()
      for (const [text, name] of [["\ufeffemail\r\n", "contacts.csv"], ["", "contacts.ndjson"]] as const) {
        const { code, stdout } = yield* importing(yield* file(text, name), service)
        assert.strictEqual(code, 0)
        assert.deepInclude(resultOf(stdout), { contacts: 0, refused: 0, refused_file: null })
      }
      assert.deepStrictEqual(service.requests, [])
    }), slow)

  it.scopedLive(
    "puts everybody into the segments, existing or new, and keeps or updates who exists",
    () =>
      Effect.gen(function*() {
        const service = yield* contactService()
        const first = yield* file("email,first_name\na@example.com,Old\n")
        yield* importing(first, service)
        const second = yield* file("email,first_name,segments\na@example.com,New,own\nb@example.com,B,\n")
        yield* importing(second, service, "--segment", "s1", "--segment", "s2")
        const [a, b] = [service.contacts.get("a@example.com"), service.contacts.get("b@example.com")]
        assert.deepStrictEqual(a?.fields, { first_name: "Old" })
        assert.sameMembers([...a!.segments], ["own", "s1", "s2"])
        assert.sameMembers([...b!.segments], ["s1", "s2"])
        assert.strictEqual((yield* importing(second, service, "--on-existing", "update")).code, 0)
        assert.deepStrictEqual(a?.fields, { first_name: "New" })
        // A segment of one line refuses this line alone.
        const third = yield* file("email,segments\nc@example.com,missing\nd@example.com,s1\n")
        const { code, stdout } = yield* importing(third, service)
        assert.deepStrictEqual([code, resultOf(stdout)?.["contacts"], resultOf(stdout)?.["refused"]], [1, 1, 1])
      }),
    slow
  )

  it.scopedLive(
    "tells how many contacts were created, were updated, already existed, and how many lines were refused",
    () =>
      Effect.gen(function*() {
        const { apiKey, baseUrl } = yield* Server.TestServer
        const options = { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) } }
        yield* importing(yield* file("email,first_name\na@example.com,Old\nb@example.com,B\n"), options)
        const second = yield* file(
          "email,first_name\nA@example.com,New\nb@example.com,B\nc@example.com,C\nnope,D\nd@example.com,\nc@example.com,C2\n"
        )
        const copy = (name: string) => {
          const path = join(dirname(second), name)
          writeFileSync(path, readFileSync(second))
          return path
        }
        const skipped = yield* importing(copy("skipped.csv"), options, "--dry-run")
        assert.deepInclude(resultOf(skipped.stdout), { contacts: 5, refused: 1 })
        const update = ["--on-existing", "update"]
        const updated = yield* importing(second, options, "--count-existing", ...update)
        assert.deepInclude(resultOf(updated.stdout), { contacts: 5, created: 2, updated: 2, existing: 1, refused: 1 })
        assert.match(
          updated.stderr,
          /^5 contacts imported: 2 created, 2 updated, 1 already existed; 1 line refused\.\n/
        )
        const kept = yield* importing(copy("kept.csv"), options, "--count-existing")
        assert.deepInclude(resultOf(kept.stdout), { contacts: 5, created: 0, updated: 0, existing: 5, refused: 1 })
        const unknown = yield* importing(copy("unknown.csv"), options, ...update)
        assert.hasAllKeys(resultOf(unknown.stdout), ["contacts", "refused", "refused_file"])
        assert.match(unknown.stderr, /^5 contacts imported; 1 line refused\.\n/)
        const listed = jsonLines((yield* inside(["contacts", "list", "--format", "ndjson"], options)).stdout)
        assert.sameDeepMembers(
          listed.map(({ email, first_name }) => [email, first_name]),
          [["a@example.com", "New"], ["b@example.com", "B"], ["c@example.com", "C2"], ["d@example.com", null]]
        )
      }).pipe(Effect.provide(Server.layerTest())),
    slow
  )

  it.scopedLive(
    "sends nothing for who exists already and is as the file says, if that was looked up",
    () =>
      Effect.gen(function*() {
        const service = yield* contactService()
        const path = yield* file("email,first_name\na@example.com,A\n")
        const count = "--count-existing"
        yield* importing(path, service, count)
        assert.deepStrictEqual(service.requests.splice(0).map((line) => line.split(" ")[0]), ["GET", "POST"])
        yield* importing(path, service, count)
        yield* importing(path, service, count, "--on-existing", "update")
        assert.deepStrictEqual(service.requests.splice(0).map((line) => line.split(" ")[0]), ["GET", "GET"])
        yield* importing(path, service, "--on-existing", "update")
        assert.deepStrictEqual(service.requests.map((line) => line.split(" ")[0]), ["POST", "PATCH"])
      }),
    slow
  )

  it.scopedLive("says which file of refused lines is not its own, and leaves it alone", () =>
    Effect.gen(function*() {
      const service = yield* contactService()
      const path = yield* file("email\nnope\n")
      const [first, second] = [`${path}.refused.csv`, `${path}.refused-2.csv`]
      const own = yield* importing(path, service)
      assert.notInclude(own.stderr, "earlier")
      const refused = yield* importing(path, service, "--dry-run")
      assert.include(
        refused.stderr,
        `\n${first} is from an earlier import, not from this one: remove it if it is of no more use.\n${second} has the`
      )
      writeFileSync(path, "email\na@example.com\n")
      const none = yield* importing(path, service, "--resume", "x")
      assert.deepStrictEqual([none.code, resultOf(none.stdout)?.["refused_file"]], [0, null])
      assert.include(
        none.stderr,
        `\n${first}, ${second} are from earlier imports, not from this one: remove them if they are of no more use.\n`
      )
      assert.isTrue(existsSync(first) && existsSync(second))
      // What is not such a file is not said to be one.
      writeFileSync(first, "precious")
      writeFileSync(second, "precious")
      assert.notInclude((yield* importing(path, service)).stderr, "earlier")
    }), slow)

  it.scopedLive("names columns as the file does, also if the service refuses a line", () =>
    Effect.gen(function*() {
      const service = yield* contactService()
      const path = yield* file(
        "E-Mail,Opted out,Alter,Themen\nnope,,,\n,no,,\nb@example.com,perhaps,,\nc@example.com,,old,\n" +
          "d@example.com,,,x:maybe\nrefused@example.com,,,\n"
      )
      const map = "Alter=properties.age:number,Themen=topics"
      const { stdout } = yield* importing(path, service, "--map", map, "--dry-run")
      const reasonsIn = (file: unknown) =>
        readFileSync(String(file), "utf8").split("\r\n").slice(1, -1).map((line) =>
          line.replace(/^\d+,"?|[,"].*$/g, "")
        )
      assert.deepStrictEqual(reasonsIn(resultOf(stdout)?.["refused_file"]), [
        "The `E-Mail` field must be an email address.",
        "Missing `E-Mail` field.",
        "The `Opted out` field must be true or false",
        "The property `Alter` must be a number.",
        "The `Themen` field must be ID:opt_in or ID:opt_out"
      ])
      const remote = yield* importing(
        yield* file("Mail address\nunwanted@example.com\n"),
        service,
        "--map",
        "Mail address=email"
      )
      assert.deepStrictEqual(
        reasonsIn(resultOf(remote.stdout)?.["refused_file"]),
        ["The `Mail address` field is not wanted."]
      )
    }), slow)

  it.scopedLive("lets lines with the same address take effect in their order", () =>
    Effect.gen(function*() {
      // The earlier a request comes, the longer it takes.
      const service = yield* contactService(
        () => undefined,
        (index) => new Promise((resolve) => setTimeout(resolve, Math.max(0, 20 - index)))
      )
      const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`)
      const path = yield* file(["email,first_name", ...names.map((name) => `A@example.com,${name}`)].join("\n"))
      yield* importing(path, service, "--concurrency", "10")
      assert.deepStrictEqual(service.contacts.get("A@example.com")?.fields, { first_name: "Name 0" })
      yield* importing(path, service, "--concurrency", "10", "--on-existing", "update")
      assert.deepStrictEqual(service.contacts.get("A@example.com")?.fields, { first_name: "Name 9" })
    }), slow)

  it.scopedLive("repeats what was lost or came too early, at any concurrency", () =>
    Effect.gen(function*() {
      const faults: ReadonlyArray<Fault> = ["lost", [429, "rate_limit_exceeded"], [503, "service_unavailable"]]
      const service = yield* contactService((index) => index % 4 === 3 ? faults[(index >> 2) % 3] : undefined)
      const path = yield* file(csv(40))
      const { code, stdout } = yield* importing(path, service, "--concurrency", "20", "--retry", "30s")
      assert.deepStrictEqual([code, resultOf(stdout)?.["contacts"]], [0, 40])
      assert.sameMembers([...service.contacts.keys()], all(40))
    }), slow)

  it.scopedLive(
    "stops at an error that every line would get, keeps what was done, and continues there",
    () =>
      Effect.gen(function*() {
        let isWrong = true
        const service = yield* contactService((_, line) => isWrong && isAfter(line, 12) ? unauthorized : undefined)
        const path = yield* file(csv(30))
        const stopped = yield* importing(path, service, "--resume", "spring")
        assert.strictEqual(stopped.code, 1)
        assert.match(
          stopped.stderr,
          /^Stopped: 12 contacts imported, 0 lines refused so far\. To continue, run: mailstream contacts import .+ --resume spring\ninvalid_api_key: /
        )
        assert.strictEqual(service.contacts.size, 12)
        isWrong = false
        const begun = service.creations()
        const { code, stdout } = yield* importing(path, service, "--resume", "spring")
        assert.strictEqual(code, 0)
        assert.deepInclude(resultOf(stdout), { contacts: 30 })
        // Nothing that was stored as done was sent again.
        assert.strictEqual(service.creations() - begun, 18)
        assert.deepStrictEqual([...service.contacts.keys()].sort(), all(30).sort())
        const again = yield* importing(path, service, "--resume", "spring")
        assert.match(again.stderr, /^--resume spring is already complete\. /)
        assert.deepStrictEqual([again.code, service.creations() - begun], [0, 18])
      }),
    slow
  )

  it.scopedLive("says without --resume that it starts again at the first line", () =>
    Effect.gen(function*() {
      const service = yield* contactService(() => [401, "invalid_api_key"])
      const { code, stderr } = yield* importing(yield* file(csv(3)), service)
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^Stopped: 0 contacts imported, 0 lines refused so far\. To start again at the first line, which creates nobody twice, run: /
      )
    }), slow)

  it.scopedLive(
    "refuses another file, other options and another service under the same name",
    () =>
      Effect.gen(function*() {
        const service = yield* contactService((_, line) => isAfter(line, 5) ? unauthorized : undefined)
        const path = yield* file(csv(20))
        yield* importing(path, service, "--resume", "one")
        const requests = service.requests.length
        const refuses = (pattern: RegExp, ...args: ReadonlyArray<string>) =>
          Effect.map(importing(path, service, "--resume", "one", ...args), ({ code, stderr }) => {
            assert.match(stderr, pattern)
            assert.deepStrictEqual([code, service.requests.length], [1, requests])
          })
        yield* refuses(
          /^InputError: --resume one: was started with --on-existing "keep", not "update"; use the same/,
          "--on-existing",
          "update"
        )
        yield* refuses(
          /^InputError: --resume one: was started without --segment, with --segment "s1" now; use the same/,
          "--segment",
          "s1"
        )
        yield* refuses(/^InputError: --resume one: was started with service .+/, "--base-url", "http://127.0.0.1:1")
        writeFileSync(path, csv(21))
        yield* refuses(
          /^InputError: --resume one: was started with another input: it was \d+ bytes, and is now \d+ bytes/
        )
        // Of the same size, with another line at the beginning.
        writeFileSync(path, csv(20).replace("Name 1\n", "Nome 1\n"))
        yield* refuses(/^InputError: --resume one: .+contacts\.csv is not the input that was imported so far/)
        writeFileSync(join(dirname(path), "other.mailstream-import"), "x")
        const foreign = yield* importing(path, service, "--resume", "other")
        assert.match(foreign.stderr, /InputError: --resume other: .+ was not written by an import; choose another name/)
      }),
    slow
  )

  it.scopedLive("changes no file that it has not made", () =>
    Effect.gen(function*() {
      const service = yield* contactService()
      const path = yield* file("email\nnope\na@example.com\n")
      const other = join(dirname(path), "mine.csv")
      writeFileSync(other, "precious")
      const { code, stderr } = yield* importing(path, service, "--refused", other)
      assert.match(
        stderr,
        /OutputError: .+mine\.csv: already exists; remove it, or choose another file with --refused/
      )
      assert.deepStrictEqual([code, readFileSync(other, "utf8"), service.requests], [1, "precious", []])
      // Those of an earlier run, which may have been corrected.
      yield* importing(path, service)
      const corrected = readFileSync(`${path}.refused.csv`, "utf8").replace("nope", "bob@example.com")
      writeFileSync(`${path}.refused.csv`, corrected)
      const second = yield* importing(path, service)
      assert.strictEqual(resultOf(second.stdout)?.["refused_file"], `${path}.refused-2.csv`)
      assert.include(second.stderr, `${path}.refused-2.csv has the refused line, with the reason.`)
      assert.include(readFileSync(`${path}.refused-2.csv`, "utf8"), "nope")
      const third = yield* importing(path, service, "--resume", "x")
      assert.strictEqual(resultOf(third.stdout)?.["refused_file"], `${path}.refused-3.csv`)
      // A complete import leaves its file alone, and does not need it.
      writeFileSync(`${path}.refused-3.csv`, "corrected")
      const again = yield* importing(path, service, "--resume", "x")
      assert.match(again.stderr, /^--resume x is already complete/)
      assert.strictEqual(readFileSync(`${path}.refused-3.csv`, "utf8"), "corrected")
      assert.strictEqual(readFileSync(`${path}.refused.csv`, "utf8"), corrected)
    }), slow)

  it.scopedLive(
    "takes another name if its own was taken by another import before it had a use for it",
    () =>
      Effect.gen(function*() {
        let isWrong = true
        const service = yield* contactService((_, line) =>
          isWrong && /\bb(@|%40)/.test(line) ? unauthorized : undefined
        )
        const path = yield* file("email\na@example.com\nb@example.com\nnope\n")
        yield* importing(path, service, "--resume", "x")
        isWrong = false
        const other = yield* importing(path, service)
        assert.strictEqual(resultOf(other.stdout)?.["refused_file"], `${path}.refused.csv`)
        const corrected = readFileSync(`${path}.refused.csv`, "utf8").replace("nope", "bob@example.com")
        writeFileSync(`${path}.refused.csv`, corrected)
        const { stdout } = yield* importing(path, service, "--resume", "x")
        assert.strictEqual(resultOf(stdout)?.["refused_file"], `${path}.refused-2.csv`)
        assert.strictEqual(readFileSync(`${path}.refused.csv`, "utf8"), corrected)
      }),
    slow
  )

  it.scopedLive(
    "writes into the working directory if that of the file cannot be written to",
    () =>
      Effect.gen(function*() {
        const path = yield* file("email\nnope\n", "import-of-this-test.csv")
        const denied = new SystemError({
          module: "FileSystem",
          method: "access",
          reason: "PermissionDenied",
          pathOrDescriptor: path
        })
        const fileSystem = Layer.effect(
          FileSystem.FileSystem,
          Effect.map(FileSystem.FileSystem, (fs) => ({ ...fs, access: () => Effect.fail(denied) }))
        ).pipe(Layer.provide(NodeFileSystem.layer))
        const refused = join(process.cwd(), `${basename(path)}.refused.csv`)
        yield* Effect.addFinalizer(() =>
          Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.ignore(fs.remove(refused)))
        )
        const { code, stderr } = yield* importing(path, { fileSystem }, "--dry-run")
        assert.deepStrictEqual([code, existsSync(refused)], [1, true])
        assert.include(stderr, refused)
      }).pipe(Effect.provide(NodeFileSystem.layer)),
    slow
  )

  it.effect("says which format it needs, and what cannot be combined", () =>
    Effect.gen(function*() {
      const problems: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [[], "FILE is required."],
        [["-"], "Standard input has no extension: add --input csv or --input ndjson."],
        [["x.xlsx"], "x.xlsx has an unknown extension: use .csv or .ndjson, or add --input csv or --input ndjson."],
        [["x.json"], "x.json must have one JSON object per line. If it does, add --input ndjson."],
        [["x.csv", "--dry-run", "--resume", "x"], "--dry-run stores nothing: it cannot be combined with --resume."]
      ]
      for (const [args, problem] of problems) {
        const { code, stderr } = yield* inside(["contacts", "import", ...args])
        assert.deepStrictEqual([code, stderr.split("\n")[0]], [2, `mailstream: ${problem}`])
      }
    }), slow)

  it.scopedLive("refuses lines with a segment or topic that does not exist, and goes on", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const options = { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) } }
      const created = yield* inside(["segments", "create", "--name", "Beta"], options)
      const segment = String(jsonLines(created.stdout)[0]?.["id"])
      const id = (digit: string) => `00000000-0000-4000-8000-00000000000${digit}`
      const path = yield* file(
        `email,segments,topics\nx@example.com,${segment} ${id("1")},\na@example.com,${segment},\n` +
          `y@example.com,,${id("2")}:opt_in\nb@example.com,,\nz@example.com,${id("1")},${id("2")}\n`
      )
      for (const args of [["--resume", "x"], ["--on-existing", "update"]]) {
        const { code, stderr, stdout } = yield* importing(path, options, ...args)
        assert.deepStrictEqual([code, resultOf(stdout)?.["contacts"], resultOf(stdout)?.["refused"]], [1, 2, 3], stderr)
        const written = readFileSync(String(resultOf(stdout)?.["refused_file"]), "utf8")
        assert.include(written, `2,The segment \`${id("1")}\` does not exist.,x@example.com`)
        assert.include(written, `4,The topic \`${id("2")}\` does not exist.,y@example.com`)
        assert.include(written, `6,The segment \`${id("1")}\` does not exist.,z@example.com`)
      }
      // Where nothing exists, no line is to blame.
      const wrong = yield* importing(path, options, "--base-url", `${baseUrl}/elsewhere`)
      assert.match(wrong.stderr, /^Stopped: 0 contacts imported, 0 lines refused so far\..+\nnot_found: /)
      assert.strictEqual(wrong.code, 1)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("needs the properties that the columns use, before anything is sent", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const options = { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) } }
      const path = yield* file("email,Age,plan\nnope,,\na@example.com,7,pro\n")
      const args = ["--map", "Age=properties.age:number", "--properties", "all"]
      const missing = yield* importing(path, options, ...args)
      assert.include(
        missing.stderr,
        `InputError: ${path}: the properties \`age\`, \`plan\` do not exist. Create them first: ` +
          "mailstream contact-properties create --key age --type number && " +
          "mailstream contact-properties create --key plan --type string"
      )
      const json = yield* importing(
        yield* file("{\"email\":\"a@example.com\",\"properties\":{\"age\":7}}\n", "contacts.ndjson"),
        options
      )
      assert.match(
        json.stderr,
        /the property `age` does not exist\. Create it first: mailstream contact-properties create --key age --type number /
      )
      assert.deepStrictEqual([missing.code, json.code, readdirSync(dirname(path))], [1, 1, ["contacts.csv"]])
      assert.strictEqual((yield* inside(["contacts", "list", "--format", "ndjson"], options)).stdout, "")
      for (const [key, type] of [["age", "number"], ["plan", "string"]] as const) {
        yield* inside(["contact-properties", "create", "--key", key, "--type", type], options)
      }
      const text = yield* importing(path, options, "--map", "Age=properties.age", "--properties", "all")
      assert.match(text.stderr, /the property `age` is a number; say so, as in --map 'Age=properties\.age:number'/)
      const { stderr, stdout } = yield* importing(path, options, ...args)
      assert.deepStrictEqual([resultOf(stdout)?.["contacts"], resultOf(stdout)?.["refused"]], [1, 1], stderr)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("works with the service itself, from what contacts list has written", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const options = { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) } }
      const path = yield* file("Email,First name,unsubscribed\nada@example.com,=Ada,yes\nbob@example.com,Bob,0\n")
      const segment = jsonLines((yield* inside(["segments", "create", "--name", "Beta"], options)).stdout)[0]?.["id"]
      const first = yield* importing(path, options, "--segment", String(segment))
      assert.deepStrictEqual(
        [first.code, first.stderr],
        [0, "2 contacts imported; 0 lines refused.\n"]
      )
      const written = join(dirname(path), "exported.csv")
      yield* inside(["contacts", "list", "--segment", String(segment), "--output", written], options)
      assert.include(readFileSync(written, "utf8"), "'=Ada")
      const second = yield* importing(written, options, "--count-existing", "--on-existing", "update")
      assert.strictEqual(second.code, 0)
      // They are as the file says already.
      assert.deepInclude(resultOf(second.stdout), { contacts: 2, created: 0, updated: 0, existing: 2 })
      const listed = jsonLines((yield* inside(["contacts", "list", "--format", "ndjson"], options)).stdout)
      assert.sameDeepMembers(
        listed.map(({ email, first_name, unsubscribed }) => [email, first_name, unsubscribed]),
        [["ada@example.com", "=Ada", true], ["bob@example.com", "Bob", false]]
      )
    }).pipe(Effect.provide(Server.layerTest())), slow)
})
