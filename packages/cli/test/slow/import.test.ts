import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { once } from "node:events"
import { createWriteStream, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { type ContactService, contactService } from "../support/contacts.ts"
import { directory, jsonLines, program, run, slow, start } from "../support/program.ts"

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
    const options = ["--resume", "test", "--count-existing", "--format", "ndjson", "--concurrency", "7"]
    return { file, args: ["contacts", "import", file, ...options] }
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
        const result = jsonLines(stdout)[0]
        assert.deepInclude(result, {
          contacts: created.length,
          updated: 0,
          refused: count - created.length,
          refused_file: `${file}.refused.csv`
        })
        assert.strictEqual(Number(result?.["created"]) + Number(result?.["existing"]), created.length)
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
          assert.strictEqual(Number(contacts) + Number(refused), service.creations(), stderr)
          const begun = service.requests.length
          const result = jsonLines((yield* run(args, service)).stdout)[0]
          assert.strictEqual(service.creations(), count)
          assert.deepInclude(result, { created: created.length, existing: 0 })
          assert.isAbove(begun, 19)
          assertWhole(service, file)
        }
      }),
    2 * slow
  )

  it.scopedLive("does not run twice at once under the same name", () =>
    Effect.gen(function*() {
      // The first one waits until the second one has ended.
      const service = yield* contactService(() => undefined, () => new Promise(() => {}))
      const { args } = yield* home(csv)
      yield* start(args, service)
      yield* requested(service, 1)
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

  it.scopedLive("holds no more of a large file than of a small one", () =>
    Effect.gen(function*() {
      const cwd = yield* directory
      const memory = fileURLToPath(new URL("../support/memory.ts", import.meta.url))
      const service = yield* contactService()
      const name = "contacts.csv"
      const write = (count: number, width: number) =>
        Effect.promise(async () => {
          const last = "x".repeat(width)
          const stream = createWriteStream(join(cwd, name))
          stream.write("email,first_name,last_name\n")
          for (let index = 0; index < count; index++) {
            if (!stream.write(`contact+${index}@example.com,Ada,${last}\n`)) await once(stream, "drain")
          }
          await finished(stream.end())
          return statSync(join(cwd, name)).size
        })
      /** The size of a file, and the most memory that its import has in use. */
      const measure = (count: number, width: number, ...args: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const size = yield* write(count, width)
          const all = ["--expose-gc", "--import", memory, program(), "contacts", "import", name, ...args]
          const env = { ...service.env, MEMORY_FILE: join(cwd, "memory") }
          const { code, stderr, stdout } = yield* Process.run(all, { cwd, env })
          assert.deepStrictEqual([code, jsonLines(stdout)[0]?.["contacts"]], [0, count], stderr)
          return [size, Number(readFileSync(join(cwd, "memory"), "utf8"))] as const
        })
      const cases = [[50_000, 1100, "--dry-run"], [2500, 18_000, "--concurrency", "20", "--resume"]] as const
      for (const [count, width, ...args] of cases) {
        const name = (size: string) => args.at(-1) === "--resume" ? [...args, size] : args
        const [, small] = yield* measure(count / 4, width, ...name("small"))
        const [size, large] = yield* measure(count, width, ...name("large"))
        assert.isAbove(size, 40_000_000)
        assert.isAbove(small, 10_000_000)
        if (large - small < size / 5) continue
        // On a busy machine, more of both is in progress when it is measured: what is kept of a file is there every time.
        const [, again] = yield* measure(count, width, ...name("again"))
        assert.isBelow(again - small, size / 5)
      }
      assert.strictEqual(service.contacts.size, 2500)
    }), 8 * slow)
})
