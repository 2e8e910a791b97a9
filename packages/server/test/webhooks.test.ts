import { assert, describe, it } from "@effect/vitest"
import { Server, SqlStore, Store } from "@mailstream/server"
import { sleepingUntil } from "@mailstream/testing/Clock"
import { eventually, found } from "@mailstream/testing/Eventually"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Clock, Effect, Exit, Layer, Redacted, Scope, TestClock } from "effect"
import { createHmac } from "node:crypto"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { createServer } from "node:net"
import * as Http from "./support/http.ts"
import { freshDatabase, stores, temporaryFile } from "./support/stores.ts"

const ok = (method: string, path: string, body?: unknown) =>
  Effect.map(
    Http.send(path, {
      method,
      headers: { "content-type": "application/json" },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    }),
    ({ status, text }) => {
      assert.include([200, 201], status, `${method} ${path}: ${text}`)
      return JSON.parse(text)
    }
  )

const email = { from: "ada@example.com", to: "delivered@resend.dev", subject: "Hello", text: "Hi" }

interface Message {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly type: string
}

/** A receiver of messages, which responds with 200 unless told otherwise. */
const receiver = (respond: (response: ServerResponse, message: Message) => void = (response) => response.end("ok")) =>
  Effect.gen(function*() {
    const messages: Array<Message> = []
    const url = yield* HttpServer.serve((request, response) => {
      let body = ""
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () => {
        const message = { headers: request.headers, body, type: JSON.parse(body).type }
        messages.push(message)
        respond(response, message)
      })
    })
    return { url: `${url}/hook`, messages, types: () => messages.map(({ type }) => type) }
  })

const register = (endpoint: string, events: ReadonlyArray<string> = ["email.sent", "email.delivered"]) =>
  Effect.map(
    ok("POST", "/webhooks", { endpoint, events }),
    ({ id, signing_secret }): { readonly id: string; readonly secret: string } => ({ id, secret: signing_secret })
  )

/** Written from the scheme, not from the server's code. */
const isSignedBy = (secret: string, { body, headers }: Message): boolean => {
  const hmac = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
  const signature = hmac.update(`${headers["svix-id"]}.${headers["svix-timestamp"]}.${body}`).digest("base64")
  return String(headers["svix-signature"]).split(" ").includes(`v1,${signature}`)
}

/** What is still to be delivered. */
const pending = Effect.flatMap(Store, (store) => store.lines("deliveries", { from: "oldest", limit: 1000 }))

const allDelivered = found("everything is delivered", pending, (lines) => lines.length === 0)

