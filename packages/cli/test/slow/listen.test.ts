import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import type * as Process from "@mailstream/testing/Process"
import { Webhook } from "@mailstream/webhook"
import { Effect, Redacted } from "effect"
import { hostname } from "node:os"
import { jsonLines, run, slow, start } from "../support/program.ts"
import { apiKey } from "../support/service.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** A service that holds webhooks, and delivers nothing by itself. */
const webhookService = (before: ReadonlyArray<string> = []) =>
  Effect.gen(function*() {
    const webhooks = new Map<string, { readonly endpoint: string; readonly events: ReadonlyArray<string> }>(
      before.map((endpoint, index) => [`before-${index}`, { endpoint, events: ["email.sent"] }])
    )
    const baseUrl = yield* serve((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => {
        const id = request.url?.split("/")[2]
        if (request.method === "POST") {
          webhooks.set("own", JSON.parse(text))
          return sendJson(response, 201, { object: "webhook", id: "own", signing_secret: secret })
        }
        if (request.method === "DELETE" && id !== undefined) {
          webhooks.delete(id)
          return sendJson(response, 200, { object: "webhook", id, deleted: true })
        }
        const data = [...webhooks].map(([id, webhook]) => ({ id, ...webhook }))
        return sendJson(response, 200, { object: "list", has_more: false, data })
      })
    })
    return { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }, webhooks }
  })

/** Waits until a text has been printed. */
const printed = ({ child }: Process.Running, stream: "stdout" | "stderr", text: string) =>
  Effect.async<void>((resume) => {
    let all = ""
    child[stream].on("data", (part) => {
      all += String(part)
      if (all.includes(text)) resume(Effect.void)
    })
  })

const body = JSON.stringify({ type: "email.sent", created_at: "2026-11-18T09:00:00.000Z", data: { email_id: "1" } })

const deliver = (endpoint: string, headers: Record<string, string>, text = body) =>
  Effect.promise(() => fetch(endpoint, { method: "POST", headers, body: text }).then(({ status }) => status))

const signed = (id: string, key = secret) =>
  Effect.map(Effect.orDie(Webhook.sign(body, key, { id })), (headers): Record<string, string> => ({ ...headers }))

/** An app that verifies with a secret, and records what it gets. */
const verifying = (key: string, status: () => number) =>
  Effect.gen(function*() {
    const verified: Array<string> = []
    const app = yield* serve((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part) => parts.push(part)).on("end", () => {
        const event = Effect.either(Webhook.verify(Buffer.concat(parts), request.headers, key))
        void Effect.runPromise(event).then((event) => {
          const { "svix-id": id = request.headers["webhook-id"], "x-own": own } = request.headers
          const type = event._tag === "Right" ? event.right.type : event.left._tag
          verified.push(`${type} ${id} ${request.url} ${own} ${Buffer.concat(parts)}`)
          sendJson(response, event._tag === "Right" ? status() : 401, {})
        })
      })
    })
    return { app, verified }
  })

const listening = (service: { readonly env: Record<string, string> }, ...args: ReadonlyArray<string>) =>
  Effect.tap(start(["webhooks", "listen", ...args], service), (running) => printed(running, "stderr", "Listening at"))

