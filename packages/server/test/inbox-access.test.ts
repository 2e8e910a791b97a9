import { assert, describe, it } from "@effect/vitest"
import { Auth, Server } from "@mailstream/server"
import * as Proxy from "@mailstream/testing/Proxy"
import { Effect, Redacted } from "effect"
import { request } from "node:http"
import { assertError, post, send } from "./support/http.ts"
import { sendEmail, subjects } from "./support/inbox.ts"

const secret = "Only for Ada"

const token = "0123456789abcdef-token"

const options = {
  inbox: { token: Redacted.make(token) },
  accounts: [{ id: "theirs", apiKey: Redacted.make("re_theirs") }]
}

const serving = Effect.provide(Server.layerTest(options))

interface Received {
  readonly status: number
  readonly headers: NodeJS.Dict<string | ReadonlyArray<string>>
  readonly text: string
}

/** Sends a request with any headers: `fetch` does not allow some of them. */
const ask = (
  path: string,
  headers: Record<string, string> = {},
  init: { readonly method?: string; readonly body?: string; readonly port?: number | undefined } = {}
): Effect.Effect<Received, never, Server.Address> =>
  Effect.flatMap(Server.Address, ({ port }) =>
    Effect.async<Received>((resume) => {
      const { body, method = "GET" } = init
      const sent = request({ host: "127.0.0.1", port: init.port ?? port, path, method, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
          .on(
            "end",
            () => resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text }))
          )
      })
      sent.on("error", (error) => resume(Effect.die(error))).end(body)
    }))

/** The cookie of somebody who has opened the inbox. */
const cookie = Effect.map(ask(`/inbox?token=${token}`), ({ headers, status }) => {
  assert.strictEqual(status, 303)
  assert.strictEqual(headers["location"], "/inbox")
  const [set = ""] = [headers["set-cookie"] ?? []].flat()
  assert.match(set, /^mailstream_inbox_\d+=[\w-]+; Path=\/inbox; HttpOnly; SameSite=Strict$/)
  return set.split(";")[0]!
})

/** Everything that shows something. */
const paths = (id: string): ReadonlyArray<string> => [
  "/inbox",
  "/inbox/api/emails",
  "/inbox/api/emails?q=Ada",
  `/inbox/api/emails/${id}`,
  `/inbox/api/emails/${id}/html`,
  `/inbox/api/emails/${id}/attachments/x`,
  "/inbox/api/live",
  "/inbox/api/wait?timeout=0",
  "/inbox/api/account",
  "/inbox/api/contacts",
  "/inbox/api/templates/x/html",
  "/inbox/api/nothing"
]

/** Asserts that somebody sees nothing at all. */
const assertNothing = (headers: Record<string, string>, port?: number) =>
  Effect.gen(function*() {
    const id = yield* sendEmail({ subject: secret })
    for (const path of paths(id)) {
      const { status, text } = yield* ask(path, headers, { port })
      assert.include([401, 403], status, path)
      assert.notInclude(text, secret)
      assert.notInclude(text, token)
    }
    const deleted = yield* ask("/inbox/api/emails", headers, { method: "DELETE", port })
    assert.include([401, 403], deleted.status)
    assert.include(yield* subjects("emails"), secret)
  })

