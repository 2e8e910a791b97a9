import { assert, describe, it, layer } from "@effect/vitest"
import { ApiKeyId, Resource, Timestamp } from "@mailstream/core"
import { Account, Auth, Server, SqlStore, Store, StoreError } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Array, Clock, Context, DateTime, Deferred, Effect, Fiber, Layer, Record, Redacted, Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { assertError, page, send } from "./support/http.ts"
import { freshDatabase, stores, temporaryFile } from "./support/stores.ts"

const accounts = ["ours", "theirs"].map((id): Account.Account => ({ id, apiKey: Redacted.make(`re_${id}`) }))

/** The default account is the one of the test server's own key. */
const names = [Account.defaultId, "ours", "theirs"]

const samples: SampleData.Options = {
  ...Record.map(SampleData.samples, () => 3),
  segments: 2,
  contacts: 20,
  receivedEmails: 6
}

/** A path with a query. The recipients of a broadcast are only listed by what happened to them. */
const at = (path: string, query = ""): string => `${path}?${path.endsWith("/recipients") ? "type=sent&" : ""}${query}`

const never = "00000000-0000-4000-8000-000000000000"

const sendAs = (account: string, path: string, init: RequestInit = {}) =>
  send(path, account === Account.defaultId ? init : { ...init, key: `Bearer re_${account}` })

const itemsOf = (account: string, path: string) =>
  Effect.map(sendAs(account, path), ({ status, text }): ReadonlyArray<{ readonly id: string }> => {
    assert.strictEqual(status, 200, text)
    return JSON.parse(text).data
  })

const idsOf = (account: string, path: string) => Effect.map(itemsOf(account, path), Array.map(({ id }) => id))

/** The paths of a list within each of its owners that an account sees. */
const scoped = (account: string, { scope }: typeof Resource.all[number]) =>
  Effect.gen(function*() {
    const owners = Resource.all.find(({ name }) => name === scope?.owner)
    if (scope === undefined || owners === undefined) return []
    const ids = yield* idsOf(account, `${owners.path}?limit=100`)
    return ids.map((id) => scope.path.replace(`:${scope.field}`, id))
  })

const pathsOf = (account: string, resource: typeof Resource.all[number]) =>
  Effect.map(
    scoped(account, resource),
    (paths) => resource.scope?.required === true ? paths : [resource.path, ...paths]
  )

const server = (store: Layer.Layer<Store>) =>
  Server.layerTest({ accounts, store: Layer.provide(SampleData.layerLazy(samples), store) })

const filled = new Set<string>([
  ...Object.values(SampleData.samples).map(({ name }) => name),
  Resource.receivedEmailAttachments.name,
  Resource.emailAttachments.name,
  Resource.contactTopics.name
])

