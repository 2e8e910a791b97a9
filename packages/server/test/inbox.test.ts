import { assert, describe, it, layer } from "@effect/vitest"
import { EmailId, Resource } from "@mailstream/core"
import { Inbox, Server, Store, WebHandler } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Duration, Effect, Fiber, Redacted, TestClock } from "effect"
import { assertError, post, send } from "./support/http.ts"
import { inbox, sendEmail, subjects } from "./support/inbox.ts"
import { stores } from "./support/stores.ts"

/** A server of its own. */
const fresh = Effect.provide(Server.layerTest())

for (const [name, store] of stores) {
  const own = Effect.provide(Server.layerTest({ store }))

  describe(`the inbox on ${name}`, () => {
    it.scopedLive("shows what was sent, newest first, with everything that belongs to it", () =>
      Effect.gen(function*() {
        const id = yield* sendEmail({
          to: ["Ada <ada@example.com>", "bounced@resend.dev"],
          cc: "cc@example.com",
          subject: "Receipt",
          html: "<p>Thanks</p>",
          headers: { "X-Ref": "42" },
          tags: [{ name: "kind", value: "receipt" }],
          attachments: [{ filename: "ünï \"r\".txt", content: btoa("hello"), content_type: "text/html" }]
        })
        yield* sendEmail({ subject: "Newer" })
        const { data, has_more } = yield* inbox("emails")
        assert.deepStrictEqual(data.map(({ subject }: { subject: string }) => subject), ["Newer", "Receipt"])
        assert.isFalse(has_more)
        assert.deepInclude(data[1], { id, to: ["Ada <ada@example.com>", "bounced@resend.dev"], recipients: 3 })

        const email = yield* inbox(`emails/${id}`)
        assert.deepInclude(email, {
          html: "<p>Thanks</p>",
          text: "Hi",
          headers: { "X-Ref": "42" },
          tags: [{ name: "kind", value: "receipt" }],
          cc: ["cc@example.com"]
        })
        assert.deepStrictEqual(
          email.events.map(({ type }: { type: string }) => type),
          ["email.sent", "email.delivered", "email.bounced"]
        )
        assert.deepInclude(email.request, { method: "POST", path: "/emails" })
        const [attachment] = email.attachments
        assert.deepInclude(attachment, { filename: "ünï \"r\".txt", content_type: "text/html", size: 5 })
        assert.notProperty(attachment, "content")

        assert.strictEqual(attachment.download_url, `/inbox/api/emails/${id}/attachments/${attachment.id}`)
        const file = yield* send(attachment.download_url)
        assert.strictEqual(file.text, "hello")
        assert.match(file.headers.get("content-disposition")!, /^attachment;/)
        assert.strictEqual(file.headers.get("x-content-type-options"), "nosniff")
        assertError(yield* send(`/inbox/api/emails/${id}/attachments/other`), 404, "not_found")
        assertError(yield* send("/inbox/api/emails/other"), 404, "not_found")
      }).pipe(own))

    it.scopedLive("pages and searches with cursors, and reads a bounded part of the list for each request", () =>
      Effect.gen(function*() {
        const service = yield* Store
        const emails = Array.from({ length: 330 }, (_, index) => ({
          ...SampleData.email(index),
          id: EmailId.make(`email-${index}`),
          subject: index % 70 === 0 ? `Needle ${index}` : `Subject ${index}`,
          text: index === 3 ? "Somewhere inside is a THIMBLE." : "Nothing"
        }))
        yield* service.insert(Resource.emails, emails)
        const seen: Array<string> = []
        let after: string | null = ""
        while (after !== null) {
          const part: { data: ReadonlyArray<{ id: string }>; after: string | null } = yield* inbox(
            `emails?limit=100${after === "" ? "" : `&after=${after}`}`
          )
          seen.push(...part.data.map(({ id }) => id))
          after = part.after
        }
        assert.deepStrictEqual(seen, emails.map(({ id }) => id).reverse())

        const search = (q: string, limit: number) =>
          Effect.gen(function*() {
            const found: Array<string> = []
            let requests = 0
            let after: string | null = ""
            while (after !== null) {
              const part: { data: ReadonlyArray<{ subject: string }>; after: string | null } = yield* inbox(
                `emails?q=${q}&limit=${limit}${after === "" ? "" : `&after=${after}`}`
              )
              found.push(...part.data.map(({ subject }) => subject))
              after = part.after
              requests++
            }
            return { found, requests }
          })
        const needles = [280, 210, 140, 70, 0].map((index) => `Needle ${index}`)
        assert.deepStrictEqual(yield* search("nEEDLe", 50), { found: needles, requests: 2 })
        assert.deepStrictEqual((yield* search("needle", 2)).found, needles)
        assert.deepStrictEqual((yield* search("thimble", 50)).found, ["Subject 3"])
        assertError(yield* send("/inbox/api/emails?limit=0"), 422, "validation_error")
        assertError(yield* send("/inbox/api/emails?after=never"), 404, "not_found")
      }).pipe(own))

    it.scopedLive("deletes all emails, and nothing else", () =>
      Effect.gen(function*() {
        yield* SampleData.insert({ emails: 250, contacts: 5 })
        assert.deepStrictEqual(yield* inbox("emails", { method: "DELETE" }), { deleted: 250 })
        assert.deepStrictEqual(yield* inbox("emails"), { data: [], has_more: false, after: null })
        yield* sendEmail({ subject: "After" })
        assert.deepStrictEqual(yield* subjects("emails"), ["After"])
        assert.strictEqual((yield* inbox("contacts?limit=10")).data.length, 5)
      }).pipe(own))

    it.scopedLive("waits for an email in the process, and over HTTP", () =>
      Effect.gen(function*() {
        const wanted = { to: "ADA@example.com", subject: "Reset" }
        const waiting = yield* Effect.fork(Inbox.waitFor({ ...wanted, timeout: "20 seconds" }))
        const asking = yield* Effect.fork(inbox("wait?to=ada@example.com&subject=Reset&timeout=20"))
        yield* sendEmail({ to: "other@example.com", subject: "Reset" })
        yield* sendEmail({ subject: "Welcome" })
        const id = yield* sendEmail({ to: ["x@example.com", "Ada L. <ada@example.com>"], subject: "Reset it" })
        assert.strictEqual((yield* Fiber.join(waiting)).id, id)
        assert.strictEqual((yield* Fiber.join(asking)).id, id)
        // It is there already.
        const again = yield* Inbox.waitFor({ to: "ada@example.com", subject: /^reset/i, timeout: 0 })
        assert.deepStrictEqual([again.id, again.text], [id, "Hi"])
        assert.strictEqual((yield* inbox("wait?subject=Welcome&timeout=0")).subject, "Welcome")
        // The case of a subject matters, in both.
        assert.strictEqual((yield* send("/inbox/api/wait?subject=welcome&timeout=0")).status, 404)
        const error = yield* Effect.flip(Inbox.waitFor({ subject: "welcome", timeout: 0 }))
        assert.strictEqual(error._tag, "EmailNotArrived")
      }).pipe(own))

    it.scopedLive("looks through every email that is stored, and afterwards only at new ones", () =>
      Effect.gen(function*() {
        const service = yield* Store
        const emails = Array.from({ length: 1250 }, (_, index) => ({
          ...SampleData.email(index),
          id: EmailId.make(`email-${index}`),
          subject: index < 2 ? `Oldest ${index}` : "Other",
          last_event: "delivered"
        }))
        yield* service.insert(Resource.emails, emails)
        assert.strictEqual((yield* Inbox.waitFor({ subject: "Oldest", timeout: 0 })).id, "email-1")
        assert.strictEqual((yield* inbox("wait?subject=Oldest&timeout=0")).id, "email-1")

        const pages: Array<Parameters<typeof service.page>[1]> = []
        const watched: typeof service = {
          ...service,
          page: (list, request) => {
            if (list.name === Resource.emails.name) pages.push(request)
            return service.page(list, request)
          }
        }
        const waiting = yield* Inbox.waitFor({ subject: "New", timeout: "20 seconds" }).pipe(
          Effect.provideService(Store, watched),
          Effect.fork
        )
        yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => pages.length >= 13 })
        // The newest that was known is gone; those that come are more than a page.
        yield* service.atomically((objects) => objects.remove({ name: Resource.emails.name }, ["email-1249"]))
        const fresh = Array.from({ length: 230 }, (_, index) => ({
          ...SampleData.email(index),
          id: EmailId.make(`fresh-${index}`),
          subject: index === 3 || index === 120 ? "New" : "Other",
          last_event: "delivered"
        }))
        yield* service.insert(Resource.emails, fresh)
        assert.strictEqual((yield* Fiber.join(waiting)).id, "fresh-120")
        assert.isTrue(pages.every(({ limit }) => limit <= 100))
        assert.isTrue(pages.slice(13).every(({ before }) => before !== undefined), "reads only new emails")
        assert.isBelow(pages.length, 25)
      }).pipe(own))
  })
}