describe("the inbox", () => {
  it.scopedLive("shows nothing to strangers, and says what to do", () =>
    Effect.gen(function*() {
      yield* assertNothing({})
      const { headers, status, text } = yield* ask("/inbox")
      assert.strictEqual(status, 401)
      assert.match(text, /the URL that the server printed/)
      assert.strictEqual(headers["cache-control"], "no-store")
      assert.isUndefined(headers["set-cookie"])
    }).pipe(serving))

  it.scopedLive("shows nothing for a wrong token or key", () =>
    Effect.gen(function*() {
      const { port } = yield* Server.Address
      for (const wrong of [`${token}x`, token.slice(1), "", "undefined", "re_unknown"]) {
        yield* assertNothing({ authorization: `Bearer ${wrong}` })
        yield* assertNothing({ cookie: `mailstream_inbox_${port}=${wrong}` })
        const { headers, status, text } = yield* ask(`/inbox?token=${wrong}`)
        assert.strictEqual(status, 401)
        assert.isUndefined(headers["set-cookie"])
        assert.match(text, /not valid here/)
      }
      const { text } = yield* ask("/inbox/api/emails", { authorization: "Bearer re_unknown" })
      assert.match(text, /neither the token that the server printed when it started, nor an API key/)
      yield* assertNothing({ cookie: `mailstream_inbox_${port}=%` })
      // The cookie of another server on this machine.
      yield* assertNothing({ cookie: `mailstream_inbox_${port + 1}=${token}` })
      // The token is for the inbox alone.
      assertError(yield* send("/contacts", { key: `Bearer ${token}` }), 403, "invalid_api_key")
    }).pipe(serving))

  it.scopedLive("opens with the token, which becomes a cookie", () =>
    Effect.gen(function*() {
      yield* sendEmail({ subject: secret })
      const opened = yield* cookie
      assert.match((yield* ask("/inbox", { cookie: `a=b; ${opened}; c=d` })).text, /<script type="module"/)
      assert.include((yield* ask("/inbox/api/emails", { cookie: opened })).text, secret)
      assert.include((yield* ask("/inbox/api/emails", { authorization: `Bearer ${token}` })).text, secret)
      // From another site, our own page has to lead on: browsers would not send the cookie after a redirect.
      const foreign = yield* ask(`/inbox?token=${token}`, { "sec-fetch-site": "cross-site" })
      assert.strictEqual(foreign.status, 200)
      assert.strictEqual(foreign.headers["refresh"], "0; url=/inbox")
    }).pipe(serving))

  it.scopedLive("has a random token for each process, or the one that it is given, or none", () =>
    Effect.gen(function*() {
      const url = Effect.map(Server.make(), ({ inboxUrl }) => Redacted.value(inboxUrl!))
      const [one, two] = yield* Effect.all([url, url])
      assert.match(one, /^http:\/\/127\.0\.0\.1:\d+\/inbox\?token=[0-9a-f]{48}$/)
      assert.notStrictEqual(one.split("=")[1], two.split("=")[1])
      const address = yield* Server.make(options)
      assert.strictEqual(Redacted.value(address.inboxUrl!), `${address.baseUrl}/inbox?token=${token}`)
      assert.notInclude(JSON.stringify(address), token)
      const { message } = yield* Effect.flip(Server.make({ inbox: { token: Redacted.make("short") } }))
      assert.match(message, /^inbox\.token must be 16 to 256/)
      assert.notInclude(message, "short")
      const off = yield* Server.make({ inbox: false, apiKeys: [Redacted.make("re_off")] })
      assert.isUndefined(off.inboxUrl)
      const response = yield* Effect.promise(() =>
        fetch(`${off.baseUrl}/inbox`, { headers: { authorization: "Bearer re_off" } })
      )
      assert.strictEqual(response.status, 404)
    }).pipe(serving))

  it.scopedLive("shows a key the emails of its account alone, if the key has full access", () =>
    Effect.gen(function*() {
      const id = yield* sendEmail({ subject: secret })
      const theirs = { authorization: "Bearer re_theirs" }
      for (const path of ["emails", "emails?q=Ada", "contacts"]) {
        const { status, text } = yield* ask(`/inbox/api/${path}`, theirs)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(JSON.parse(text).data, [])
      }
      for (const path of [`emails/${id}`, `emails/${id}/html`, "wait?timeout=0"]) {
        assert.strictEqual((yield* ask(`/inbox/api/${path}`, theirs)).status, 404)
      }
      assert.strictEqual((yield* ask("/inbox/api/emails", theirs, { method: "DELETE" })).text, "{\"deleted\":0}")
      assert.deepStrictEqual(yield* subjects("emails"), [secret])

      const { text } = yield* post("/api-keys", { name: "app", permission: "sending_access" })
      yield* assertNothing({ authorization: `Bearer ${JSON.parse(text).token}` })
    }).pipe(serving))

  it.scopedLive("takes a token or an API key from its form, of its own page alone", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Server.Address
      const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
      const enter = (credential: string, headers: Record<string, string> = form) =>
        ask("/inbox/session", headers, { method: "POST", body: new URLSearchParams({ credential }).toString() })
      yield* Auth.insertKey({ secret: Redacted.make("re_;odd=key,%") })
      for (const credential of [token, "re_theirs", "re_;odd=key,%"]) {
        const { headers, status } = yield* enter(credential)
        assert.strictEqual(status, 303)
        const [set = ""] = [headers["set-cookie"] ?? []].flat()
        const { text } = yield* ask("/inbox/api/account", { cookie: set.split(";")[0]! })
        assert.strictEqual(JSON.parse(text).account, credential === "re_theirs" ? "theirs" : "default")
      }
      for (const credential of ["", "wrong"]) assert.strictEqual((yield* enter(credential)).status, 401)
      for (const site of ["cross-site", "same-site", "none"]) {
        assert.strictEqual((yield* enter(token, { ...form, "sec-fetch-site": site })).status, 403)
      }
      // Browsers without fetch metadata, or of a page that is not secure.
      const { "sec-fetch-site": _, ...plain } = form
      assert.strictEqual((yield* enter(token, { ...plain, origin: baseUrl })).status, 303)
      assert.strictEqual((yield* enter(token, { ...plain, origin: "http://127.0.0.1:1" })).status, 403)
      assert.strictEqual((yield* enter(token, plain)).status, 403)
    }).pipe(serving))

  it.scopedLive("lets no other page read or delete with the cookie of its user", () =>
    Effect.gen(function*() {
      const { port } = yield* Server.Address
      yield* sendEmail({ subject: secret })
      const opened = yield* cookie
      const foreign: ReadonlyArray<Record<string, string>> = [
        { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
        // Another server on this machine is the same site.
        { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:3000" },
        { origin: "http://127.0.0.1:3000" },
        { origin: "null" }
      ]
      for (const headers of foreign) {
        for (const path of ["emails", "live", "wait?timeout=0"]) {
          const { status, text } = yield* ask(`/inbox/api/${path}`, { ...headers, cookie: opened })
          assert.strictEqual(status, 403)
          assert.notInclude(text, secret)
        }
        const { status } = yield* ask("/inbox/api/emails", { ...headers, cookie: opened }, { method: "DELETE" })
        assert.strictEqual(status, 403)
      }
      // A form sends no metadata from old browsers, but an origin; what sends neither is not a browser, and has no cookie.
      const bare = yield* ask("/inbox/api/emails", { cookie: opened }, { method: "DELETE" })
      assert.strictEqual(bare.status, 403)
      assert.deepStrictEqual(yield* subjects("emails"), [secret])

      // A name that was rebound to this machine has no cookie, and the cookie of its own is not ours.
      yield* assertNothing({ host: `evil.example:${port}`, "sec-fetch-site": "same-origin" })

      const own = { cookie: opened, "sec-fetch-site": "same-origin" }
      const deleted = yield* ask("/inbox/api/emails", own, { method: "DELETE" })
      assert.strictEqual(deleted.status, 200)
      assert.deepStrictEqual(yield* subjects("emails"), [])
    }).pipe(serving))

  it.scopedLive("is never shared with other origins", () =>
    Effect.gen(function*() {
      for (const path of ["/inbox", "/inbox/api/emails", "/inbox/app.js"]) {
        const { headers } = yield* ask(path, { origin: "https://app.example", authorization: `Bearer ${token}` })
        assert.isUndefined(headers["access-control-allow-origin"])
        const preflight = { origin: "https://app.example", "access-control-request-method": "DELETE" }
        assert.isUndefined((yield* ask(path, preflight, { method: "OPTIONS" })).headers["access-control-allow-origin"])
      }
      assert.strictEqual(
        (yield* ask("/contacts", { origin: "https://app.example" })).headers["access-control-allow-origin"],
        "*"
      )
    }).pipe(Effect.provide(Server.layerTest({ ...options, cors: "*" }))))

  it.scopedLive("is not told to the operator with its token", () => {
    const seen: Array<Server.Observation> = []
    return Effect.gen(function*() {
      yield* ask(`/inbox?token=${token}`)
      yield* ask("/inbox/api/emails", { authorization: `Bearer ${token}` })
      assert.deepStrictEqual(seen.map(({ account, path, status }) => [path, status, account]), [
        ["/inbox", 303, undefined],
        ["/inbox/api/emails", 200, "default"]
      ])
      assert.notInclude(JSON.stringify(seen), token)
    }).pipe(Effect.provide(
      Server.layerTest({ ...options, onRequest: (observation) => Effect.sync(() => void seen.push(observation)) })
    ))
  })

  const nginx = Proxy.find("nginx")
  it.scopedLive.skipIf(nginx === undefined)(
    `shows nothing to strangers behind nginx as it is by default${nginx === undefined ? " (skipped: no nginx)" : ""}`,
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Server.Address
        const { ports: [port] } = yield* Proxy.start("nginx", {
          ports: 1,
          config: ([port]) => `server { listen 127.0.0.1:${port}; location / { proxy_pass ${baseUrl}; } }`
        })
        yield* assertNothing({ host: "mail.example.com" }, port)
        yield* assertNothing({ host: "localhost" }, port)
        const opened = yield* ask(`/inbox?token=${token}`, { host: "mail.example.com" }, { port })
        assert.strictEqual(opened.status, 303)
        const [set = ""] = [opened.headers["set-cookie"] ?? []].flat()
        const own = { cookie: set.split(";")[0]!, "sec-fetch-site": "same-origin" }
        assert.include((yield* ask("/inbox/api/emails", own, { port })).text, secret)
      }).pipe(serving)
  )
})
