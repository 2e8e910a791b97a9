import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { jsonLines, run, slow } from "./support/program.ts"
import { contacts, paging, serving } from "./support/service.ts"

/** A proxy that connects to one service, whatever it is asked for. */
const proxyTo = (service: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Server; readonly asked: Array<string> }>((resume) => {
      const asked: Array<string> = []
      const server = createServer().on("connect", (request, socket) => {
        asked.push(request.url!)
        const upstream = connect(Number(new URL(service).port), "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          upstream.pipe(socket).pipe(upstream)
        })
        upstream.on("error", () => socket.destroy())
        socket.on("error", () => upstream.destroy())
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, asked })))
    }),
    ({ server }) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
  ).pipe(
    Effect.map(({ asked, server }) => ({ asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  )

describe("proxies of the environment", () => {
  const list = ["contacts", "list", "--page-size", "10"]
  const elsewhere = "http://api.example.com"

  it.scoped.each(["HTTP_PROXY", "http_proxy"])("are used: %s", (name) =>
    Effect.gen(function*() {
      const { env } = yield* serving(paging(contacts(25)))
      const proxy = yield* proxyTo(env["MAILSTREAM_BASE_URL"]!)
      const { code, stderr, stdout } = yield* run(list, {
        env: { ...env, MAILSTREAM_BASE_URL: elsewhere, [name]: proxy.url }
      })
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      assert.lengthOf(jsonLines(stdout), 25)
      assert.deepStrictEqual([...new Set(proxy.asked)], ["api.example.com:80"])
    }), slow)

  it.scoped("are not used for this machine, nor where NO_PROXY says so", () =>
    Effect.gen(function*() {
      const { env } = yield* serving(paging(contacts(25)))
      const proxy = yield* proxyTo(env["MAILSTREAM_BASE_URL"]!)
      const proxied = { ...env, HTTP_PROXY: proxy.url }
      const here = yield* run(list, { env: proxied })
      assert.lengthOf(jsonLines(here.stdout), 25)
      for (const excluded of ["*", "other.example,example.com"]) {
        const { code, stderr } = yield* run(list, {
          env: { ...proxied, MAILSTREAM_BASE_URL: elsewhere, NO_PROXY: excluded }
        })
        assert.strictEqual(code, 1)
        assert.match(stderr, /^TransportError: .*api\.example\.com/)
      }
      assert.deepStrictEqual(proxy.asked, [])
    }), slow)

  it.scoped.each(["proxy.example.com:3128", "socks5://user:secret@proxy.example.com", "::"])(
    "must be URLs: %s",
    (url) =>
      Effect.gen(function*() {
        const { code, stderr } = yield* run(list, {
          env: { MAILSTREAM_BASE_URL: elsewhere, MAILSTREAM_API_KEY: "re_1", HTTPS_PROXY: url }
        })
        assert.strictEqual(code, 2)
        assert.include(
          stderr,
          "The proxy in HTTPS_PROXY must be an http or https URL, as in http://proxy.example.com:3128."
        )
        assert.notInclude(stderr, "secret")
      }),
    slow
  )
})