describe("Inbox.waitFor", () => {
  it.effect("says what did arrive instead", () =>
    Effect.gen(function*() {
      yield* sendEmail({ to: "bob@example.com", subject: "Welcome" })
      const waiting = yield* Effect.fork(Effect.flip(Inbox.waitFor({ to: "ada@example.com", subject: "Reset" })))
      yield* sendEmail({ to: "ada@example.com", subject: "Other" })
      yield* TestClock.adjust("5 seconds")
      const error = yield* Fiber.join(waiting)
      assert(error._tag === "EmailNotArrived")
      assert.strictEqual(
        error.message,
        "No email to ada@example.com with \"Reset\" in its subject arrived within 5s. " +
          "The newest that did: \"Other\" to ada@example.com; \"Welcome\" to bob@example.com."
      )
      assert.isTrue(Duration.equals(error.waited, "5 seconds"))
    }).pipe(fresh))

  it.effect("resolves without the clock moving, and only for what is sent since then", () =>
    Effect.gen(function*() {
      yield* sendEmail({ subject: "Code 1" })
      yield* TestClock.adjust("1 minute")
      const since = 60_000
      const waiting = yield* Effect.fork(Inbox.waitFor({ subject: "Code", since }))
      const id = yield* sendEmail({ subject: "Code 2" })
      assert.strictEqual((yield* Fiber.join(waiting)).id, id)
    }).pipe(fresh))

  it.effect("waits until an email that is scheduled is sent", () =>
    Effect.gen(function*() {
      const id = yield* sendEmail({ subject: "Later", scheduled_at: "in 1 min" })
      const canceled = yield* sendEmail({ subject: "Later", scheduled_at: "in 1 min" })
      yield* post(`/emails/${canceled}/cancel`, {})
      const early = yield* Effect.fork(Effect.flip(Inbox.waitFor({ subject: "Later", timeout: "30 seconds" })))
      const late = yield* Effect.fork(Inbox.waitFor({ subject: "Later", timeout: "2 minutes" }))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* Fiber.join(early))._tag, "EmailNotArrived")
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* Fiber.join(late)).id, id)
    }).pipe(fresh))

  it.effect("refuses what cannot be waited for", () =>
    Effect.gen(function*() {
      const problem = (options: Inbox.WaitOptions) =>
        Effect.map(Effect.flip(Inbox.waitFor(options)), ({ message }) => message)
      assert.match(yield* problem({ timeout: "forever" as never }), /^timeout must be a finite duration/)
      assert.match(yield* problem({ timeout: Infinity }), /^timeout must be a finite duration/)
      assert.match(yield* problem({ since: "yesterday" }), /^since must be a time/)
    }).pipe(fresh))
})

