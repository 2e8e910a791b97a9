import { assert, describe, it } from "@effect/vitest"
import { Server, Store } from "@mailstream/server"
import { Array, Effect, FastCheck as fc, Layer, TestClock, TestContext } from "effect"
import * as Http from "./support/http.ts"
import { assertError } from "./support/http.ts"
import { stores } from "./support/stores.ts"

type Body = Readonly<Record<string, unknown>>

const call = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  Http.send(path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }
  })

/** The body of a successful response. */
const ok = (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  Effect.map(call(method, path, body, headers), ({ status, text }) => {
    assert.include([200, 201], status, `${method} ${path}: ${text}`)
    return JSON.parse(text)
  })

const email = { from: "Ada <ada@example.com>", to: "delivered@resend.dev", subject: "Hello", text: "Hi" }

const send = (more: Body = {}, headers?: Readonly<Record<string, string>>) =>
  Effect.map(ok("POST", "/emails", { ...email, ...more }, headers), ({ id }): string => id)

const get = (id: string) => ok("GET", `/emails/${id}`)

const ids = Effect.map(Http.page("/emails?limit=100"), ({ data }) => data.map(({ id }) => id))

/** The types of the events of an email, or of all, in order. */
const events = (id?: string) =>
  Effect.flatMap(Store, (store) =>
    Effect.map(
      store.lines("events", { from: "oldest", limit: 1000, about: id }),
      Array.map(({ fields }) => String(fields["type"]))
    ))

const key = (text: string) => ({ "idempotency-key": text })

describe.each(stores)("sending on %s", (_, store) => {
  const run = <A, E>(
    test: Effect.Effect<A, E, Server.TestServer | Store>,
    options: Omit<Server.TestOptions, "store"> = {}
  ) => Effect.provide(test, Server.layerTest({ ...options, store }))

  it.effect("accepts an email with everything that it has", () =>
    run(Effect.gen(function*() {
      const topic = yield* ok("POST", "/topics", { name: "News", default_subscription: "opt_in" })
      const more = {
        to: ["a@example.com", "B <b@example.com>"],
        cc: "c@example.com",
        bcc: ["d@example.com"],
        reply_to: "e@example.com",
        html: "<p>Hi</p>",
        tags: [{ name: "kind", value: "test" }],
        headers: { "x-entity": "1" },
        topic_id: topic.id
      }
      const id = yield* send(more, { "user-agent": "sender/1", ...key("k 1") })
      const sent = yield* get(id)
      assert.deepInclude(sent, {
        object: "email",
        id,
        to: more.to,
        cc: ["c@example.com"],
        bcc: ["d@example.com"],
        reply_to: ["e@example.com"],
        from: email.from,
        subject: "Hello",
        html: "<p>Hi</p>",
        text: "Hi",
        tags: more.tags,
        last_event: "delivered",
        scheduled_at: null,
        topic_id: topic.id
      })
      assert.deepStrictEqual(yield* events(id), ["email.sent", "email.delivered"])
      // Lists do not show the content.
      const [item] = (yield* Http.page("/emails")).data
      assert.doesNotHaveAnyKeys(item, ["html", "text", "tags", "headers", "request"])
      const stored = yield* Effect.flatMap(Store, (store) => store.get({ name: "emails" }, id))
      const keys = yield* Http.page("/api-keys")
      assert.deepStrictEqual(stored?.["request"], {
        method: "POST",
        path: "/emails",
        user_agent: "sender/1",
        api_key_id: keys.data[0]!.id,
        idempotency_key: "k 1"
      })
      assert.deepStrictEqual(stored?.["headers"], { "x-entity": "1" })
    })))

  it.effect("sends once for a key and the same bytes, until the key is forgotten", () =>
    run(Effect.gen(function*() {
      const first = yield* send({}, key("k"))
      assert.strictEqual(yield* send({}, key("k")), first)
      const refused = yield* call("POST", "/emails", { ...email, subject: "Other" }, key("k"))
      assertError(refused, 409, "invalid_idempotent_request")
      assert.match(refused.text, /same key and the same bytes/)
      // Other bytes are another payload, even if they mean the same.
      assertError(
        yield* call("POST", "/emails", JSON.stringify(email, null, 1), key("k")),
        409,
        "invalid_idempotent_request"
      )
      assertError(yield* call("POST", "/emails/batch", [email], key("k")), 409, "invalid_idempotent_request")
      assert.deepStrictEqual(yield* ids, [first])
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* send({}, key("k")), first)
      // Its use did not renew it.
      yield* TestClock.adjust("1 hour")
      const second = yield* send({ subject: "Other" }, key("k"))
      assert.deepStrictEqual(yield* ids, [second, first])
      yield* TestClock.adjust("25 hours")
      yield* send({}, key("l"))
      const kept = yield* Effect.flatMap(Store, (store) => store.lines("keys", { from: "oldest", limit: 10 }))
      assert.deepStrictEqual(kept.map(({ id }) => id), ["l"])
    })))

  it.effect("keeps keys as long as it is told", () =>
    run(
      Effect.gen(function*() {
        const first = yield* send({}, key("k"))
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(yield* send({}, key("k")), first)
        yield* TestClock.adjust("1 second")
        assert.notStrictEqual(yield* send({}, key("k")), first)
      }),
      { idempotencyWindow: "1 minute" }
    ))

  it.effect("leaves the key of a refused send unused", () =>
    run(Effect.gen(function*() {
      assertError(yield* call("POST", "/emails", { ...email, to: "nobody" }, key("k")), 422, "validation_error")
      const template = { from: email.from, to: email.to, subject: "x", template: { id: "none" } }
      assertError(yield* call("POST", "/emails", template, key("k")), 404, "not_found")
      assert.isString(yield* send({}, key("k")))
    })))

  it.effect("refuses keys that are none", () =>
    run(Effect.gen(function*() {
      for (const text of ["", "x".repeat(257), "ü"]) {
        assertError(yield* call("POST", "/emails", email, key(text)), 400, "invalid_idempotency_key")
        assertError(yield* call("POST", "/emails/batch", [email], key(text)), 400, "invalid_idempotency_key")
      }
      assert.isString(yield* send({}, key("x".repeat(256))))
    })))

  it.effect("sends all emails of a batch, or none", () =>
    run(Effect.gen(function*() {
      const batch = [email, { ...email, subject: "Second" }, { ...email, to: ["x@example.com", "y@example.com"] }]
      const sent = yield* ok("POST", "/emails/batch", batch, key("b"))
      assert.hasAllKeys(sent, ["data"])
      assert.deepStrictEqual(yield* ok("POST", "/emails/batch", batch, key("b")), sent)
      assert.deepStrictEqual(yield* ids, sent.data.map(({ id }: { readonly id: string }) => id).reverse())
      for (const wrong of [{ ...email, to: "nobody" }, { ...email, attachments: [{ content: "aGk=" }] }, {}]) {
        const refused = yield* call("POST", "/emails/batch", [email, wrong])
        assert.strictEqual(refused.status, 422)
        assert.match(JSON.parse(refused.text).message, /^Email at index 1: /)
      }
      const unknown = { from: email.from, to: email.to, subject: "x", template: { id: "none" } }
      const refused = yield* call("POST", "/emails/batch", [email, email, unknown])
      assertError(refused, 404, "not_found", "Email at index 2: Template not found")
      for (const wrong of [[], {}, Array.makeBy(101, () => email)]) {
        for (const mode of ["strict", "permissive"]) {
          assertError(
            yield* call("POST", "/emails/batch", wrong, { "x-batch-validation": mode }),
            422,
            "validation_error",
            "A batch must be an array of 1 to 100 emails."
          )
        }
      }
      assertError(yield* call("POST", "/emails/batch", [email], { "x-batch-validation": "x" }), 422, "validation_error")
      assert.strictEqual((yield* ids).length, 3)
    })))

  it.effect("sends what can be sent of a permissive batch", () =>
    run(Effect.gen(function*() {
      const permissive = { "x-batch-validation": "permissive" }
      const unknown = { from: email.from, to: email.to, subject: "x", template: { id: "none" } }
      const batch = [{ ...email, to: 1 }, email, unknown, { ...email, attachments: [] }, email, null]
      const sent = yield* ok("POST", "/emails/batch", batch, { ...permissive, ...key("p") })
      assert.deepStrictEqual(sent.errors.map(({ index }: { readonly index: number }) => index), [0, 2, 3, 5])
      assert.isTrue(sent.errors.every(({ message }: { readonly message: unknown }) => typeof message === "string"))
      assert.deepStrictEqual(yield* ids, [sent.data[1].id, sent.data[0].id])
      assert.deepStrictEqual(yield* ok("POST", "/emails/batch", batch, { ...permissive, ...key("p") }), sent)
      assert.deepStrictEqual((yield* ok("POST", "/emails/batch", [email], permissive)).errors, [])
      assert.deepStrictEqual((yield* ok("POST", "/emails/batch", [null], permissive)).data, [])
    })))

  it.effect("sends what is scheduled when its time has come", () =>
    run(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 18))
      const inWords = yield* send({ scheduled_at: "in 1 hour" })
      const absolute = yield* send({ scheduled_at: "2026-11-18T02:00:00Z" })
      const canceled = yield* send({ scheduled_at: "in 1 hour" })
      const past = yield* send({ scheduled_at: "2026-11-17T00:00:00Z" })
      assertError(yield* call("POST", "/emails", { ...email, scheduled_at: "2026-12-19" }), 422, "validation_error")
      assert.deepInclude(yield* get(inWords), { last_event: "scheduled", scheduled_at: "2026-11-18 01:00:00+00" })
      assert.deepInclude(yield* get(past), { last_event: "delivered" })
      yield* ok("POST", `/emails/${canceled}/cancel`)
      assert.deepStrictEqual(yield* events(inWords), ["email.scheduled"])
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(yield* get(inWords), { last_event: "delivered" })
      assert.deepInclude(yield* get(absolute), { last_event: "scheduled" })
      assert.deepInclude(yield* get(canceled), { last_event: "canceled" })
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(yield* get(absolute), { last_event: "delivered" })
      for (const id of [inWords, absolute]) {
        assert.deepStrictEqual(yield* events(id), ["email.scheduled", "email.sent", "email.delivered"])
      }
      assert.deepStrictEqual(yield* events(canceled), ["email.scheduled"])
    })))

  it.effect("leads test addresses to their events", () =>
    run(Effect.gen(function*() {
      const outcomes = {
        delivered: ["sent", "delivered"],
        bounced: ["sent", "bounced"],
        complained: ["sent", "delivered", "complained"],
        suppressed: ["suppressed"]
      }
      for (const [name, types] of Object.entries(outcomes)) {
        for (const to of [`${name}@resend.dev`, `X <${name}+label@Resend.dev>`]) {
          const id = yield* send({ to })
          assert.deepStrictEqual(yield* events(id), types.map((type) => `email.${type}`))
          assert.strictEqual((yield* get(id)).last_event, types.at(-1))
        }
      }
      const mixed = yield* send({ to: "a@example.com", cc: ["bounced@resend.dev"], bcc: "suppressed@resend.dev" })
      assert.deepStrictEqual(yield* events(mixed), [
        "email.sent",
        "email.delivered",
        "email.bounced",
        "email.suppressed"
      ])
    })))

  it.effect("sends nothing to those who are suppressed, or do not want the topic", () =>
    run(Effect.gen(function*() {
      yield* ok("POST", "/suppressions", { email: "Gone@example.com" })
      assert.deepStrictEqual(yield* events(yield* send({ to: "G <gone@EXAMPLE.com>" })), ["email.suppressed"])
      const wanted = yield* ok("POST", "/topics", { name: "In", default_subscription: "opt_in" })
      const unwanted = yield* ok("POST", "/topics", { name: "Out", default_subscription: "opt_out" })
      yield* ok("POST", "/contacts", {
        email: "no@example.com",
        topics: [{ id: wanted.id, subscription: "opt_out" }, { id: unwanted.id, subscription: "opt_in" }]
      })
      yield* ok("POST", "/contacts", { email: "never@example.com", unsubscribed: true })
      const last = (to: string, topic_id?: string) =>
        Effect.map(Effect.flatMap(send({ to, ...topic_id === undefined ? {} : { topic_id } }), get), (sent) =>
          sent.last_event)
      assert.strictEqual(yield* last("no@example.com", wanted.id), "failed")
      assert.strictEqual(yield* last("no@example.com", unwanted.id), "delivered")
      assert.strictEqual(yield* last("stranger@example.com", wanted.id), "delivered")
      assert.strictEqual(yield* last("stranger@example.com", unwanted.id), "failed")
      assert.strictEqual(yield* last("never@example.com", wanted.id), "failed")
      // Without a topic, it is no business of theirs.
      assert.strictEqual(yield* last("never@example.com"), "delivered")
      assertError(
        yield* call("POST", "/emails", { ...email, topic_id: "00000000-0000-4000-8000-000000000000" }),
        404,
        "not_found"
      )
    })))

  it.effect("sends published templates with their variables", () =>
    run(Effect.gen(function*() {
      const template = {
        name: "Welcome",
        alias: "welcome",
        from: "Team <team@example.com>",
        subject: "Welcome, {{{NAME}}}",
        html: "<p>{{{ NAME }}}: {{{SEATS}}} seats, {{{WHERE|here }}} {{{NAME}}}</p>",
        text: "{{{SEATS}}}",
        variables: [{ key: "NAME", type: "string", fallback_value: "you" }, { key: "SEATS", type: "number" }]
      }
      const { id } = yield* ok("POST", "/templates", template)
      const use = (variables: Body, of = "welcome") => ({ to: email.to, template: { id: of, variables } })
      assertError(yield* call("POST", "/emails", use({ SEATS: 1 })), 422, "validation_error")
      yield* ok("POST", `/templates/${id}/publish`)
      const sent = yield* Effect.map(ok("POST", "/emails", use({ SEATS: 3, NAME: "$& Ada" })), ({ id }) => id)
      assert.deepInclude(yield* get(sent), {
        from: template.from,
        subject: "Welcome, $& Ada",
        html: "<p>$& Ada: 3 seats, here $& Ada</p>",
        text: "3"
      })
      // What is edited is not sent before it is published.
      yield* ok("PATCH", `/templates/${id}`, { subject: "Changed" })
      const { id: byId } = yield* ok("POST", "/emails", { ...use({ SEATS: 0 }, id), from: email.from })
      assert.deepInclude(yield* get(byId), { from: email.from, subject: "Welcome, you" })
      for (const variables of [{}, { NAME: "x" }, { SEATS: "3" }, { SEATS: 3, NAME: 1 }]) {
        assertError(yield* call("POST", "/emails", use(variables)), 422, "validation_error")
      }
      const bare = yield* ok("POST", "/templates", { name: "Bare", html: "<p>{{{X}}}</p>" })
      yield* ok("POST", `/templates/${bare.id}/publish`)
      assertError(yield* call("POST", "/emails", use({ X: 1 }, bare.id)), 422, "missing_required_field")
      assertError(
        yield* call("POST", "/emails", { ...use({}, bare.id), from: email.from, subject: "x" }),
        422,
        "validation_error"
      )
    })))

  it.effect("guesses the type of an attachment from its filename, unless it is given", () =>
    run(Effect.gen(function*() {
      const types = [
        ["a.pdf", "application/pdf"],
        ["photo.of.me.JPG", "image/jpeg"],
        ["invite.ics", "text/calendar"],
        ["b.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
        ["logo.svg", "image/svg+xml"],
        ["pdf", "application/octet-stream"],
        [".constructor", "application/octet-stream"],
        ["c.unknown", "application/octet-stream"],
        ["d.pdf", "text/x-own"]
      ] as const
      const id = yield* send({
        attachments: types.map(([filename, content_type]) => ({
          filename,
          content: "",
          ...content_type === "text/x-own" ? { content_type } : {}
        }))
      })
      const { data } = yield* ok("GET", `/emails/${id}/attachments`)
      assert.deepStrictEqual(data.map((one: Body) => [one["filename"], one["content_type"]]).reverse(), types)
    })))

  it.effect("serves attachments by links that are signed and expire", () =>
    run(Effect.gen(function*() {
      const content = Buffer.from("<script>alert(1)</script>").toString("base64")
      const id = yield* send({
        attachments: [
          { filename: "a 'b'.html", content, content_type: "text/html" },
          { path: "https://example.com/files/report.pdf?x=1" },
          { content: "", content_id: "logo" }
        ]
      })
      const { data } = yield* ok("GET", `/emails/${id}/attachments`)
      assert.deepStrictEqual(
        data.map((one: Body) => [one["filename"], one["size"], one["content_disposition"], one["content_type"]])
          .reverse(),
        [
          ["a 'b'.html", 25, "attachment", "text/html"],
          ["report.pdf", null, "attachment", "application/pdf"],
          [null, 0, "inline", "application/octet-stream"]
        ]
      )
      assert.strictEqual(data[1].download_url, "https://example.com/files/report.pdf?x=1")
      const one = yield* ok("GET", `/emails/${id}/attachments/${data[2].id}`)
      const url = new URL(one.download_url)
      const download = (change: (url: URL) => void = () => {}) => {
        const changed = new URL(url)
        change(changed)
        return Http.send(`${changed.pathname}${changed.search}`, { key: "" })
      }
      const received = yield* download()
      assert.strictEqual(received.text, "<script>alert(1)</script>")
      assert.include(received.headers.get("content-disposition"), "attachment; filename*=UTF-8''a%20%27b%27.html")
      assert.include(received.headers.get("content-security-policy"), "sandbox")
      assertError(yield* download((url) => url.searchParams.delete("signature")), 403, "validation_error")
      assertError(yield* download((url) => url.searchParams.set("signature", "")), 403, "validation_error")
      assertError(yield* download((url) => url.searchParams.set("expires", "9999999999999")), 403, "validation_error")
      assertError(yield* download((url) => url.pathname = url.pathname.replace(id, `${id}x`)), 403, "validation_error")
      assertError(
        yield* download((url) => url.pathname = url.pathname.replace("default", "other")),
        403,
        "validation_error"
      )
      yield* TestClock.adjust("61 minutes")
      assertError(yield* download(), 403, "validation_error")
      const again = yield* ok("GET", `/emails/${id}/attachments/${data[2].id}`)
      assert.isAbove(Date.parse(again.expires_at), Date.parse(one.expires_at))
      const fresh = new URL(again.download_url)
      assert.strictEqual((yield* Http.send(`${fresh.pathname}${fresh.search}`, { key: "" })).status, 200)
    })))

  it.effect("refuses attachments that cannot be sent, and takes large ones", () =>
    run(Effect.gen(function*() {
      for (const wrong of [{ content: "not base64!" }, {}, { content: "aGk=", path: "https://example.com" }]) {
        assertError(yield* call("POST", "/emails", { ...email, attachments: [wrong] }), 422, "invalid_attachment")
      }
      const id = yield* send({ attachments: [{ filename: "x.bin", content: "A".repeat(4 * 1024 * 1024) }] })
      const { data } = yield* ok("GET", `/emails/${id}/attachments`)
      assert.strictEqual(data[0].size, 3 * 1024 * 1024)
    })))

  it.effect("refuses what is beyond a quota, and counts recipients", () =>
    run(
      Effect.gen(function*() {
        yield* TestClock.setTime(Date.UTC(2026, 10, 18, 12))
        yield* send({ to: ["a@example.com", "b@example.com"] }, key("k"))
        assertError(
          yield* call("POST", "/emails/batch", [email, email]),
          403,
          "email_above_quota",
          "This is for 2 recipients, and your daily email quota has 1 left."
        )
        yield* send()
        assertError(yield* call("POST", "/emails", email), 429, "daily_quota_exceeded")
        // A repetition sends nothing.
        yield* send({ to: ["a@example.com", "b@example.com"] }, key("k"))
        yield* TestClock.adjust("12 hours")
        yield* send({ to: ["a@example.com", "b@example.com"] })
        assertError(yield* call("POST", "/emails", email), 429, "monthly_quota_exceeded")
        yield* TestClock.adjust("13 days")
        yield* send()
        assert.strictEqual((yield* ids).length, 4)
      }),
      { quota: { daily: 3, monthly: 5 } }
    ))

  it.effect("forgets events that are old or too many", () =>
    run(
      Effect.gen(function*() {
        const first = yield* send()
        yield* TestClock.adjust("2 hours")
        yield* send()
        assert.deepStrictEqual(yield* events(first), [])
        assert.strictEqual((yield* events()).length, 2)
        for (const _ of Array.range(1, 5)) yield* send()
        assert.strictEqual((yield* events()).length, 4)
      }),
      { events: { maxAge: "1 hour", maxCount: 4 } }
    ))

  it.effect("records what happens to contacts, domains, topics and suppressions", () =>
    run(Effect.gen(function*() {
      const contact = yield* ok("POST", "/contacts", { email: "ada@example.com" })
      yield* ok("POST", "/contacts", { email: "ADA@example.com" })
      yield* ok("PATCH", `/contacts/${contact.id}`, { first_name: "Ada" })
      yield* ok("DELETE", `/contacts/${contact.id}`)
      yield* ok("DELETE", `/contacts/${contact.id}`)
      const domain = yield* ok("POST", "/domains", { name: "example.com" })
      yield* ok("POST", `/domains/${domain.id}/verify`)
      yield* TestClock.adjust("5 seconds")
      yield* ok("GET", `/domains/${domain.id}`)
      yield* ok("POST", "/suppressions/batch/add", { emails: ["x@example.com"] })
      yield* ok("POST", "/suppressions/batch/remove", { emails: ["x@example.com"] })
      assert.deepStrictEqual(yield* events(), [
        "contact.created",
        "contact.updated",
        "contact.deleted",
        "domain.created",
        "domain.updated",
        "suppression.added",
        "suppression.removed"
      ])
    })))

  it.effect("accepts each of many concurrent sends once for its key", () =>
    Effect.gen(function*() {
      const keys = Array.makeBy(5, (index) => `key-${index}`)
      const attempts = yield* Effect.forEach(
        Array.makeBy(40, (index) => keys[index % keys.length]!),
        (text) => call("POST", "/emails", { ...email, subject: text }, key(text)),
        { concurrency: 40 }
      )
      for (const { status, text } of attempts) {
        if (status === 409) assert.include(text, "concurrent_idempotent_requests")
        else assert.strictEqual(status, 200, text)
      }
      assert.strictEqual((yield* ids).length, keys.length)
      const accepted = new Set(attempts.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).id))
      assert.strictEqual(accepted.size, keys.length)
    }).pipe(run))
})

