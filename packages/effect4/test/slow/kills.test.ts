import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe } from "vitest"
import { contact, json, scoped, serve } from "../http/support.ts"

const root = Temporary.make()

afterAll(() => Temporary.remove(root))

const programs = ["process3", "process4"].map(Provided.program)

const prefix = "0b2a4c1e-7f8d-4f7a-9a58-"

const uuid = (number: number): string => `${prefix}${String(number).padStart(12, "0")}`

/** All contacts, newest first, by the API's paging rules. */
const list = (size: number) =>
  serve((response, request) => {
    const { searchParams } = new URL(request.url, "http://localhost")
    const after = searchParams.get("after")
    const start = after === null ? size : Number(after.slice(-12))
    const count = Math.min(start, Number(searchParams.get("limit")))
    const data = Array.from({ length: count }, (_, index) => ({ ...contact, id: uuid(start - 1 - index) }))
    json(200, { object: "list", has_more: start > count, data })(response, request)
  })

/** Runs a program until it ends, or is killed when it has handled some items; what it has handled. */
const run = (program: string, args: ReadonlyArray<string>, killAfter: number) =>
  Effect.callback<{ readonly handled: ReadonlyArray<string>; readonly code: number | null; readonly stderr: string }>(
    (resume) => {
      const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] })
      let stdout = ""
      let stderr = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text
        if (stdout.split("\n").length > killAfter) child.kill("SIGKILL")
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text
      })
      child.on(
        "close",
        (code) =>
          resume(
            Effect.succeed({ handled: stdout.split("\n").filter((line) => line.startsWith(prefix)), code, stderr })
          )
      )
      return Effect.sync(() => child.kill("SIGKILL"))
    }
  )

describe("what one line has processed, killed at any moment", () => {
  scoped("is continued by the other, and nothing is left out", () =>
    Effect.gen(function*() {
      const size = 160
      const { baseUrl, received } = yield* list(size)
      const expected = Array.from({ length: size }, (_, index) => uuid(size - 1 - index))
      const args = [baseUrl, join(root, "state")]
      const place = new Map(expected.map((id, index) => [id, index]))
      let next = 0
      let kills = 0
      for (let turn = 0; next < size; turn++) {
        const { code, handled, stderr } = yield* run(programs[turn % 2]!, args, 1 + (turn * 17) % 53)
        if (code === null) kills++
        else assert.deepStrictEqual([code, stderr], [0, ""])
        const first = place.get(handled[0]!)!
        // Not more than the page in progress, and the one whose commit was interrupted, is repeated.
        assert.isAtMost(first, next)
        assert.isAtLeast(first, next - 20)
        assert.deepStrictEqual(handled, expected.slice(first, first + handled.length))
        next = Math.max(next, first + handled.length)
        if (code === 0) break
      }
      assert.strictEqual(next, size)
      assert.isAbove(kills, 3)
      // What is complete stays complete, in either line.
      const { length } = received
      for (const program of programs) {
        assert.deepInclude(yield* run(program, args, Infinity), { code: 0, handled: [] })
      }
      assert.strictEqual(received.length, length)
      assert.isFalse(readdirSync(join(root, "state")).some((name) => name.endsWith(".lock")))
    }), 300_000)
})
