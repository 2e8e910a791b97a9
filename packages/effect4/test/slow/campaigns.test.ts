/** Campaigns that are killed, and continued by a process of the other line. */
import * as Provided from "@mailstream/testing/Provided"
import type { Behaviour } from "@mailstream/testing/SendingService"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { assert, describe } from "vitest"
import { databases, line3, line4, type Place, rowsOf, service } from "../campaign/support.ts"
import { scoped } from "../support/service.ts"

const programs = ["campaign3", "campaign4"].map(Provided.program)

/** Runs a program until it ends, or is killed as soon as it is time. */
const run = (program: string, { baseUrl, database }: Place, count: number, isTime: () => boolean) =>
  Effect.callback<{ readonly stdout: string; readonly stderr: string; readonly code: number | null }>((resume) => {
    const child = spawn(process.execPath, [program, baseUrl, database, String(count)], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    const output = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (output.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => void (output.stderr += text))
    const timer = setInterval(() => isTime() && child.kill("SIGKILL"), 1)
    child.on("close", (code) => {
      clearInterval(timer)
      resume(Effect.succeed({ ...output, code }))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** What the service does: it loses some requests and some responses, and rejects nobody. */
const behaviours: ReadonlyArray<Behaviour> = ["accept", "lose", "accept", "drop", "accept", "accept", "hang"]

describe.each(databases)("a campaign on %s that is killed at any moment", (_, make) => {
  for (const first of [0, 1]) {
    scoped(
      `and was begun on Effect ${first + 3} is continued by the other line, and writes to everybody once`,
      () =>
        Effect.gen(function*() {
          const count = 120
          const server = yield* service
          const place: Place = { baseUrl: server.baseUrl, database: yield* make }
          server.behave = ({ index }) => behaviours[index % behaviours.length]!
          let kills = 0
          for (let turn = 0; turn < 7; turn++) {
            const before = server.requests.length
            const { code, stderr } = yield* run(
              programs[(first + turn) % 2]!,
              place,
              count,
              () => server.requests.length - before > turn % 4
            )
            if (code !== null) assert.strictEqual(code, 0, stderr)
            else kills++
          }
          assert.isAbove(kills, 4)
          server.behave = () => "accept"
          const { code, stderr, stdout } = yield* run(programs[(first + 7) % 2]!, place, count, () => false)
          assert.deepStrictEqual([code, stderr], [0, ""])
          assert.strictEqual(stdout.trim(), String(count))
          const addresses = [...server.addresses()].sort()
          assert.strictEqual(addresses.length, count, "somebody was written to twice, or not at all")
          assert.strictEqual(new Set(addresses).size, count)
          // A request that was repeated was the same one.
          const bodies = new Map<string, string>()
          for (const { body, key } of server.requests) {
            assert.strictEqual(bodies.get(key) ?? body, body)
            bodies.set(key, body)
          }
          const { campaigns, units } = yield* rowsOf(place)
          assert.deepInclude(campaigns?.[0], { accepted: count, planned: 0, undecided: 0, owner: null })
          assert.isTrue(units?.every(({ body, state }) => state === "done" && body === null))
          const [three, four] = yield* Effect.promise(() =>
            Promise.all([line3.recipients(place), line4.recipients(place)])
          )
          assert.strictEqual(JSON.stringify(four), JSON.stringify(three))
          assert.strictEqual(four.length, count)
        }),
      300_000
    )
  }
})