/** What a client may do: send a content with a key or without, and move the clock. */
const step = fc.oneof(
  fc.record({ key: fc.constantFrom(undefined, "a", "b"), subject: fc.constantFrom("1", "2") }),
  fc.record({ hours: fc.integer({ min: 1, max: 20 }) })
)

it.effect("a key stands for its first accepted content, for a day", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
        Effect.runPromise(
          Effect.gen(function*() {
            const known = new Map<string, { readonly subject: string; readonly at: number; readonly id: string }>()
            let [hours, count] = [0, 0]
            for (const one of steps) {
              if ("hours" in one) {
                hours += one.hours
                yield* TestClock.adjust(`${one.hours} hours`)
                continue
              }
              const { status, text } = yield* call(
                "POST",
                "/emails",
                { ...email, subject: one.subject },
                one.key === undefined ? {} : key(one.key)
              )
              const before = one.key === undefined ? undefined : known.get(one.key)
              const isKnown = before !== undefined && hours - before.at < 24
              assert.strictEqual(status, isKnown && before.subject !== one.subject ? 409 : 200)
              if (isKnown) {
                if (status === 200) assert.strictEqual(JSON.parse(text).id, before.id)
                continue
              }
              count++
              if (one.key !== undefined) {
                known.set(one.key, { subject: one.subject, at: hours, id: JSON.parse(text).id })
              }
            }
            assert.strictEqual((yield* ids).length, count)
          }).pipe(Effect.provide(Layer.provideMerge(Server.layerTest(), TestContext.TestContext)))
        )),
      { numRuns: 25 }
    )
  ))