describe.each(stores)("accounts on %s", (_, store) => {
  layer(server(store), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    describe.each(Resource.all.map((resource) => [resource.name, resource] as const))("%s", (name, resource) => {
      it.effect("lists only items of the key's account", () =>
        Effect.gen(function*() {
          const seen = yield* Effect.forEach(names, (account) =>
            Effect.gen(function*() {
              const paths = yield* pathsOf(account, resource)
              return new Set((yield* Effect.forEach(paths, (path) => idsOf(account, at(path, "limit=100")))).flat())
            }))
          if (filled.has(name)) { for (const ids of seen) assert.isNotEmpty(ids) }
          assert.strictEqual(
            new Set(seen.flatMap((ids) => [...ids])).size,
            Array.reduce(seen, 0, (sum, { size }) => sum + size)
          )
        }))

      it.effect("takes a cursor of another account for an unknown one", () =>
        Effect.gen(function*() {
          const [foreign] = yield* Effect.flatMap(pathsOf("theirs", resource), (paths) =>
            Effect.map(Effect.forEach(paths, (path) => idsOf("theirs", at(path))), Array.flatten))
          if (foreign === undefined) {
            return
          }
          for (const path of yield* pathsOf("ours", resource)) {
            for (const cursor of ["after", "before"]) {
              const response = yield* sendAs("ours", at(path, `limit=2&${cursor}=${foreign}`))
              assertError(response, 404, "not_found")
              assert.strictEqual(response.text, (yield* sendAs("ours", at(path, `limit=2&${cursor}=${never}`))).text)
            }
          }
        }))

      it.effect("does not find what belongs to another account", () =>
        Effect.gen(function*() {
          for (const path of yield* scoped("theirs", resource)) {
            const response = yield* sendAs("ours", at(path))
            assertError(response, 404, "not_found")
            assert.strictEqual((yield* sendAs("theirs", at(path))).status, 200)
          }
        }))
    })

    it.effect("have different people, with the account in their addresses", () =>
      Effect.gen(function*() {
        const emails = yield* Effect.forEach(names, (account) =>
          Effect.map(sendAs(account, "/contacts"), ({ text }): ReadonlyArray<string> =>
            JSON.parse(text).data.map(({ email }: { readonly email: string }) =>
              email
            )))
        assert.strictEqual(new Set(emails.flat()).size, 60)
        assert.isTrue(
          emails[1]?.every((email) =>
            /\+\d+\.ours@/.test(email)
          )
        )
        assert.isTrue(emails[0]?.every((email) => /\+\d+@/.test(email)))
      }))

    it.effect("create for themselves alone", () =>
      Effect.gen(function*() {
        const before = yield* idsOf("theirs", "/topics")
        const { status, text } = yield* sendAs("ours", "/topics", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name: "News", default_subscription: "opt_in" })
        })
        assert.strictEqual(status, 201)
        assert.include(yield* idsOf("ours", "/topics"), JSON.parse(text).id)
        assert.deepStrictEqual(yield* idsOf("theirs", "/topics"), before)
      }))

    it.effect("may use the same ids, and change only their own items", () =>
      Effect.gen(function*() {
        const [ours, theirs] = Array.map(["ours", "theirs"], (account) =>
          Effect.map(Store, (store) => store.forAccount(account)))
        const segment = SampleData.segment(1000)
        const [first, second] = [SampleData.contact(1000), SampleData.contact(1001)]
        const email = SampleData.receivedEmail(1000)
        const attachment = Array.range(0, 100).flatMap((number) =>
          SampleData.attachments(number)
        ).slice(0, 1)
        for (const account of [ours!, theirs!]) {
          const store = yield* account
          yield* store.insert(Resource.segments, [segment])
          yield* store.insert(Resource.contacts, [first, second], { segment_id: segment.id })
          yield* store.insert(Resource.receivedEmails, [email])
          yield* store.insert(Resource.receivedEmailAttachments, attachment, { email_id: email.id })
        }
        const members = `/segments/${segment.id}/contacts`
        const attached = `/emails/receiving/${email.id}/attachments`
        const store = yield* theirs!
        yield* store.leave(segment.id, [first.id])
        assert.deepStrictEqual(yield* idsOf("theirs", members), [second.id])
        assert.deepStrictEqual(yield* idsOf("ours", members), [second.id, first.id])
        yield* store.delete(Resource.contacts, [second.id])
        assert.deepStrictEqual(yield* idsOf("theirs", members), [])
        yield* store.delete(Resource.receivedEmails, [email.id])
        yield* store.delete(Resource.segments, [segment.id])
        for (const path of [members, attached]) assertError(yield* sendAs("theirs", path), 404, "not_found")
        assert.deepStrictEqual(yield* idsOf("ours", members), [second.id, first.id])
        assert.deepStrictEqual(yield* idsOf("ours", attached), attachment.map(({ id }) => id))
        // A contact of another account cannot become a member.
        const stranger = SampleData.contact(0, 0, "theirs").id
        const error = yield* Effect.flip(Effect.flatMap(ours!, (store) => store.join(segment.id, [stranger])))
        assert.strictEqual(error.reason, "Unknown")
      }))

    it.effect("stream complete lists of their own", () =>
      Effect.gen(function*() {
        const { forAccount } = yield* Store
        const all = yield* Stream.runCollect(yield* forAccount("ours").all({ name: "domains" }, {}))
        assert.deepStrictEqual(
          Array.fromIterable(all).map((json) => JSON.parse(json).id),
          Array.makeBy(3, (index) => SampleData.domain(2 - index, 0, "ours").id)
        )
      }))
  })

  describe("API keys", () => {
    const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

    /** Adds a key with a certain id. */
    const insertKey = (account: string, id: ApiKeyId, secret: string) =>
      Effect.gen(function*() {
        const { forAccount } = yield* Store
        const created_at = Timestamp.fromDateTime(yield* DateTime.now)
        yield* forAccount(account).insertKey({ id, name: secret, created_at, last_used_at: null }, hashOf(secret))
      })

    const lastUse = (account: string, name: string) =>
      Effect.gen(function*() {
        const { forAccount } = yield* Store
        const { items } = yield* forAccount(account).page({ name: "api-keys" }, { limit: 100 })
        return items.map((json) => JSON.parse(json)).find((key) => key.name === name).last_used_at
      })

    it.scopedLive("are deleted in their own account only, and at once", () =>
      Effect.gen(function*() {
        const { forAccount } = yield* Store
        const id = ApiKeyId.make(randomUUID())
        yield* insertKey("ours", id, "re_first")
        yield* insertKey("theirs", id, "re_second")
        const statuses = Effect.forEach(["re_first", "re_second"], (secret) =>
          Effect.map(send("/topics", { key: `Bearer ${secret}` }), ({ status }) => status))
        assert.deepStrictEqual(yield* statuses, [200, 200])
        yield* forAccount("theirs").delete(Resource.apiKeys, [id])
        assert.deepStrictEqual(yield* statuses, [200, 403])
        yield* forAccount(Account.defaultId).delete(Resource.apiKeys, [id])
        assert.deepStrictEqual(yield* statuses, [200, 403])
        yield* forAccount("ours").delete(Resource.apiKeys, [id])
        assert.deepStrictEqual(yield* statuses, [403, 403])
      }).pipe(Effect.provide(Server.layerTest({ store }))))

    it.scopedLive("record their use in their own account, even if another has one with the same id", () =>
      Effect.gen(function*() {
        const id = ApiKeyId.make(randomUUID())
        yield* insertKey("ours", id, "re_first")
        yield* insertKey("theirs", id, "re_second")
        yield* send("/topics", { key: "Bearer re_first" })
        assert.isNotNull(yield* lastUse("ours", "re_first"))
        assert.isNull(yield* lastUse("theirs", "re_second"))
        yield* send("/topics", { key: "Bearer re_second" })
        assert.isNotNull(yield* lastUse("theirs", "re_second"))
      }).pipe(Effect.provide(Server.layerTest({ store }))))

    it.scopedLive("belong to one account", () =>
      Effect.gen(function*() {
        const secret = Redacted.make("re_shared")
        yield* Auth.insertKey({ secret, account: "ours" })
        yield* Auth.insertKey({ secret, account: "ours" })
        const error = yield* Effect.flip(Auth.insertKey({ secret, account: "theirs" }))
        assert(error._tag === "StoreError")
        assert.strictEqual(error.reason, "Duplicate")
        assert.notInclude(error.message, "re_shared")
        const refused = yield* Effect.flip(Layer.build(Server.layer({ apiKeys: [secret] })))
        assert.strictEqual(refused._tag, "StoreError")
        assert.strictEqual((yield* send("/api-keys", { key: "Bearer re_shared" })).status, 200)
        const { forAccount } = yield* Store
        assert.isEmpty((yield* forAccount("theirs").page({ name: "api-keys" }, { limit: 10 })).items)
      }).pipe(Effect.provide(Server.layerTest({ store }))))
  })
})

