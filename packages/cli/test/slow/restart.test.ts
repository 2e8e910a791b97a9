import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@mailstream/testing/Eventually"
import * as Process from "@mailstream/testing/Process"
import { Effect, type Scope } from "effect"
import { createServer, type Server } from "node:net"
import { join } from "node:path"
import { directory, jsonLines, run, slow, start } from "../support/program.ts"
import { apiKey } from "../support/service.ts"

/** Resets this many connections to a port. */
const resetting = (port: number, count: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function*() {
    let connections = 0
    yield* Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const server = createServer((socket) => {
          connections++
          socket.resetAndDestroy()
        }).listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
    )
    yield* eventually(`the program connects ${count} times`, () => connections >= count)
  })

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
      // It has everything that had been sent once it connects again; connections are reset, and refused after that.
      yield* Effect.scoped(resetting(Number(new URL(baseUrl).port), 2))
      assert.isBelow(text.length, expected.length)
      yield* serve(new URL(baseUrl).port)
      const { code, stderr } = yield* program.finished
      assert.deepStrictEqual([code, stderr], [0, ""])
      yield* eventually("standard output ends", () => stdout.readableEnded)
      assert.isTrue(text === expected)
    }), slow)
})
