import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { join } from "node:path"
import { directory, jsonLines, run, slow, start } from "../support/program.ts"
import { apiKey } from "../support/service.ts"

describe("--whole", () => {
  it.scopedLive("survives a restart of the service in the middle of the response", () =>
    Effect.gen(function*() {
      const home = yield* directory
      const serve = (port: string, ...args: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const store = `sqlite:${join(home, "store.db")}`
          const server = yield* start(["serve", "--port", port, "--store", store, "--api-key", apiKey, ...args])
          return { server, baseUrl: (yield* server.line).replace("mailstream listening on ", "") }
        })
      const { baseUrl, server } = yield* serve("0", "--items", "contacts=20000")
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
      const { stdout: expected } = yield* run(["contacts", "list"], { env })
      assert.strictEqual(jsonLines(expected).length, 20_000)

      // The response is much longer than what fits into the buffers between the server and a reader that waits.
      const program = yield* start(["contacts", "list", "--whole"], { env, unread: true })
      const { stdout } = program.child
      yield* Effect.async<void>((resume) => {
        stdout.once("readable", () => resume(Effect.void))
      })
      yield* Process.kill(server.child)
      let text = ""
      stdout.setEncoding("utf8").on("data", (part: string) => {
        text += part
      })
      // By then, everything that had been sent has arrived, and connections have been refused.
      yield* Effect.sleep("1500 millis")
      assert.isBelow(text.length, expected.length)
      yield* serve(new URL(baseUrl).port)
      const { code, stderr } = yield* program.finished
      assert.deepStrictEqual([code, stderr], [0, ""])
      yield* Effect.repeat(Effect.yieldNow(), { until: () => stdout.readableEnded })
      assert.isTrue(text === expected)
    }), slow)
})