/** Layers that open the same new database. */
const databases = [
  ["SQLite", Effect.map(temporaryFile, (filename) => Layer.orDie(SqlStore.layerSqlite({ filename })))],
  ["PostgreSQL", Effect.map(freshDatabase, (url) => Layer.orDie(SqlStore.layerPostgres({ url })))]
] as const

describe.each(databases)("accounts in a database on %s", (_, place) => {
  const contacts = Effect.forEach(["ours", "theirs"], (account) => idsOf(account, "/contacts"))

  it.scopedLive("survive a restart, with their keys", () =>
    Effect.gen(function*() {
      const database = yield* place
      const gone = SampleData.contact(0, 0, "ours").id
      const before = yield* Effect.gen(function*() {
        yield* contacts
        const { forAccount } = yield* Store
        yield* forAccount("ours").delete(Resource.contacts, [gone])
        return yield* contacts
      }).pipe(Effect.provide(server(database)))
      assert.deepStrictEqual(before.map(({ length }) => length), [19, 20])
      // With the same sample data, which is there already, and without any.
      assert.deepStrictEqual(yield* Effect.provide(contacts, server(database)), before)
      assert.deepStrictEqual(yield* Effect.provide(contacts, Server.layerTest({ store: database })), before)
    }), 30_000)

  it.scopedLive("are the same for all services, which fill them once", () =>
    Effect.gen(function*() {
      const database = yield* place
      const services = yield* Effect.replicateEffect(
        Layer.build(Layer.fresh(server(Layer.fresh(database)))),
        2,
        { concurrency: 2 }
      )
      const seen = yield* Effect.forEach(services, (service) => Effect.provide(contacts, service), { concurrency: 2 })
      assert.deepStrictEqual(seen[0], seen[1])
      assert.deepStrictEqual(seen[0]?.map(({ length }) => length), [20, 20])
      // A key that one of them adds or deletes is known to the other at once.
      const [first, second] = services.map((service) => Effect.provide(service))
      const status = Effect.map(send("/topics", { key: "Bearer re_new" }), ({ status }) => status)
      yield* Auth.insertKey({ secret: Redacted.make("re_new"), account: "theirs" }).pipe(first!)
      assert.strictEqual(yield* second!(status), 200)
      const keys = yield* second!(idsOf("theirs", "/api-keys"))
      yield* Effect.flatMap(Store, ({ forAccount }) =>
        forAccount("theirs").delete(Resource.apiKeys, keys.map((id) => ApiKeyId.make(id)))).pipe(first!)
      assert.strictEqual(yield* second!(status), 403)
      assert.deepStrictEqual(
        yield* second!(Effect.map(sendAs("theirs", "/topics"), ({ status }) =>
          status)),
        403
      )
      assert.deepStrictEqual(yield* second!(Effect.map(sendAs("ours", "/topics"), ({ status }) => status)), 200)
    }), 30_000)
})

