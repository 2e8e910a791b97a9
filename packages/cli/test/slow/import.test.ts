import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createWriteStream, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { type ContactService, contactService } from "../support/contacts.ts"
import { directory, jsonLines, run, slow, start } from "../support/program.ts"

const count = 200

/** Every tenth line is refused. */
const lines = Array.from(
  { length: count },
  (_, index) => `${index % 10 === 7 ? "refused" : "contact"}+${index}@example.com,"Name\n${index}"`
)

const created = lines.flatMap((line) => line.startsWith("contact") ? [line.split(",")[0]!] : [])

const csv = ["email,first_name", ...lines].join("\r\n")

const home = (text: string) =>
  Effect.map(directory, (home) => {
    const file = join(home, "contacts.csv")
    writeFileSync(file, text)
    return { file, args: ["contacts", "import", file, "--resume", "test", "--format", "ndjson", "--concurrency", "7"] }
  })

/** Waits until a service has got this many requests. */
const requested = ({ requests }: ContactService, count: number) =>
  Effect.async<void>((resume) => {
    const look = () => requests.length >= count ? resume(Effect.void) : void setTimeout(look, 1)
    look()
  })

const assertWhole = (service: ContactService, file: string) => {
  assert.sameMembers([...service.contacts.keys()], created)
  const refused = readFileSync(`${file}.refused.csv`, "utf8")
  assert.deepStrictEqual(
    [...refused.matchAll(/refused\+(\d+)@example\.com,"Name/g)].map(([, index]) => Number(index)),
    lines.flatMap((line, index) => line.startsWith("refused") ? [index] : [])
  )
}

describe("contacts import", () => {
  it.scopedLive("loses and repeats nothing, wherever it is killed", () =>
    Effect.gen(function*() {
      for (let round = 0; round < 2; round++) {
        const service = yield* contactService(
          (index) => index % 17 === 3 ? "lost" : index % 23 === 5 ? [429, "rate_limit_exceeded"] : undefined,
          () => new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
        )
        const { args, file } = yield* home(csv)
        for (let kills = 0; kills < 4; kills++) {
          yield* Effect.gen(function*() {
            const { finished, kill } = yield* start(args, service)
            const next = service.requests.length + 1 + Math.floor(Math.random() * 60)
            yield* Effect.raceFirst(requested(service, next), Effect.asVoid(finished))
            yield* kill("SIGKILL")
            yield* finished
          }).pipe(Effect.scoped)
        }
        const { code, stderr, stdout } = yield* run(args, service)
        assert.strictEqual(code, 1, stderr)
        assert.deepStrictEqual(jsonLines(stdout)[0], {
          contacts: created.length,
          refused: count - created.length,
          refused_file: `${file}.refused.csv`
        })
        assertWhole(service, file)
      }
    }), 5 * slow)

  it.scopedLive(
    "finishes what is in flight after a signal, stores it, and says how to continue",
    () =>
      Effect.gen(function*() {
        for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
          const service = yield* contactService(
            () => undefined,
            () => new Promise((resolve) => setTimeout(resolve, 50))
          )
          const { args, file } = yield* home(csv)
          const { finished, kill } = yield* start(args, service)
          yield* requested(service, 20)
          yield* kill(signal)
          const { code, stderr } = yield* finished
          assert.strictEqual(code, expected)
          const [, contacts, refused] =
            /^Stopped: (\d+) contacts imported, (\d+) lines? refused so far\. To continue, run: mailstream contacts import /
              .exec(stderr) ?? []
          // Every response was awaited and counted.
          assert.strictEqual(Number(contacts) + Number(refused), service.requests.length, stderr)
          const begun = service.requests.length
          yield* run(args, service)
          assert.strictEqual(service.requests.length, count)
          assert.isAbove(begun, 19)
          assertWhole(service, file)
        }
      }),
    2 * slow
  )

  it.scopedLive("does not run twice at once under the same name", () =>
    Effect.gen(function*() {
      const service = yield* contactService(
        () => undefined,
        () => new Promise((resolve) => setTimeout(resolve, 100))
      )
      const { args } = yield* home(csv)
      yield* start(args, service)
      yield* requested(service, 5)
      const { code, stderr } = yield* run(args, service)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^LockError: .*--resume test.*\n$/)
    }), slow)

  it.scopedLive("reads standard input", () =>
    Effect.gen(function*() {
      const service = yield* contactService()
      const cwd = yield* directory
      const { child, finished } = yield* start(["contacts", "import", "-", "--input", "ndjson"], { ...service, cwd })
      child.stdin.end("{\"email\":\"a@example.com\"}\n{\"email\":\"b@example.com\"}")
      const { code, stdout } = yield* finished
      assert.deepStrictEqual([code, jsonLines(stdout)[0]?.["contacts"]], [0, 2])
    }), slow)

  it.scopedLive("checks and creates 100,000 contacts in less memory than their file has", () =>
    Effect.gen(function*() {
      const cwd = yield* directory
      const last = "Lovelace".repeat(70)
      const write = (name: string, count: number) =>
        Effect.promise(async () => {
          const stream = createWriteStream(join(cwd, name))
          stream.write("email,first_name,last_name\n")
          for (let index = 0; index < count; index += 1000) {
            const lines = Array.from({ length: 1000 }, (_, row) => `contact+${index + row}@example.com,Ada,${last}\n`)
            if (!stream.write(lines.join(""))) {
              await new Promise<void>((resolve) => stream.once("drain", () => resolve()))
            }
          }
          await finished(stream.end())
        })
      // 60 MB. A heap that is too small ends the process.
      yield* write("many.csv", 100_000)
      const env = { NODE_OPTIONS: "--max-old-space-size=48" }
      const dry = yield* run(["contacts", "import", "many.csv", "--dry-run"], { cwd, env })
      assert.deepStrictEqual([dry.code, jsonLines(dry.stdout)[0]?.["contacts"]], [0, 100_000], dry.stderr)
      const service = yield* contactService()
      const args = ["contacts", "import", "many.csv", "--resume", "x", "--concurrency", "20"]
      const real = yield* run(args, { cwd, env: { ...service.env, ...env } })
      assert.deepStrictEqual([real.code, jsonLines(real.stdout)[0]?.["contacts"]], [0, 100_000], real.stderr)
      assert.strictEqual(service.contacts.size, 100_000)
    }), 10 * slow)
})
