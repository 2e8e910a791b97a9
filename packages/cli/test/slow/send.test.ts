import { assert, describe, it } from "@effect/vitest"
import { silence } from "@mailstream/testing/HttpServer"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { once } from "node:events"
import { createWriteStream, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { type EmailService, emailService } from "../support/emails.ts"
import { inside } from "../support/inside.ts"
import { mortal } from "../support/mortal.ts"
import { directory, jsonLines, program, run, slow, start } from "../support/program.ts"
import { apiKey } from "../support/service.ts"

/** CI tries every instant, one after the other. */
const isComplete = process.env["MAILSTREAM_SLOW_TESTS"] === "1"

const home = (count: number) =>
  Effect.map(directory, (home) => {
    const file = join(home, "emails.csv")
    // Every tenth one is rejected.
    const lines = Array.from(
      { length: count },
      (_, index) => `${index % 10 === 7 ? "refused" : "ada"}@example.com,${index},Hello`
    )
    writeFileSync(file, ["to,subject,text", ...lines, ""].join("\n"))
    const options = ["--from", "news@example.com", "--yes", "--resume", "test", "--concurrency", "3"]
    const accepted = lines.flatMap((line, index) => line.startsWith("ada") ? [String(index)] : [])
    return { file, accepted, args: ["emails", "send", "--batch", file, ...options] }
  })

/** Waits until a service has got this many requests. */
const requested = ({ requests }: EmailService, count: number) =>
  Effect.async<void>((resume) => {
    const look = () => requests.length >= count ? resume(Effect.void) : void setTimeout(look, 1)
    look()
  })

const refusedLines = (file: string) =>
  [...readFileSync(`${file}.refused.csv`, "utf8").matchAll(/^(\d+),/gm)].map(([, line]) => Number(line))

const expectedRefusals = (count: number) =>
  Array.from({ length: count }, (_, index) => index).filter((index) => index % 10 === 7).map((index) => index + 2)

describe("emails send --batch --resume", () => {
  it.scopedLive("sends nothing twice and leaves nothing out, wherever it is killed", () =>
    Effect.gen(function*() {
      const count = 1250
      const service = yield* emailService(
        (index) => index % 7 === 3 ? "lost" : index % 11 === 5 ? [429, "rate_limit_exceeded"] : undefined,
        () => new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
      )
      const { accepted, args, file } = yield* home(count)
      const told = new Set<unknown>()
      const tell = (stdout: string) => {
        // A killed run may have written a part of a line.
        for (const { line } of jsonLines(stdout.slice(0, stdout.lastIndexOf("\n") + 1))) told.add(line)
      }
      for (let kills = 0; kills < 5; kills++) {
        yield* Effect.gen(function*() {
          const { finished, kill } = yield* start(args, service)
          const next = service.requests.length + 1 + Math.floor(Math.random() * 4)
          yield* Effect.raceFirst(requested(service, next), Effect.asVoid(finished))
          yield* kill("SIGKILL")
          tell((yield* finished).stdout)
        }).pipe(Effect.scoped)
      }
      const { code, stderr, stdout } = yield* run([...args, "--retry", "30s"], service)
      assert.strictEqual(code, 1, stderr)
      tell(stdout)
      assert.deepStrictEqual([...service.sent].sort(), [...accepted].sort())
      assert.strictEqual(told.size, count)
      assert.deepStrictEqual(refusedLines(file), expectedRefusals(count))
      assert.match(stderr, /1,125 emails accepted, 125 rejected\.\n/)
    }), 4 * slow)

  it.scopedLive("does so after a failure of the disk or of the power, too", () =>
    Effect.gen(function*() {
      let ends = 0
      for (const how of ["after", "within", "power"] as const) {
        for (let at = 1;; at += isComplete ? 1 : 7) {
          const service = yield* emailService()
          const { accepted, args, file } = yield* home(250)
          const { died, layer } = mortal(at, how)
          yield* inside(args, { ...service, fileSystem: layer })
          if (died()) ends++
          const second = yield* inside(args, service)
          const message = `${how} change ${at}: ${second.stderr}`
          assert.deepStrictEqual([...service.sent].sort(), [...accepted].sort(), message)
          assert.deepStrictEqual(refusedLines(file), expectedRefusals(250), message)
          if (!died()) break
        }
      }
      assert.isAbove(ends, isComplete ? 30 : 4)
    }), 4 * slow)

  it.scopedLive(
    "finishes what is in flight after a signal, stores it, and says how to continue",
    () =>
      Effect.gen(function*() {
        const service = yield* emailService(
          () => undefined,
          () => new Promise((resolve) => setTimeout(resolve, 100))
        )
        const { accepted, args } = yield* home(1250)
        const { finished, kill } = yield* start(args, service)
        yield* requested(service, 4)
        yield* kill("SIGINT")
        const { code, stderr } = yield* finished
        assert.strictEqual(code, 130)
        const [, sent] =
          /^Stopped: (\d+) emails accepted, \d+ rejected so far\. To continue, run: mailstream emails send /
            .exec(stderr) ?? []
        assert.strictEqual(Number(sent), service.sent.length, stderr)
        assert.isBelow(service.requests.length, 13)
        assert.strictEqual((yield* run(args, service)).code, 1)
        assert.deepStrictEqual([...service.sent].sort(), [...accepted].sort())
        assert.strictEqual(service.requests.length, 13)
      }),
    slow
  )

  it.scopedLive("stops a day after a kill, because nobody knows what was sent", () =>
    Effect.gen(function*() {
      const service = yield* emailService(() => undefined, () => new Promise((resolve) => setTimeout(resolve, 1000)))
      const { args, file } = yield* home(250)
      const { finished, kill } = yield* start(args, service)
      yield* requested(service, 1)
      yield* kill("SIGKILL")
      yield* finished
      const stored = join(file, "..", "test.mailstream-send")
      const state = JSON.parse(readFileSync(stored, "utf8"))
      for (const open of state.done.open) open.begun -= 25 * 3_600_000
      writeFileSync(stored, JSON.stringify(state))
      const { code, stderr } = yield* run(args, service)
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /InputError: --resume test: the emails of lines 2 to 1\d\d of .+ may have been sent 25 h ago/
      )
    }), slow)

  it.scopedLive("does not run twice at once under the same name", () =>
    Effect.gen(function*() {
      // The first one waits until the second one has ended.
      const service = yield* emailService(() => undefined, () => new Promise(() => {}))
      const { args } = yield* home(1250)
      yield* start(args, service)
      yield* requested(service, 1)
      const { code, stderr } = yield* run(args, service)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^LockError: .*--resume test.*\n$/)
    }), slow)
})