describe.each(stores)("webhooks on %s", (_, store) => {
  it.scopedLive("receive the events that they want, signed", () =>
    Effect.gen(function*() {
      const [all, some, none] = yield* Effect.all([receiver(), receiver(), receiver()])
      const wanted = yield* register(all.url, ["email.sent", "email.delivered", "contact.created", "domain.deleted"])
      yield* register(some.url, ["email.bounced"])
      const { id } = yield* register(none.url)
      yield* ok("PATCH", `/webhooks/${id}`, { status: "disabled" })
      const sent = yield* ok("POST", "/emails", { ...email, tags: [{ name: "kind", value: "test" }] })
      yield* ok("POST", "/emails", { ...email, to: "bounced@resend.dev" })
      yield* ok("POST", "/contacts", { email: "ada@example.com" })
      yield* eventually("all events are there", () => all.messages.length === 4 && some.messages.length === 1)
      yield* allDelivered
      assert.deepStrictEqual(all.types().sort(), ["contact.created", "email.delivered", "email.sent", "email.sent"])
      assert.deepStrictEqual(some.types(), ["email.bounced"])
      assert.deepStrictEqual(none.types(), [])
      assert.isTrue(all.messages.every((message) => isSignedBy(wanted.secret, message)))
      const delivered = all.messages.find(({ type }) => type === "email.delivered")!
      const { created_at, data } = JSON.parse(delivered.body)
      assert.isFalse(Number.isNaN(Date.parse(created_at)))
      assert.deepInclude(data, { email_id: sent.id, to: [email.to], subject: "Hello", tags: { kind: "test" } })
      assert.strictEqual(delivered.headers["content-type"], "application/json")
      assert.isBelow(
        Math.abs(Number(delivered.headers["svix-timestamp"]) - (yield* Clock.currentTimeMillis) / 1000),
        60
      )
      assert.strictEqual(new Set(all.messages.map(({ headers }) => headers["svix-id"])).size, 4)
    }).pipe(Effect.provide(Server.layerTest({ store }))))

  it.scoped("are told about what is scheduled when its time has come, though nobody looks", () =>
    Effect.gen(function*() {
      const { messages, types, url } = yield* receiver()
      yield* register(url)
      yield* ok("POST", "/emails", { ...email, scheduled_at: "in 3 s" })
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      yield* sleepingUntil(now + 3000)
      yield* TestClock.adjust("3 seconds")
      // If the database or the receiver is too busy, it is tried again later.
      yield* found(
        "it is sent",
        Effect.as(TestClock.adjust("100 millis"), types),
        (types) => new Set(types()).size === 2
      )
      assert.deepStrictEqual([...new Set(types())].sort(), ["email.delivered", "email.sent"])
      // A message that is sent again has the same id: there is one of each.
      assert.strictEqual(new Set(messages.map(({ headers }) => headers["svix-id"])).size, 2)
    }).pipe(Effect.provide(Server.layerTest({ store }))))

  it.scoped("get their events although others are unusable", () =>
    Effect.gen(function*() {
      const good = yield* receiver()
      const elsewhere = yield* receiver()
      const redirecting = yield* receiver((response) => response.writeHead(307, { location: elsewhere.url }).end())
      const hanging = yield* HttpServer.silence
      const endless = yield* receiver((response) => {
        response.writeHead(500)
        const write = (): void => void response.write("x".repeat(100_000), (error) => error ? undefined : write())
        write()
      })
      const closed = yield* Effect.async<number>((resume) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
          const address = server.address()
          server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
        })
      })
      const unusable = [
        redirecting.url,
        hanging.baseUrl,
        endless.url,
        `http://127.0.0.1:${closed}`,
        good.url.replace("http:", "https:"),
        "http://user:password@127.0.0.1:1/",
        "http://nowhere.invalid/"
      ]
      for (const url of unusable) yield* register(url, ["email.sent"])
      yield* register(good.url, ["email.sent"])
      for (const subject of ["1", "2", "3"]) yield* ok("POST", "/emails", { ...email, subject })
      yield* eventually("the good one has all of them", () => good.messages.length === 3)
      // No time has passed: one that hangs is still waited for.
      assert.isNotEmpty(yield* pending)
      yield* found(
        "the others are given up",
        Effect.zipRight(TestClock.adjust("2 seconds"), pending),
        (lines) => lines.length === 0
      )
      yield* Effect.promise(() => hanging.hungUp)
      assert.strictEqual(good.messages.length, 3)
      assert.isAtMost(redirecting.messages.length, 3)
      assert.deepStrictEqual(elsewhere.messages, [])
    }).pipe(Effect.provide(Server.layerTest({ store, webhooks: { retries: [], timeout: "2 seconds" } }))), 30_000)

  it.scopedLive("are sent at most so many requests at a time", () =>
    Effect.gen(function*() {
      let [current, most] = [0, 0]
      const { messages, url } = yield* receiver((response) => {
        most = Math.max(most, ++current)
        setTimeout(() => {
          current--
          response.end()
        }, 20)
      })
      yield* register(url)
      yield* ok("POST", "/emails/batch", Array.from({ length: 10 }, () => email))
      yield* allDelivered
      assert.strictEqual(messages.length, 20)
      assert.isAtMost(most, 2)
    }).pipe(Effect.provide(Server.layerTest({ store, webhooks: { concurrency: 2 } }))))

  it.scopedLive("get signatures by both secrets for a day after a rotation", () =>
    Effect.gen(function*() {
      const { messages, url } = yield* receiver()
      const { id, secret } = yield* register(url, ["email.sent"])
      const rotated = yield* ok("POST", `/webhooks/${id}/signing-secret/rotate`)
      yield* ok("POST", "/emails", email)
      yield* eventually("the event is there", () => messages.length === 1)
      assert.notStrictEqual(rotated.signing_secret, secret)
      assert.isTrue(isSignedBy(secret, messages[0]!))
      assert.isTrue(isSignedBy(rotated.signing_secret, messages[0]!))
      assert.notProperty(yield* ok("GET", `/webhooks/${id}`), "previous_secrets")
    }).pipe(Effect.provide(Server.layerTest({ store }))))

  it.scopedLive("that are removed or disabled get nothing more", () =>
    Effect.gen(function*() {
      const hanging = yield* HttpServer.silence
      const first = yield* register(hanging.baseUrl, ["email.sent"])
      const second = yield* register(hanging.baseUrl, ["email.sent"])
      yield* ok("POST", "/emails", email)
      yield* Effect.promise(() => hanging.received)
      yield* ok("DELETE", `/webhooks/${first.id}`)
      assert.deepStrictEqual((yield* pending).map(({ about }) => about), [second.id])
      yield* ok("PATCH", `/webhooks/${second.id}`, { status: "disabled" })
      yield* allDelivered
    }).pipe(Effect.provide(Server.layerTest({ store, webhooks: { retries: [], timeout: "300 millis" } }))))

  it.scopedLive("get nothing, and nothing is kept for them, if deliveries are off", () =>
    Effect.gen(function*() {
      yield* register("http://127.0.0.1:1")
      yield* ok("POST", "/emails", email)
      assert.deepStrictEqual(yield* pending, [])
    }).pipe(Effect.provide(Server.layerTest({ store, webhooks: false }))))
})