describe("accounts", () => {
  it.scoped("need an id that fits into an address", () =>
    Effect.gen(function*() {
      for (const id of ["", "a b", "a/b", "a\0", "ä", "a@b", "x".repeat(65)]) {
        const error = yield* Effect.flip(Auth.insertKey({ secret: Redacted.make("re_x"), account: id }))
        assert(error._tag === "InvalidOption")
        assert.strictEqual(error.message, "account must be 1 to 64 letters, digits, dots, dashes or underscores")
      }
      yield* Auth.insertKey({ secret: Redacted.make("re_x"), account: "Acme_EU.2-b" })
    }).pipe(Effect.provide(Store.layerMemory)))

  it.scopedLive("each have a rate limit of their own", () =>
    Effect.gen(function*() {
      const left = (account: string) =>
        Effect.map(sendAs(account, "/topics"), ({ headers, status }) => [status, headers.get("ratelimit-remaining")])
      assert.deepStrictEqual(yield* left("ours"), [200, "1"])
      assert.deepStrictEqual(yield* left("ours"), [200, "0"])
      assert.deepStrictEqual(yield* left("ours"), [429, "0"])
      assert.deepStrictEqual(yield* left("theirs"), [200, "1"])
      // All keys of an account share its limit.
      yield* Auth.insertKey({ secret: Redacted.make("re_second"), account: "ours" })
      assertError(yield* send("/topics", { key: "Bearer re_second" }), 429, "rate_limit_exceeded")
      assert.deepStrictEqual(yield* left(Account.defaultId), [200, "1"])
      assert.deepStrictEqual(yield* left("theirs"), [200, "0"])
    }).pipe(Effect.provide(Server.layerTest({ accounts, rateLimit: { requests: 2, per: "1 hour" } }))))
})

