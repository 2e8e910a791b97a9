import { assert, describe, layer } from "@effect/vitest"
import { type Operation, Operations, Resource } from "@mailstream/core"
import { Server, type Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Arbitrary, Effect, FastCheck as fc, Layer, Schema } from "effect"
import * as Http from "./support/http.ts"
import { assertError, type Received } from "./support/http.ts"
import { stores } from "./support/stores.ts"

type Body = Readonly<Record<string, unknown>>

const never = "00000000-0000-4000-8000-000000000000"

let count = 0

/** A new name in every test. */
const fresh = (): string => `n${++count}_${never.slice(0, 4)}`

const call = (method: string, path: string, body?: unknown, key?: string) =>
  Http.send(path, {
    method,
    key,
    ...body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  })

/** The body of a successful response. */
const ok = (method: string, path: string, body?: unknown, key?: string) =>
  Effect.map(call(method, path, body, key), ({ status, text }) => {
    assert.include([200, 201], status, `${method} ${path}: ${text}`)
    return JSON.parse(text)
  })

const refused = (response: Received, message?: string) => assertError(response, 422, "validation_error", message)

/** What objects are created with, and what is changed of them. */
interface Example {
  readonly create: () => Effect.Effect<Body, never, Server.TestServer>
  readonly update?: Body
}

const segment = Effect.map(ok("POST", "/segments", { name: "Beta" }), ({ id }): string => id)

const contact = (email: string, more: Body = {}) =>
  Effect.map(ok("POST", "/contacts", { email, ...more }), ({ id }): string => id)

const example = (create: () => Body, update?: Body): Example => ({
  create: () => Effect.sync(create),
  ...update === undefined ? {} : { update }
})

const examples: { readonly [list: string]: Example } = {
  domains: example(() => ({ name: `${fresh()}.example` }), { open_tracking: true }),
  "api-keys": example(() => ({ name: fresh() }), { name: "Renamed" }),
  broadcasts: {
    create: () =>
      Effect.map(segment, (segment_id) => ({ segment_id, from: "a@example.com", subject: "Hi", html: "<p>Hi</p>" })),
    update: { subject: "Hello", preview_text: "…" }
  },
  segments: example(() => ({ name: fresh() }), { name: "Renamed" }),
  contacts: example(() => ({ email: `${fresh()}@example.com`, first_name: "Ada" }), {
    first_name: null,
    unsubscribed: true
  }),
  templates: example(() => ({ name: fresh(), html: "<p>Hi</p>", alias: fresh() }), { subject: "Hello", alias: null }),
  topics: example(() => ({ name: fresh(), default_subscription: "opt_in" }), { description: "New" }),
  "contact-properties": example(() => ({ key: fresh(), type: "string" }), { fallback_value: "none" }),
  suppressions: example(() => ({ email: `${fresh()}@example.com` })),
  webhooks: example(() => ({ endpoint: "https://example.com", events: ["email.sent"] }), { status: "disabled" })
}

/** What the schema of an operation makes, for objects that need nothing else to exist. */
const generated = ({ payload }: Operation.Any): Example =>
  example(() => fc.sample(Arbitrary.make(payload!), { seed: 1, numRuns: 1 })[0] as Body)

const creatable = Resource.all.filter(({ name }) => Operations.all[name]?.["create"] !== undefined)

const decode = ({ success }: Operation.Any, body: unknown) => Schema.decodeUnknownSync(success)(body)

const server = (store: Layer.Layer<Store>) =>
  Server.layerTest({ store: Layer.provideMerge(SampleData.layer({ emails: 30, receivedEmails: 5 }), store) })
    .pipe(Layer.orDie)