describe("the wait over HTTP", () => {
  layer(Server.layerTest(), { excludeTestServices: true })((it) => {
    it.scoped("responds with what did arrive", () =>
      Effect.gen(function*() {
        yield* sendEmail({ subject: "Welcome" })
        const { status, text } = yield* send("/inbox/api/wait?to=nobody@example.com&timeout=0.05")
        assert.strictEqual(status, 404)
        assert.deepInclude(JSON.parse(text), {
          statusCode: 404,
          name: "email_not_arrived",
          arrived: [{ to: ["ada@example.com"], subject: "Welcome" }]
        })
        for (const query of ["timeout=61", "timeout=-1", "timeout=x", "since=yesterday"]) {
          assertError(yield* send(`/inbox/api/wait?${query}`), 422, "validation_error")
        }
      }))
  })
})

describe("a query parameter that is unknown or repeated", () => {
  layer(Server.layerTest(), { excludeTestServices: true })((it) => {
    it.scoped("is refused by name, with those that are allowed", () =>
      Effect.gen(function*() {
        const id = yield* sendEmail({ subject: "Newest of all" })
        const [wait, list] = [
          "`to`, `subject`, `campaign`, `since`, `timeout`",
          "`q`, `campaign`, `limit`, `after`"
        ]
        for (
          const [path, unknown, allowed] of [
            ["wait?tos=ada@example.com&timeout=0", "`tos`", `Allowed: ${wait}`],
            ["wait?To=a&to=b&subjects=x&timeout=0", "`To`, `subjects`", `Allowed: ${wait}`],
            ["emails?query=x", "`query`", `Allowed: ${list}`],
            [`emails/${id}?html`, "`html`", "This endpoint has none"],
            [`emails/${id}/html?remotes=1`, "`remotes`", "Allowed: `remote`"],
            [`emails/${id}/attachments/x?a=1`, "`a`", "This endpoint has none"],
            ["campaigns?q=x", "`q`", "Allowed: `limit`, `after`"],
            ["campaigns/spring?limit=1", "`limit`", "This endpoint has none"],
            ["account?x", "`x`", "This endpoint has none"],
            ["live?x", "`x`", "This endpoint has none"]
          ] as const
        ) {
          const message = `Unknown query parameter ${unknown}. ${allowed}.`
          assertError(yield* send(`/inbox/api/${path}`), 422, "validation_error", message)
        }
        for (const path of ["wait?to=a&subject=b&to=c", "emails?q=a&q=b&limit=1"]) {
          const name = path.startsWith("wait") ? "to" : "q"
          const message = `Repeated query parameter \`${name}\`. Pass it once.`
          assertError(yield* send(`/inbox/api/${path}`), 422, "validation_error", message)
        }
        const long = yield* send(`/inbox/api/emails?${"x".repeat(5000)}`)
        assertError(long, 422, "validation_error")
        assert.isBelow(long.text.length, 300)
        // What is meant to restrict a deletion must not be ignored.
        assertError(yield* send("/inbox/api/emails?to=x", { method: "DELETE" }), 422, "validation_error")
        assert.deepStrictEqual(yield* subjects("emails"), ["Newest of all"])
        assert.strictEqual((yield* inbox("wait?timeout=0")).id, id)
      }))
  })
})