describe("an observer", () => {
  it.scopedLive("sees the account of every request, and never a key", () => {
    const seen: Array<Server.Observation> = []
    const onRequest = (observation: Server.Observation) => Effect.sync(() => void seen.push(observation))
    return Effect.gen(function*() {
      const before = yield* Clock.currentTimeMillis
      yield* sendAs("ours", "/topics?limit=5", { headers: { "user-agent": "runner/1" } })
      yield* sendAs("theirs", "/nowhere")
      yield* sendAs("theirs", "/topics")
      yield* sendAs("theirs", "/topics")
      yield* send("/contacts", { key: "Bearer re_wrong" })
      yield* send("/contacts", { key: "" })
      yield* send("/favicon.ico", { method: "HEAD", key: "" })
      assert.deepStrictEqual(seen.map(({ account, method, path, status }) => [account, method, path, status]), [
        ["ours", "GET", "/topics", 200],
        ["theirs", "GET", "/nowhere", 404],
        ["theirs", "GET", "/topics", 200],
        ["theirs", "GET", "/topics", 429],
        [undefined, "GET", "/contacts", 403],
        [undefined, "GET", "/contacts", 401],
        [undefined, "HEAD", "/favicon.ico", 204]
      ])
      assert.strictEqual(seen[0]?.userAgent, "runner/1")
      for (const { endedAt, peer, startedAt } of seen) {
        assert.match(peer ?? "", /^127\.0\.0\.1:\d+$/)
        assert.isAtLeast(startedAt, before)
        assert.isAtLeast(endedAt, startedAt)
      }
      assert.notMatch(JSON.stringify(seen), /re_|Bearer/)
    }).pipe(
      Effect.provide(Server.layerTest({ accounts, onRequest, rateLimit: { requests: 2, per: "1 hour" } }))
    )
  })

  it.scopedLive("that fails changes no response", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* send("/topics")).status, 200)
    }).pipe(Effect.provide(Server.layerTest({ onRequest: () => Effect.die("broken") }))))

  it.scopedLive("sees a client that hung up", () =>
    Effect.gen(function*() {
      const arrived = yield* Deferred.make<void>()
      const observed = yield* Deferred.make<Server.Observation>()
      const stuck = Layer.map(Store.layerMemory, (context) =>
        Context.make(Store, {
          ...Context.get(context, Store),
          all: () => Effect.zipRight(Deferred.succeed(arrived, undefined), Effect.never)
        }))
      yield* Effect.gen(function*() {
        const request = yield* Effect.fork(send("/domains"))
        yield* Deferred.await(arrived)
        yield* Fiber.interrupt(request)
        const { account, path, status } = yield* Deferred.await(observed)
        assert.deepStrictEqual([account, path, status], [Account.defaultId, "/domains", undefined])
      }).pipe(
        Effect.provide(Server.layerTest({
          store: stuck,
          onRequest: (observation) => Deferred.succeed(observed, observation)
        }))
      )
    }))
})