describe.each(stores)("objects on %s", (_, store) => {
  layer(server(store), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    describe.each(creatable.map((resource) => [resource.name, resource] as const))("%s", (name, resource) => {
      const table = Operations.all[name]!
      const { create, update } = examples[name] ?? generated(table["create"]!)
      const pathOf = (id: string) => `${resource.path}/${id}`
      const listed = (id: string) =>
        Effect.map(
          Http.page(`${resource.path}?limit=100`),
          ({ data }) => data.find((item) => item.id === id) as Body | undefined
        )

      it.effect("live from their creation to their removal", () =>
        Effect.gen(function*() {
          const input = yield* create()
          const response = yield* call("POST", resource.path, input)
          assert.strictEqual(response.status, table["create"]!.status, response.text)
          const created = JSON.parse(response.text)
          decode(table["create"]!, created)
          const id: string = created.id
          const first = yield* listed(id)
          assert.isDefined(first)
          Schema.decodeUnknownSync(resource.item as Schema.Schema.AnyNoContext)(first)
          if (table["get"] !== undefined) {
            const got = yield* ok("GET", pathOf(id))
            decode(table["get"], got)
            assert.deepInclude(got, { ...first, ...input })
          }
          if (table["update"] !== undefined) {
            assert.strictEqual((yield* ok("PATCH", pathOf(id), update)).id, id)
            if (table["get"] !== undefined) assert.deepInclude(yield* ok("GET", pathOf(id)), { ...input, ...update })
            assert.deepInclude(
              { ...input, ...update },
              Object.fromEntries(Object.entries((yield* listed(id))!).filter(([field]) => field in update!))
            )
          }
          const gone = yield* ok("DELETE", pathOf(id))
          decode(table["remove"]!, gone)
          assert.isTrue(gone.deleted)
          assert.isUndefined(yield* listed(id))
          if (table["get"] !== undefined) assertError(yield* call("GET", pathOf(id)), 404, "not_found")
          if (table["update"] !== undefined) assertError(yield* call("PATCH", pathOf(id), update), 404, "not_found")
          const again = yield* call("DELETE", pathOf(id))
          if (name === "contacts" || name === "segments") assert.strictEqual(again.status, 200)
          else assertError(again, 404, "not_found")
        }))

      it.effect("show in their list what an item of it has, and nothing else", () =>
        Effect.gen(function*() {
          const { id } = yield* ok("POST", resource.path, yield* create())
          const fields = new Set(Object.keys((resource.item as unknown as { readonly fields: object }).fields))
          for (const field of Object.keys((yield* listed(id))!)) assert.isTrue(fields.has(field), field)
        }))

      it.effect("are created newest first, stay where they are when they change, and leave a cursor behind", () =>
        Effect.gen(function*() {
          const ids: Array<string> = []
          for (let i = 0; i < 3; i++) ids.unshift((yield* ok("POST", resource.path, yield* create())).id)
          const top = Effect.map(Http.page(`${resource.path}?limit=3`), ({ data }) => data.map(({ id }) => id))
          assert.deepStrictEqual(yield* top, ids)
          if (update !== undefined) yield* ok("PATCH", pathOf(ids[1]!), update)
          assert.deepStrictEqual(yield* top, ids)
          yield* ok("DELETE", pathOf(ids[1]!))
          const after = yield* Http.page(`${resource.path}?limit=1&after=${ids[1]}`)
          assert.deepStrictEqual(after.data.map(({ id }) => id), [ids[2]])
        }))

      it.effect("are removed once by two requests at the same time, and answered alike", () =>
        Effect.gen(function*() {
          const { id } = yield* ok("POST", resource.path, yield* create())
          const statuses = yield* Effect.all([call("DELETE", pathOf(id)), call("DELETE", pathOf(id))], {
            concurrency: "unbounded"
          })
          const second = name === "contacts" || name === "segments" ? 200 : 404
          assert.deepStrictEqual(statuses.map(({ status }) => status).sort(), [200, second].sort())
        }))

      if (update !== undefined) {
        it.effect("lose no field when many change them at the same time", () =>
          Effect.gen(function*() {
            const { id } = yield* ok("POST", resource.path, yield* create())
            yield* Effect.forEach(
              Object.entries(update),
              ([field, value]) => ok("PATCH", pathOf(id), { [field]: value }),
              { concurrency: "unbounded" }
            )
            const now = table["get"] === undefined ? yield* listed(id) : yield* ok("GET", pathOf(id))
            assert.deepInclude(now, update)
          }))
      }
    })

    it.effect("one contact comes of two creations of the same address at the same time", () =>
      Effect.gen(function*() {
        const email = `${fresh()}@example.com`
        const ids = yield* Effect.forEach(
          [email, email.toUpperCase(), email],
          (email) => contact(email),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(ids).size, 1)
        yield* contact(email, { first_name: "Other" })
        assert.isNull((yield* ok("GET", `/contacts/${encodeURIComponent(email)}`)).first_name)
        assert.strictEqual((yield* ok("DELETE", `/contacts/${encodeURIComponent(email)}`)).contact, ids[0])
        assert.notStrictEqual(yield* contact(email), ids[0])
      }))

    it.effect("contacts join and leave segments, which outlive neither", () =>
      Effect.gen(function*() {
        const [first, second] = [yield* segment, yield* segment]
        const email = `${fresh()}@example.com`
        const id = yield* contact(email, { segments: [{ id: first }] })
        const segmentsOf = (ref: string) =>
          Effect.map(Http.page(`/contacts/${ref}/segments`), ({ data }) => data.map(({ id }) => id))
        assert.deepStrictEqual(yield* segmentsOf(id), [first])
        yield* ok("POST", `/contacts/${encodeURIComponent(email)}/segments/${second}`)
        yield* ok("POST", `/contacts/${id}/segments/${second}`)
        assert.deepStrictEqual(yield* segmentsOf(encodeURIComponent(email)), [second, first])
        const { data, has_more } = yield* Http.page(`/contacts/${id}/segments?limit=1`)
        assert.deepStrictEqual([data.map(({ id }) => id), has_more], [[second], true])
        assert.deepStrictEqual(
          (yield* Http.page(`/contacts/${id}/segments?limit=1&after=${second}`)).data.map(({ id }) => id),
          [first]
        )
        yield* ok("DELETE", `/contacts/${id}/segments/${first}`)
        assert.deepStrictEqual(yield* segmentsOf(id), [second])
        assertError(yield* call("POST", `/contacts/${id}/segments/${never}`), 404, "not_found", "Audience not found")
        assertError(yield* call("GET", `/segments/${never}`), 404, "not_found", "Audience not found")
        yield* ok("DELETE", `/segments/${second}`)
        assert.deepStrictEqual(yield* segmentsOf(id), [])
        yield* ok("POST", `/contacts/${id}/segments/${first}`)
        yield* ok("DELETE", `/contacts/${id}`)
        assert.deepStrictEqual((yield* Http.page(`/segments/${first}/contacts`)).data, [])
        assertError(yield* call("GET", `/contacts/${id}/segments`), 404, "not_found")
        for (const list of ["segments", "topics"]) {
          assertError(yield* call("GET", `/contacts/${encodeURIComponent(email)}/${list}`), 404, "not_found")
          refused(
            yield* call("GET", `/contacts/nobody/${list}`),
            "The filter `contact_id` must be the id of one contact, or `{ email }`."
          )
        }
      }))

    it.effect("contacts have every topic, with their own subscription or its default", () =>
      Effect.gen(function*() {
        const topic = (default_subscription: string) =>
          Effect.map(ok("POST", "/topics", { name: fresh(), default_subscription }), ({ id }): string => id)
        const [news, offers] = [yield* topic("opt_in"), yield* topic("opt_out")]
        const id = yield* contact(`${fresh()}@example.com`)
        const subscriptions = Effect.map(Http.page(`/contacts/${id}/topics?limit=2`), ({ data }) =>
          data.map((item) => [item.id, (item as Body)["subscription"]]))
        assert.deepStrictEqual(yield* subscriptions, [[offers, "opt_out"], [news, "opt_in"]])
        yield* ok("PATCH", `/contacts/${id}/topics`, [{ id: offers, subscription: "opt_in" }])
        assert.deepStrictEqual(yield* subscriptions, [[offers, "opt_in"], [news, "opt_in"]])
        assertError(
          yield* call("PATCH", `/contacts/${id}/topics`, [{ id: never, subscription: "opt_in" }]),
          404,
          "not_found"
        )
        yield* ok("DELETE", `/topics/${offers}`)
        assert.deepStrictEqual((yield* subscriptions)[0], [news, "opt_in"])
        yield* ok("DELETE", `/topics/${news}`)
      }))

    it.effect("contact properties take their values along", () =>
      Effect.gen(function*() {
        const key = fresh()
        const property = yield* ok("POST", "/contact-properties", { key, type: "number" })
        const id = yield* contact(`${fresh()}@example.com`, { properties: { [key]: 1 } })
        const properties = Effect.map(ok("GET", `/contacts/${id}`), (contact) => contact.properties)
        assert.deepStrictEqual(yield* properties, { [key]: { type: "number", value: 1 } })
        refused(yield* call("PATCH", `/contacts/${id}`, { properties: { [key]: "one" } }))
        refused(yield* call("PATCH", `/contacts/${id}`, { properties: { unknown: 1 } }))
        refused(yield* call("POST", "/contact-properties", { key, type: "string" }))
        yield* ok("PATCH", `/contacts/${id}`, { properties: { [key]: null } })
        assert.deepStrictEqual(yield* properties, {})
        yield* ok("PATCH", `/contacts/${id}`, { properties: { [key]: 2 } })
        yield* ok("DELETE", `/contact-properties/${property.id}`)
        yield* ok("POST", "/contact-properties", { key, type: "number" })
        assert.deepStrictEqual(yield* properties, {})
      }))

    it.effect("broadcasts are drafts, then queued, then sent to those who want them", () =>
      Effect.gen(function*() {
        const segment_id = yield* segment
        const name = fresh()
        for (const who of ["a", "b", "suppressed"]) {
          yield* contact(`${who}.${name}@example.com`, { segments: [{ id: segment_id }] })
        }
        yield* contact(`no.${name}@example.com`, { segments: [{ id: segment_id }], unsubscribed: true })
        yield* ok("POST", "/suppressions", { email: `suppressed.${name}@example.com` })
        const input = { segment_id, from: "a@example.com", subject: "Hi", html: "<p>Hi</p>" }
        const { id } = yield* ok("POST", "/broadcasts", input)
        const status = Effect.map(ok("GET", `/broadcasts/${id}`), ({ status }) => status)
        assert.strictEqual(yield* status, "draft")
        const sends = yield* Effect.all(
          [call("POST", `/broadcasts/${id}/send`), call("POST", `/broadcasts/${id}/send`, {})],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(sends.map(({ status }) => status).sort(), [200, 422])
        assert.strictEqual(yield* status, "queued")
        assert.strictEqual(yield* status, "sent")
        const recipients = (query: string) =>
          Effect.map(Http.page(`/broadcasts/${id}/recipients?${query}`), ({ data }) =>
            data.map((item) => String((item as Body)["email"]).split(".")[0]))
        assert.deepStrictEqual(yield* recipients("type=sent"), ["b", "a"])
        assert.deepStrictEqual(yield* recipients("type=delivered&limit=1"), ["b"])
        assert.deepStrictEqual(yield* recipients(`type=sent&email=a.${name}@example.com`), ["a"])
        assert.deepStrictEqual(yield* recipients("type=suppressed"), ["suppressed"])
        assert.deepStrictEqual(yield* recipients("type=opened"), [])
        assertError(
          yield* call("GET", `/broadcasts/${id}/recipients`),
          422,
          "missing_required_parameter",
          "Missing `type` parameter."
        )
        refused(yield* call("PATCH", `/broadcasts/${id}`, { subject: "x" }))
        refused(yield* call("POST", `/broadcasts/${id}/cancel`))
        refused(yield* call("DELETE", `/broadcasts/${id}`))
        const copy = yield* ok("POST", `/broadcasts/${id}/duplicate`)
        assert.include(yield* ok("GET", `/broadcasts/${copy.id}`), {
          status: "draft",
          sent_at: null,
          html: "<p>Hi</p>"
        })
      }))

    it.effect("broadcasts that are queued or scheduled can be canceled once", () =>
      Effect.gen(function*() {
        const input = { segment_id: yield* segment, from: "a@example.com", subject: "Hi", text: "Hi" }
        const queued = yield* ok("POST", "/broadcasts", { ...input, send: true })
        yield* ok("POST", `/broadcasts/${queued.id}/cancel`)
        refused(yield* call("POST", `/broadcasts/${queued.id}/cancel`))
        assert.strictEqual((yield* ok("GET", `/broadcasts/${queued.id}`)).status, "canceled")
        const { id } = yield* ok("POST", "/broadcasts", { ...input, send: true, scheduled_at: "in 1 hour" })
        const scheduled = yield* ok("GET", `/broadcasts/${id}`)
        assert.strictEqual(scheduled.status, "scheduled")
        assert.strictEqual((yield* ok("GET", `/broadcasts/${id}`)).status, "scheduled")
        yield* ok("POST", `/broadcasts/${id}/cancel`)
        assert.include(yield* ok("GET", `/broadcasts/${id}`), { status: "draft", scheduled_at: null })
        refused(yield* call("POST", `/broadcasts/${id}/send`, { scheduled_at: "tomorrow, maybe" }))
        refused(yield* call("POST", `/broadcasts/${id}/send`, { scheduled_at: "in 31 days" }))
        yield* ok("POST", `/broadcasts/${id}/send`, { scheduled_at: "2020-01-01T00:00:00Z" })
        assert.include(yield* ok("GET", `/broadcasts/${id}`), { status: "sent", sent_at: "2020-01-01 00:00:00+00" })
      }))

    it.effect("templates keep what is published beside a draft", () =>
      Effect.gen(function*() {
        const alias = fresh()
        const { id } = yield* ok("POST", "/templates", { name: "Hi", html: "<p>1</p>", alias })
        refused(yield* call("POST", "/templates", { name: "Hi", html: "<p>1</p>", alias }))
        assert.include(yield* ok("GET", `/templates/${alias}`), { id, status: "draft", has_unpublished_versions: true })
        const published = yield* Effect.all(
          [call("POST", `/templates/${alias}/publish`), call("POST", `/templates/${id}/publish`)],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(published.map(({ status }) => status).sort(), [200, 422])
        assert.include(yield* ok("GET", `/templates/${id}`), { status: "published", has_unpublished_versions: false })
        yield* ok("PATCH", `/templates/${alias}`, { html: "<p>2</p>" })
        assert.include(yield* ok("GET", `/templates/${id}`), {
          status: "published",
          has_unpublished_versions: true,
          html: "<p>2</p>"
        })
        yield* ok("POST", `/templates/${id}/publish`)
        const copy = yield* ok("POST", `/templates/${alias}/duplicate`)
        assert.include(yield* ok("GET", `/templates/${copy.id}`), { status: "draft", alias: null, html: "<p>2</p>" })
      }))

    it.effect("domains have the name of a domain, and no two the same", () =>
      Effect.gen(function*() {
        const create = (name: string) => call("POST", "/domains", { name })
        const message = "The `name` field must be the name of a domain, such as `example.com`."
        const long = `${"a".repeat(64)}.example`
        const tooLong = `${"a.".repeat(125)}example`
        const odd = [
          "http://x",
          "https://a.example",
          "a.example/",
          "a.example:25",
          "me@a.example",
          "127.0.0.1",
          "[::1]"
        ]
        const dots = [".", "a", "localhost", "a.", ".a.example", "a..example", "a.example."]
        for (
          const name of [
            ...odd,
            ...dots,
            "a b",
            "a b.example",
            "a.example\n",
            "a\0.example",
            "-a.example",
            long,
            tooLong
          ]
        ) {
          refused(yield* create(name), message)
        }
        const name = `${fresh()}.Example`
        for (const other of [name, `mail.${name}`, `bücher-${name}`, `xn--bcher-kva.${name}`]) {
          assert.strictEqual((yield* create(other)).status, 201)
        }
        for (const same of [name, name.toLowerCase(), name.toUpperCase()]) {
          const registered = `The \`${same}\` domain has been registered already.`
          assertError(yield* create(same), 403, "validation_error", registered)
        }
        const again = `${fresh()}.example`
        const statuses = Effect.all([create(again), create(again), create(again)], { concurrency: "unbounded" })
        assert.deepStrictEqual((yield* statuses).map(({ status }) => status).sort(), [201, 403, 403])
        const { id } = yield* ok("POST", "/domains", { name: `${fresh()}.example` })
        yield* ok("PATCH", `/domains/${id}`, { open_tracking: true })
        const removed = (yield* Http.page("/domains?limit=100")).data.find((domain) =>
          (domain as unknown as Body)["name"] === again
        )
        yield* ok("DELETE", `/domains/${removed!.id}`)
        assert.strictEqual((yield* create(again)).status, 201)
      }))

    it.effect("webhooks have a URL as their endpoint", () =>
      Effect.gen(function*() {
        const message = "The `endpoint` field must be a URL, such as `https://example.com/hook`."
        const { id } = yield* ok("POST", "/webhooks", {
          endpoint: "http://localhost:3000/hook",
          events: ["email.sent"]
        })
        for (
          const endpoint of ["a", "example.com", "/hook", "https://", "ftp://example.com", "javascript:alert(1)"]
        ) {
          refused(yield* call("POST", "/webhooks", { endpoint, events: ["email.sent"] }), message)
          refused(yield* call("PATCH", `/webhooks/${id}`, { endpoint }), message)
        }
        assert.strictEqual((yield* ok("GET", `/webhooks/${id}`)).endpoint, "http://localhost:3000/hook")
      }))

    it.effect("other names can be used again, because nothing is found by them", () =>
      Effect.gen(function*() {
        const endpoint = "https://example.com/again"
        for (let i = 0; i < 2; i++) {
          yield* ok("POST", "/api-keys", { name: "Again" })
          yield* ok("POST", "/segments", { name: "Again" })
          yield* ok("POST", "/topics", { name: "Again", default_subscription: "opt_in" })
          yield* ok("POST", "/templates", { name: "Again", html: "<p>Hi</p>" })
          yield* ok("POST", "/webhooks", { endpoint, events: ["email.sent"] })
        }
      }))

    it.effect("domains are pending, then verified", () =>
      Effect.gen(function*() {
        const { id, records } = yield* ok("POST", "/domains", { name: `${fresh()}.example` })
        assert.isNotEmpty(records)
        const status = Effect.map(ok("GET", `/domains/${id}`), ({ records, status }) => {
          for (const record of records) assert.strictEqual(record.status, status)
          return status
        })
        assert.strictEqual(yield* status, "not_started")
        yield* ok("POST", `/domains/${id}/verify`)
        assert.strictEqual(yield* status, "pending")
        assert.strictEqual(yield* status, "verified")
        yield* ok("POST", `/domains/${id}/verify`)
        assert.strictEqual(yield* status, "verified")
        yield* ok("PATCH", `/domains/${id}`, { capabilities: { receiving: "enabled" } })
        assert.deepStrictEqual((yield* ok("GET", `/domains/${id}`)).capabilities, {
          sending: "enabled",
          receiving: "enabled"
        })
      }))

    it.effect("API keys work at once, as far as they may, and stop when they are removed", () =>
      Effect.gen(function*() {
        const { id, token } = yield* ok("POST", "/api-keys", { name: "CI" })
        const key = `Bearer ${token}`
        yield* ok("GET", "/topics", undefined, key)
        assert.notInclude((yield* Http.send("/api-keys")).text, token)
        const sending = yield* ok("POST", "/api-keys", { name: "Send", permission: "sending_access" })
        for (
          const [method, path] of [["GET", "/topics"], ["POST", "/segments"], ["DELETE", `/api-keys/${id}`]] as const
        ) {
          assertError(yield* call(method, path, undefined, `Bearer ${sending.token}`), 401, "restricted_api_key")
        }
        yield* ok("PATCH", `/api-keys/${id}`, { name: "Renamed" }, key)
        yield* ok("GET", "/topics", undefined, key)
        yield* ok("DELETE", `/api-keys/${id}`, undefined, key)
        assertError(yield* call("GET", "/topics", undefined, key), 403, "invalid_api_key")
      }))

    it.effect("emails that are scheduled can be rescheduled, and canceled once", () =>
      Effect.gen(function*() {
        const emails = (yield* Http.page("/emails?limit=100")).data as ReadonlyArray<Body>
        const { id } = emails.find(({ last_event }) => last_event === "scheduled")!
        const other = emails.find(({ last_event }) => last_event === "delivered")!
        yield* ok("PATCH", `/emails/${id}`, { scheduled_at: "2020-01-01T00:00:00Z" })
        assert.strictEqual((yield* ok("GET", `/emails/${id}`)).last_event, "delivered")
        refused(yield* call("POST", `/emails/${id}/cancel`))
        refused(yield* call("PATCH", `/emails/${other["id"]}`, { scheduled_at: "in 1 min" }))
        const next = emails.find((email) => email["last_event"] === "scheduled" && email["id"] !== id)!
        yield* ok("PATCH", `/emails/${next["id"]}`, { scheduled_at: "in 1 hour" })
        const cancels = yield* Effect.all(
          [call("POST", `/emails/${next["id"]}/cancel`), call("POST", `/emails/${next["id"]}/cancel`)],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(cancels.map(({ status }) => status).sort(), [200, 422])
        const canceled = yield* ok("GET", `/emails/${next["id"]}`)
        assert.strictEqual(canceled.last_event, "canceled")
        assert.isString(canceled.html)
      }))

    it.effect("emails have attachments", () =>
      Effect.gen(function*() {
        for (const list of ["/emails", "/emails/receiving"]) {
          let found = 0
          for (const { id } of (yield* Http.page(`${list}?limit=100`)).data) {
            for (const attachment of (yield* Http.page(`${list}/${id}/attachments`)).data) {
              found++
              assert.deepInclude(yield* ok("GET", `${list}/${id}/attachments/${attachment.id}`), attachment)
              assertError(yield* call("GET", `${list}/${never}/attachments/${attachment.id}`), 404, "not_found")
            }
          }
          assert.isAbove(found, 0)
        }
        const [{ id } = { id: "" }] = (yield* Http.page("/emails/receiving?limit=1")).data
        assert.isString((yield* ok("GET", `/emails/receiving/${id}`)).raw.download_url)
      }))

    it.effect("suppressions are one for each address, and are listed by origin", () =>
      Effect.gen(function*() {
        const emails = ["a", "b"].map((who) => `${who}.${fresh()}@example.com`)
        const { data } = yield* ok("POST", "/suppressions/batch/add", { emails: [...emails, emails[0]] })
        assert.strictEqual(data.length, 3)
        assert.strictEqual(data[0].id, data[2].id)
        const ids = yield* Effect.forEach(
          [emails[0]!, emails[0]!.toUpperCase()],
          (email) => ok("POST", "/suppressions", { email }),
          { concurrency: "unbounded" }
        )
        for (const { id } of ids) assert.strictEqual(id, data[0].id)
        assert.deepStrictEqual(
          (yield* Http.page("/suppressions?origin=manual&limit=2")).data.map(({ id }) => id),
          [data[1].id, data[0].id]
        )
        assert.deepStrictEqual((yield* Http.page("/suppressions?origin=bounce")).data, [])
        const removed = yield* ok("POST", "/suppressions/batch/remove", { emails })
        assert.strictEqual(removed.data.length, 2)
        assertError(yield* call("GET", `/suppressions/${encodeURIComponent(emails[0]!)}`), 404, "not_found")
      }))

    it.effect("take characters that PostgreSQL does not know", () =>
      Effect.gen(function*() {
        const { id } = yield* ok("POST", "/templates", { name: "\0x", html: "\0", alias: `\0${fresh()}` })
        assert.strictEqual((yield* ok("GET", `/templates/${id}`)).html, "\0")
        assertError(yield* call("GET", "/templates/%00"), 404, "not_found")
        assertError(yield* call("DELETE", "/contacts/%00/segments/%00"), 404, "not_found")
        assert.deepStrictEqual((yield* Http.page("/suppressions?origin=%00")).data, [])
        refused(yield* call("POST", "/suppressions", { email: "\0@example.com" }))
      }))

    it.effect("refuse a blank text where one is needed", () =>
      Effect.gen(function*() {
        const { id } = yield* ok("POST", "/segments", { name: "All" })
        for (
          const [method, path, field, rest] of [
            ["POST", "/segments", "name", {}],
            ["PATCH", `/segments/${id}`, "name", {}],
            ["POST", "/domains", "name", {}],
            ["POST", "/templates", "name", { html: "<p>Hello</p>" }],
            ["POST", "/webhooks", "endpoint", { events: ["email.sent"] }],
            ["POST", "/broadcasts", "subject", { segment_id: id, from: "a@b.c", text: "Hello" }]
          ] as const
        ) {
          for (const blank of ["", " "]) {
            refused(
              yield* call(method, path, { ...rest, [field]: blank }),
              `The \`${field}\` field must not be blank.`
            )
          }
        }
        assert.strictEqual((yield* ok("GET", `/segments/${id}`)).name, "All")
      }))

    it.effect("webhooks have a secret that can be replaced", () =>
      Effect.gen(function*() {
        const { id, signing_secret } = yield* ok("POST", "/webhooks", {
          endpoint: "https://example.com",
          events: ["email.sent"]
        })
        assert.match(signing_secret, /^whsec_[A-Za-z0-9+/]+=*$/)
        const rotated = yield* ok("POST", `/webhooks/${id}/signing-secret/rotate`)
        assert.notStrictEqual(rotated.signing_secret, signing_secret)
        assert.strictEqual((yield* ok("GET", `/webhooks/${id}`)).signing_secret, rotated.signing_secret)
        assert.notInclude((yield* Http.send("/webhooks")).text, "whsec_")
      }))
  })
})
