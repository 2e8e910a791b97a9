import { assert, describe, it } from "@effect/vitest"
import * as Port from "@mailstream/testing/Port"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const script = new URL("../../scripts/serve.mjs", import.meta.url).href
const docs = fileURLToPath(new URL("../../scripts/docs.mjs", import.meta.url))

/** A program that takes a port and shows a folder when its standard input ends. */
const program = (folder: string, port: number): ReadonlyArray<string> => [
  "--input-type=module",
  "-e",
  `import { bindOrExit } from "${script}"
   const server = await bindOrExit(${port})
   console.log("bound")
   process.stdin.resume().once("end", () => server.show(${JSON.stringify(folder)}))`
]

/** Without the corrections that `fetch` makes to a path. */
const get = (port: number, path: string, method = "GET") =>
  Effect.async<readonly [status: number | undefined, type: string | undefined, body: string]>((resume) => {
    const sent = request({ host: "127.0.0.1", port, path, method }, (response) => {
      let body = ""
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text
      })
      response.once("end", () => resume(Effect.succeed([response.statusCode, response.headers["content-type"], body])))
    })
    sent.once("error", (error) => resume(Effect.die(error)))
    sent.end()
  })

const site = Effect.map(Temporary.directory, (directory) => {
  const folder = join(directory, "docs")
  mkdirSync(join(folder, "guides"), { recursive: true })
  writeFileSync(join(directory, "secret"), "secret")
  writeFileSync(join(folder, "index.html"), "home")
  writeFileSync(join(folder, "404.html"), "not here")
  writeFileSync(join(folder, "app.js"), "app")
  writeFileSync(join(folder, "guides/first-walk.html"), "first walk")
  return folder
})

const html = "text/html; charset=utf-8"

describe("serving the documentation", () => {
  it.scopedLive("shows the files of the folder, and no others, once they are there", () =>
    Effect.gen(function*() {
      const folder = yield* site
      const [port = 0] = yield* Effect.promise(() => Port.free(1))
      const { child, line } = yield* Process.start(program(folder, port))
      assert.strictEqual(yield* line, "bound")
      assert.deepStrictEqual(yield* get(port, "/"), [503, html, "It is still being built."])
      child.stdin.end()
      assert.strictEqual(yield* line, `Serving on http://127.0.0.1:${port}/ until Ctrl+C.`)
      assert.deepStrictEqual(yield* get(port, "/"), [200, html, "home"])
      assert.deepStrictEqual(yield* get(port, "/guides/first-walk?x#y"), [200, html, "first walk"])
      assert.deepStrictEqual(yield* get(port, "/app.js"), [200, "text/javascript; charset=utf-8", "app"])
      assert.deepStrictEqual(yield* get(port, "/", "POST"), [405, undefined, ""])
      for (
        const path of ["/nothing", "/guides/", "/../secret", "/..%2fsecret", "/%2e%2e%2fsecret", "/%", "/a%00", "//"]
      ) {
        const [status, , body] = yield* get(port, path)
        assert.notInclude(body, "secret")
        assert.strictEqual(status, 404, path)
      }
    }))

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it.scopedLive(`ends in order after ${signal}`, () =>
      Effect.gen(function*() {
        const folder = yield* site
        const { child, finished, kill, line } = yield* Process.start(program(folder, 0))
        child.stdin.end()
        assert.strictEqual(yield* line, "bound")
        assert.match(yield* line, /^Serving/)
        yield* kill(signal)
        const { code, stderr } = yield* finished
        assert.deepStrictEqual([code, stderr], [0, ""])
      }))
  }

  it.scopedLive("says on one line that the port is in use, before anything is built", () =>
    Effect.gen(function*() {
      const folder = yield* site
      const [port = 0] = yield* Effect.promise(() => Port.free(1))
      const { line } = yield* Process.start(program(folder, port))
      assert.strictEqual(yield* line, "bound")
      assert.deepStrictEqual(yield* Process.run([docs, "--serve", "--port", String(port)]), {
        code: 1,
        stdout: "",
        stderr: `Port ${port} is in use, perhaps by another --serve: end it, or choose another port with --port N.\n`
      })
    }))

  it.scopedLive("explains its options", () =>
    Effect.gen(function*() {
      for (const args of [["--sevre"], ["--serve", "--port", "http"], ["--serve", "--port", "70000"]]) {
        const { code, stderr } = yield* Process.run([docs, ...args])
        assert.strictEqual(code, 2)
        assert.match(stderr, /^Usage: npm run docs -- \[--serve \[--port N\]\]/)
      }
    }))
})