describe("live updates", () => {
  it.scopedLive("reach many listeners, are not sent for each change, and end with the server", () =>
    Effect.gen(function*() {
      const texts = yield* Effect.scoped(Effect.gen(function*() {
        const { baseUrl } = yield* Server.make({ apiKeys: [Redacted.make("re_live")], shutdownTimeout: "20 seconds" })
        const headers = { authorization: "Bearer re_live", "content-type": "application/json" }
        const opened = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => Effect.promise(() => fetch(`${baseUrl}/inbox/api/live`, { headers })),
          { concurrency: 20 }
        )
        for (const { headers, status } of opened) {
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("content-type"), "text/event-stream")
        }
        const body = JSON.stringify({ from: "a@example.com", to: "b@example.com", subject: "x", text: "x" })
        yield* Effect.forEach(Array.from({ length: 50 }), () =>
          Effect.promise(async () => {
            const response = await fetch(`${baseUrl}/emails`, { method: "POST", headers, body })
            assert.strictEqual(response.status, 200, await response.text())
          }), { concurrency: 5 })
        yield* Effect.sleep("600 millis")
        // The scope is closed now: every response must end by itself.
        return yield* Effect.fork(Effect.forEach(opened, (response) => Effect.promise(() => response.text())))
      }))
      const received = yield* Effect.timeout(Fiber.join(texts), "5 seconds")
      assert.strictEqual(received.length, 20)
      for (const text of received) {
        const messages = text.split("\n\n").filter((message) => message.startsWith("event: changed"))
        assert.isAtLeast(messages.length, 1)
        assert.isAtMost(messages.length, 10)
      }
    }).pipe(Effect.provide(Store.layerMemory)))

  it.scopedLive("are for so many listeners, and for their account", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const controller = new AbortController()
      const headers = { authorization: `Bearer ${Redacted.value(apiKey)}` }
      const listen = Effect.promise(() => fetch(`${baseUrl}/inbox/api/live`, { headers, signal: controller.signal }))
      const opened = yield* Effect.forEach(Array.from({ length: 100 }), () => listen, { concurrency: 25 })
      assert.isTrue(opened.every(({ status }) => status === 200))
      assert.strictEqual((yield* listen).status, 503)
      controller.abort()
      yield* Effect.repeat(listen, { until: ({ status }) => status === 200 }).pipe(
        Effect.catchAllDefect(() => Effect.void)
      )
    }).pipe(fresh))
})