// In memory, nothing but the receiver is waited for while the clock jumps.
describe("webhooks that fail", () => {
  it.scoped("are tried again at the times of the schedule, then given up", () =>
    Effect.gen(function*() {
      const broken = yield* receiver((response) => response.writeHead(500).end())
      yield* register(broken.url, ["email.sent"])
      yield* ok("POST", "/emails", email)
      yield* eventually("the first attempt", () => broken.messages.length === 1)
      for (const [index, wait] of [5_000, 300_000].entries()) {
        const [line] = yield* found(
          "the next attempt is planned",
          pending,
          ([line]) => line?.fields["attempts"] === index + 1
        )
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        assert.isAtLeast(line!.at - now, wait)
        assert.isAtMost(line!.at - now, wait * 1.1 + 1)
        yield* sleepingUntil(Math.min(line!.at, now + 5000))
        yield* TestClock.setTime(line!.at)
        yield* eventually("the next attempt", () => broken.messages.length === index + 2)
      }
      yield* allDelivered
      assert.strictEqual(new Set(broken.messages.map(({ headers }) => headers["svix-id"])).size, 1)
      assert.strictEqual(new Set(broken.messages.map(({ body }) => body)).size, 1)
    }).pipe(
      Effect.provide(Server.layerTest({ webhooks: { retries: ["5 seconds", "5 minutes"] } }))
    ))
})

const key = Redacted.make("re_deliveries")

/** Opens a store of its own on a database, with a server, until the scope is closed. */
const open = (store: Layer.Layer<Store>, webhooks?: Server.Options["webhooks"]) =>
  Effect.flatMap(
    Layer.build(Layer.fresh(store)),
    (context) => Layer.build(Server.layerTest({ store: Layer.succeedContext(context), apiKey: key, webhooks }))
  )

const shared = [
  ["SQLite", Effect.map(temporaryFile, (filename) => Layer.orDie(SqlStore.layerSqlite({ filename })))],
  ["PostgreSQL", Effect.map(freshDatabase, (url) => Layer.orDie(SqlStore.layerPostgres({ url })))]
] as const

describe.each(shared)("deliveries on %s", (_, database) => {
  it.scopedLive("survive a restart", () =>
    Effect.gen(function*() {
      const store = yield* database
      let isUp = false
      const { messages, url } = yield* receiver((response) => response.writeHead(isUp ? 204 : 503).end())
      const scope = yield* Scope.make()
      const first = yield* Scope.extend(open(store, { retries: ["2 seconds"] }), scope)
      yield* Effect.gen(function*() {
        yield* register(url, ["email.sent"])
        yield* ok("POST", "/emails", email)
        yield* found("an attempt has failed", pending, ([line]) => line?.fields["attempts"] === 1)
      }).pipe(Effect.provide(first))
      yield* Scope.close(scope, Exit.void)
      isUp = true
      yield* Effect.provide(allDelivered, yield* open(store))
      assert.strictEqual(messages.length, 2)
      assert.strictEqual(messages[0]!.headers["svix-id"], messages[1]!.headers["svix-id"])
    }), 30_000)

  it.scopedLive("are made by one of two processes at a time", () =>
    Effect.gen(function*() {
      const store = yield* database
      const { messages, url } = yield* receiver((response) => void setTimeout(() => response.end(), 5))
      const [first, second] = yield* Effect.all([open(store), open(store)])
      yield* Effect.provide(register(url, ["email.sent"]), first)
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) => Effect.provide(ok("POST", "/emails", email), index % 2 === 0 ? first : second),
        { concurrency: 4 }
      )
      yield* Effect.provide(allDelivered, first)
      assert.strictEqual(messages.length, 20)
      assert.strictEqual(new Set(messages.map(({ headers }) => headers["svix-id"])).size, 20)
    }), 60_000)
})