describe("webhooks listen", () => {
  it.scopedLive(
    "prints what the service has signed, and removes its webhook after a signal",
    () =>
      Effect.gen(function*() {
        for (const signal of ["SIGINT", "SIGTERM"] as const) {
          const service = yield* webhookService()
          const running = yield* listening(service, "--events", "email.sent,email.bounced")
          const { endpoint = "", events } = service.webhooks.get("own") ?? {}
          assert.deepStrictEqual(events, ["email.sent", "email.bounced"])
          assert.strictEqual(yield* deliver(endpoint, yield* signed("msg_1")), 200)
          assert.strictEqual(yield* deliver(endpoint, yield* signed("msg_2", `whsec_${btoa("x".repeat(24))}`)), 401)
          assert.strictEqual(yield* deliver(endpoint, yield* signed("msg_3"), `${body} `), 401)
          assert.strictEqual(yield* deliver(endpoint, {}), 401)
          assert.strictEqual(yield* deliver(endpoint.slice(0, -1), yield* signed("msg_4")), 404)
          const tooLarge = deliver(endpoint, yield* signed("msg_5"), "x".repeat(6 * 1024 * 1024))
          // The connection may be closed before all of it was sent.
          assert.strictEqual(yield* Effect.catchAllDefect(tooLarge, () => Effect.succeed(413)), 413)
          yield* running.kill(signal)
          const { code, stderr, stdout } = yield* running.finished
          assert.deepStrictEqual([code, jsonLines(stdout)], [0, [{ id: "msg_1", ...JSON.parse(body) }]])
          assert.strictEqual(stderr.split(secret).length, 2, "the secret is printed once")
          assert.strictEqual(stderr.match(/A request was refused: /g)?.length, 3)
          assert.strictEqual(service.webhooks.size, 0)
        }
      }),
    slow
  )

  it.scopedLive(
    "passes requests on so that an app can verify them, and accepts what the app has accepted",
    () =>
      Effect.gen(function*() {
        const service = yield* webhookService()
        let status = 500
        const { app, verified } = yield* verifying(secret, () => status)
        const running = yield* listening(service, "--forward", `${app}/hook?x=1`)
        const { endpoint = "" } = service.webhooks.get("own") ?? {}
        const headers = { ...yield* signed("msg_1"), "x-own": "kept" }
        assert.strictEqual(yield* deliver(endpoint, headers), 502)
        status = 204
        assert.strictEqual(yield* deliver(endpoint, headers), 200)
        status = 302
        assert.strictEqual(yield* deliver(endpoint, headers), 502)
        yield* running.kill("SIGINT")
        const { stdout } = yield* running.finished
        assert.deepStrictEqual(verified, Array(3).fill(`email.sent msg_1 /hook?x=1 kept ${body}`))
        assert.deepStrictEqual(jsonLines(stdout).map(({ forwarded }) => forwarded), [500, 204, 302])
      }),
    slow
  )

  it.scopedLive("signs what it passes on with a given secret, which it never prints", () =>
    Effect.gen(function*() {
      const own = `whsec_${btoa("the secret of the app")}`
      const ways = [
        { args: ["--secret", own], env: { MAILSTREAM_WEBHOOK_SECRET: secret }, source: "--secret" },
        { args: [], env: { MAILSTREAM_WEBHOOK_SECRET: own }, source: "MAILSTREAM_WEBHOOK_SECRET" }
      ]
      for (const { args, env, source } of ways) {
        const service = yield* webhookService()
        const { app, verified } = yield* verifying(own, () => 200)
        const running = yield* listening({ env: { ...service.env, ...env } }, "--forward", `${app}/`, ...args)
        const { endpoint = "" } = service.webhooks.get("own") ?? {}
        const headers = yield* signed("msg_1")
        const standard = Object.entries(headers).map(([name, value]) => [name.replace("svix", "webhook"), value])
        assert.strictEqual(yield* deliver(endpoint, { ...headers, "x-own": "kept" }), 200)
        assert.strictEqual(yield* deliver(endpoint, { ...Object.fromEntries(standard), "x-own": "kept" }), 200)
        // The service signs with its own secret as before.
        assert.strictEqual(yield* deliver(endpoint, yield* signed("msg_2", own)), 401)
        yield* running.kill("SIGINT")
        const { stderr, stdout } = yield* running.finished
        assert.deepStrictEqual(verified, Array(2).fill(`email.sent msg_1 / kept ${body}`))
        assert.deepStrictEqual(
          jsonLines(stdout).map(({ forwarded, id }) => [forwarded, id]),
          Array(2).fill([200, "msg_1"])
        )
        assert.include(stderr, `, signed with the secret in ${source}\n`)
        for (const hidden of [own, secret]) assert.notInclude(stdout + stderr, hidden.slice(6))
      }
    }), slow)

  it.scopedLive(
    "refuses a secret that is none, or has nothing to sign, before it creates a webhook",
    () =>
      Effect.gen(function*() {
        const service = yield* webhookService()
        const forward = ["webhooks", "listen", "--forward", "http://127.0.0.1:1"]
        const wrong = yield* run([...forward, "--secret", "whsec_short"], service)
        const set = yield* run(forward, { env: { ...service.env, MAILSTREAM_WEBHOOK_SECRET: "whsec_short" } })
        const alone = yield* run(["webhooks", "listen", "--secret", secret], service)
        assert.deepStrictEqual([wrong.code, set.code, alone.code], [2, 2, 2])
        assert.match(wrong.stderr, /^mailstream: --secret must be the secret of the webhook: whsec_ and /)
        assert.match(
          set.stderr,
          /^mailstream: MAILSTREAM_WEBHOOK_SECRET must be the secret of the webhook: whsec_ and /
        )
        assert.match(alone.stderr, /^mailstream: --secret needs --forward URL\.\n/)
        for (const { stderr } of [wrong, set, alone]) assert.notMatch(stderr, /short|MfKQ9r8G/)
        assert.strictEqual(service.webhooks.size, 0)
      }),
    slow
  )

  it.scopedLive("removes what a killed run has left, and nothing else", () =>
    Effect.gen(function*() {
      const path = `/mailstream-listen/${encodeURIComponent(hostname())}/alive`
      const alive = yield* serve((_, response) => void response.end(path))
      const gone = "http://127.0.0.1:1"
      const kept = [
        `${alive}${path}`,
        `${gone}/mailstream-listen/another-machine/x`,
        "https://example.com/hook"
      ]
      const service = yield* webhookService([...kept, `${alive}${path}2`])
      const killed = yield* listening(service)
      yield* killed.kill("SIGKILL")
      yield* killed.finished
      const own = service.webhooks.get("own")
      assert.isDefined(own)
      // The next one has another id at the service.
      service.webhooks.delete("own")
      service.webhooks.set("killed", own)
      const next = yield* listening(service)
      assert.deepStrictEqual([...service.webhooks.keys()].sort(), ["before-0", "before-1", "before-2", "own"])
      yield* next.kill("SIGINT")
      assert.match((yield* next.finished).stderr, /^Removed the webhook killed, which an earlier run has left\.\n/)
      assert.deepStrictEqual([...service.webhooks.values()].map(({ endpoint }) => endpoint), kept)
    }), slow)

  it.scopedLive("says why it cannot listen, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const service = yield* webhookService()
      const taken = yield* serve((_, response) => void response.end())
      const { code, stderr } = yield* run(["webhooks", "listen", "--port", new URL(taken).port], service)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^ServeError: 127\.0\.0\.1:\d+: the address is already in use; choose another --port /)
      assert.strictEqual(service.webhooks.size, 0)
    }), slow)

  it.scopedLive("receives the events of an email from the service itself", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const service = { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) } }
      const running = yield* listening(service, "--events", "email.sent,email.delivered")
      const delivered = yield* Effect.fork(printed(running, "stdout", "email.delivered"))
      const line = "emails send --to delivered@resend.dev --from news@example.com --subject Hi --text x --yes"
      const { stdout: sent } = yield* run([...line.split(" "), "--format", "id"], service)
      yield* delivered
      yield* running.kill("SIGINT")
      const { code, stdout } = yield* running.finished
      assert.strictEqual(code, 0)
      const events = jsonLines(stdout)
      assert.deepStrictEqual(events.map(({ type }) => type), ["email.sent", "email.delivered"])
      for (const { data } of events) assert.deepInclude(data, { email_id: sent.trim() })
    }).pipe(Effect.provide(Server.layerTest())), slow)
})