describe("the other objects", () => {
  it.scopedLive("can be browsed: contacts, segments, topics, templates and broadcasts, and no secrets", () =>
    Effect.gen(function*() {
      yield* SampleData.insert({ contacts: 10, segments: 2, topics: 2, broadcasts: 2, templates: 1, webhooks: 1 })
      const [contact] = (yield* inbox("contacts?limit=1")).data
      assert.strictEqual((yield* inbox(`contacts/${contact.id}`)).email, contact.email)
      assert.isArray((yield* inbox(`contacts/${contact.id}/segments?limit=5`)).data)
      assert.strictEqual((yield* inbox(`contacts/${contact.id}/topics?limit=5`)).data.length, 2)
      const [broadcast] = (yield* inbox("broadcasts?limit=1")).data
      assert.isArray((yield* inbox(`broadcasts/${broadcast.id}/recipients?type=sent&limit=5`)).data)
      for (
        const path of ["webhooks", "api-keys", "domains", "suppressions", "emails/receiving", "nothing", "contacts//x"]
      ) {
        assertError(yield* send(`/inbox/api/${path}`), 404, "not_found")
      }
      assertError(yield* send("/inbox/api/contacts", { method: "POST", body: "{}" }), 405, "method_not_allowed")
      assertError(yield* send(`/inbox/api/contacts/${contact.id}`, { method: "DELETE" }), 405, "method_not_allowed")
    }).pipe(fresh))

  it.scopedLive("shows templates with their fallback values", () =>
    Effect.gen(function*() {
      const { text } = yield* post("/templates", {
        name: "Hi",
        html: "<p>{{{NAME}}}, {{{ NAME }}}, {{{CITY|Paris}}}, {{{OTHER}}}</p>",
        variables: [{ key: "NAME", type: "string", fallback_value: "<b>you</b>" }]
      })
      const shown = yield* send(`/inbox/api/templates/${JSON.parse(text).id}/html`)
      assert.include(shown.text, "<p><b>you</b>, <b>you</b>, Paris, {{{OTHER}}}</p>")
      assert.match(shown.headers.get("content-security-policy")!, /default-src 'none'.*sandbox/)
    }).pipe(fresh))
})

describe("an email that is enormous", () => {
  it.scopedLive("does not make the list so", () =>
    Effect.gen(function*() {
      const store = yield* Store
      const subject = "😀".repeat(5_000_000)
      const to = Array.from({ length: 50 }, (_, index) => `${"x".repeat(10_000)}${index}@example.com`)
      yield* store.insert(Resource.emails, [{ ...SampleData.email(0), subject, to, from: "y".repeat(1e6) }])
      const { text } = yield* send("/inbox/api/emails")
      assert.isBelow(text.length, 5000)
      const [email] = JSON.parse(text).data
      assert.match(email.subject, /^(?:😀){150}…$/u)
      assert.strictEqual((yield* send("/inbox/api/emails?q=nothing")).text, `{"data":[],"has_more":false,"after":null}`)
      const error = yield* Effect.flip(Inbox.waitFor({ to: "ada@example.com", timeout: 0 }))
      assert.isBelow(error.message.length, 2000)
    }).pipe(fresh))
})

describe("an email whose events are no longer kept", () => {
  it.scopedLive("says so", () =>
    Effect.gen(function*() {
      const store = yield* Store
      const gone = yield* sendEmail({ subject: "Gone" })
      const partly = yield* sendEmail({ subject: "Partly", to: "complained@resend.dev" })
      const kept = yield* sendEmail({ subject: "Kept" })
      yield* store.insert(Resource.emails, [{ ...SampleData.email(0), id: EmailId.make("never") }])
      const read = (id: string) =>
        Effect.map(inbox(`emails/${id}`), ({ events, events_pruned }) => [events.length, events_pruned])
      assert.deepStrictEqual(yield* read(gone), [0, true])
      assert.deepStrictEqual(yield* read(partly), [2, true])
      assert.deepStrictEqual(yield* read(kept), [2, false])
      assert.deepStrictEqual(yield* read("never"), [0, false])
      assert.isTrue((yield* Inbox.waitFor({ subject: "Gone", timeout: 0 })).events_pruned)
    }).pipe(Effect.provide(Server.layerTest({ events: { maxCount: 4 } }))))
})

describe("the web handler", () => {
  it.scopedLive("has an inbox, too", () =>
    Effect.gen(function*() {
      const web = WebHandler.make(Store.layerMemory, { apiKeys: [Redacted.make("re_web")] })
      const ask = (path: string, headers: Record<string, string> = {}) =>
        Effect.promise(() => web.handler(new Request(`https://mail.example${path}`, { headers, redirect: "manual" })))
      assert.strictEqual((yield* ask("/inbox")).status, 401)
      const entered = yield* ask(Redacted.value(web.inboxPath!))
      assert.strictEqual(entered.status, 303)
      const cookie = entered.headers.get("set-cookie")!
      assert.match(cookie, /; HttpOnly; SameSite=Strict; Secure$/)
      const list = yield* ask("/inbox/api/emails", { cookie: cookie.split(";")[0]! })
      assert.strictEqual(yield* Effect.promise(() => list.text()), `{"data":[],"has_more":false,"after":null}`)
      const live = yield* ask("/inbox/api/live", { authorization: "Bearer re_web" })
      yield* Effect.promise(web.dispose)
      assert.match(yield* Effect.timeout(Effect.promise(() => live.text()), "5 seconds"), /^retry: /)
      assert.isUndefined(WebHandler.make(Store.layerMemory, { inbox: false }).inboxPath)
    }))
})