describe("emails send", () => {
  it.scopedLive("says after Ctrl+C how to repeat it with the same key", () =>
    Effect.gen(function*() {
      const service = yield* silence
      const line = "emails send --to ada@example.com --from news@example.com --subject x --text x --yes"
      const { finished, kill } = yield* start(line.split(" "), {
        env: { MAILSTREAM_BASE_URL: service.baseUrl, MAILSTREAM_API_KEY: apiKey }
      })
      yield* Effect.promise(() => service.received)
      yield* kill("SIGINT")
      const { code, stderr, stdout } = yield* finished
      assert.deepStrictEqual([code, stdout], [130, ""])
      assert.match(
        stderr,
        /^Stopped\. Whether it was processed is unknown\. .+ run the same command with --idempotency-key [\da-f-]{36} within 24 hours\.\n$/
      )
    }), slow)

  it.scopedLive(
    "reads emails from standard input, and fails if nobody reads its results",
    () =>
      Effect.gen(function*() {
        const service = yield* emailService()
        const cwd = yield* directory
        const line = ["emails", "send", "--batch", "-", "--input", "ndjson", "--from", "news@example.com", "--yes"]
        const { child, finished } = yield* start(line, { ...service, cwd })
        child.stdin.end("{\"to\":\"a@example.com\",\"subject\":\"1\",\"text\":\"x\"}\n")
        assert.deepInclude(yield* finished, { code: 0, stderr: "1 email accepted, 0 rejected.\n" })
        const closed = yield* start(line, { ...service, cwd })
        closed.child.stdout.destroy()
        closed.child.stdin.end("{\"to\":\"a@example.com\",\"subject\":\"2\",\"text\":\"x\"}\n")
        const { code, stderr } = yield* closed.finished
        assert.strictEqual(code, 1)
        assert.include(stderr, "OutputError: standard output: was closed before all results were written")
      }),
    slow
  )

  it.scopedLive("holds no more of a large file than of a small one", () =>
    Effect.gen(function*() {
      const cwd = yield* directory
      const memory = fileURLToPath(new URL("../support/memory.ts", import.meta.url))
      const service = yield* emailService()
      const write = (name: string, count: number, width: number) =>
        Effect.promise(async () => {
          const stream = createWriteStream(join(cwd, name))
          const text = "x".repeat(width)
          if (name.endsWith(".json")) stream.write("[")
          for (let index = 0; index < count; index++) {
            const comma = name.endsWith(".json") && index > 0 ? "," : ""
            const email = JSON.stringify({ to: "ada@example.com", subject: String(index), text })
            if (!stream.write(`${comma}${email}\n`)) await once(stream, "drain")
          }
          if (name.endsWith(".json")) stream.write("]")
          await finished(stream.end())
          return statSync(join(cwd, name)).size
        })
      /** The size of a file, and the most memory that sending it has in use. */
      const measure = (name: string, count: number, width: number) =>
        Effect.gen(function*() {
          const size = yield* write(name, count, width)
          const line = [
            "emails",
            "send",
            "--batch",
            name,
            "--from",
            "news@example.com",
            "--yes",
            "--resume",
            String(size)
          ]
          const env = { ...service.env, MEMORY_FILE: join(cwd, "memory") }
          const { code, stderr } = yield* Process.run(["--expose-gc", "--import", memory, program(), ...line], {
            cwd,
            env
          })
          assert.deepStrictEqual([code, stderr], [0, `${count.toLocaleString("en-US")} emails accepted, 0 rejected.\n`])
          return [size, Number(readFileSync(join(cwd, "memory"), "utf8"))] as const
        })
      for (const [name, count, width] of [["emails.ndjson", 20_000, 5000], ["emails.json", 20_000, 5000]] as const) {
        const [, small] = yield* measure(name, count / 4, width)
        const [size, large] = yield* measure(name, count, width)
        assert.isAbove(size, 100_000_000)
        assert.isAbove(small, 10_000_000)
        assert.isBelow(large - small, size / 5)
      }
    }), 8 * slow)
})