describe("sample data of accounts", () => {
  /** A store, and the same store with sample data; what its accounts see of it can be changed. */
  const lazily = (change: (view: typeof Store.Service) => typeof Store.Service = (view) => view) =>
    Effect.gen(function*() {
      const bare = Context.get(yield* Layer.build(Store.layerMemory), Store)
      const base = Layer.succeed(Store, { ...bare, forAccount: (account) => change(bare.forAccount(account)) })
      return { bare, store: Layer.provide(SampleData.layerLazy({ contacts: 1500 }), base) }
    })

  const count = (store: typeof Store.Service, account: string) =>
    Effect.map(
      Effect.flatMap(store.forAccount(account).all({ name: "contacts" }, {}), Stream.runCount),
      Number
    )

  it.scopedLive("is made when an account is first used", () =>
    Effect.gen(function*() {
      const { bare, store } = yield* lazily()
      yield* Effect.gen(function*() {
        assert.deepStrictEqual(yield* Effect.forEach(names, (account) => count(bare, account)), [0, 0, 0])
        assert.strictEqual((yield* sendAs("theirs", "/contacts?limit=1")).status, 200)
        assert.deepStrictEqual(yield* Effect.forEach(names, (account) => count(bare, account)), [0, 0, 1500])
        yield* page("/contacts?limit=1")
        assert.deepStrictEqual(yield* Effect.forEach(names, (account) => count(bare, account)), [1500, 0, 1500])
      }).pipe(Effect.provide(Server.layerTest({ accounts, store })))
    }))

  it.scopedLive("is made once, however many requests wait for it, and completed if one of them hangs up", () =>
    Effect.gen(function*() {
      const entered = yield* Deferred.make<void>()
      const gate = yield* Effect.makeLatch()
      let batches = 0
      const { bare, store } = yield* lazily((view) => ({
        ...view,
        insert: (resource, items, ...into) =>
          Effect.gen(function*() {
            batches++
            yield* Deferred.succeed(entered, undefined)
            yield* gate.await
            yield* view.insert(resource, items, ...into)
          })
      }))
      yield* Effect.gen(function*() {
        const request = sendAs("ours", "/contacts?limit=1")
        const impatient = yield* Effect.fork(request)
        yield* Deferred.await(entered)
        yield* Fiber.interrupt(impatient)
        const waiting = yield* Effect.fork(Effect.all(Array.replicate(request, 5), { concurrency: 5 }))
        yield* gate.open
        assert.deepStrictEqual((yield* waiting).map(({ status }) => status), Array.replicate(200, 5))
        assert.strictEqual(batches, 2)
        assert.strictEqual(yield* count(bare, "ours"), 1500)
      }).pipe(Effect.provide(Server.layerTest({ accounts, store })))
    }))

  it.scopedLive("is attempted again if the database was not available", () =>
    Effect.gen(function*() {
      const failure = new StoreError({ reason: "Unavailable", description: "The database is not available." })
      let failures = 1
      const { store } = yield* lazily((view) => ({
        ...view,
        insert: (resource, items, ...into) =>
          Effect.suspend(() => failures-- > 0 ? failure : view.insert(resource, items, ...into))
      }))
      yield* Effect.gen(function*() {
        assertError(yield* sendAs("ours", "/contacts?limit=1"), 503, "service_unavailable")
        assert.strictEqual((yield* itemsOf("ours", "/contacts?limit=100")).length, 100)
      }).pipe(Effect.provide(Server.layerTest({ accounts, store })))
    }))

  it("differs in every item", () => {
    const ids = Array.range(1, 200).flatMap((account) =>
      Array.range(0, 19).map((number) => SampleData.contact(number, 0, `account-${account}`))
    )
    assert.strictEqual(new Set(ids.map(({ id }) => id)).size, ids.length)
    assert.strictEqual(new Set(ids.map(({ email }) => email)).size, ids.length)
  })
})
