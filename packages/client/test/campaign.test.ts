import { assert, describe, it } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { postgres, skip, sqlite } from "@mailstream/client/campaign"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Redacted, type Scope } from "effect"
import { Readable } from "node:stream"
import { type Anything, options as offline } from "./support/entries.ts"
import { rejection, scoped, service } from "./support/service.ts"

const { Mailstream, MailstreamError } = Client

interface Place {
  readonly address: string
  readonly store: () => Client.CampaignStore
}

/** The same new database, opened as often as a test likes. */
const places: Readonly<Record<string, Effect.Effect<Place, never, Scope.Scope>>> = {
  SQLite: Effect.map(Temporary.file("campaign.db"), (address) => ({ address, store: () => sqlite(address) })),
  PostgreSQL: Effect.map(Effect.suspend(() => Postgres.createSchema(Provided.postgres())), (url) => {
    const address = Redacted.value(url)
    return { address, store: () => postgres(address) }
  })
}

interface Person {
  readonly id: string
  readonly email: string
}

const people = (count: number): ReadonlyArray<Person> =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, email: `p${index}@example.com` }))

const emailTo = ({ email }: { readonly email: string }) => ({
  from: "ada@example.com",
  to: email,
  subject: "News",
  text: "Hello!"
})

/** Gives up at once, looks at once, and takes over soon. */
const quick = { retry: "none", settle: 0, lease: 500, batchSize: 5, concurrency: 1 } as const

/** The addresses of all accepted emails. */
const sent = async (client: Client.Mailstream): Promise<ReadonlyArray<string>> =>
  (await client.emails.items().toArray({ limit: 1000 })).flatMap(({ to }) => to ?? []).sort()

const addresses = (all: ReadonlyArray<{ readonly email: string }>) => all.map(({ email }) => email).sort()

/** A client of the same service, in front of which a test may respond itself. */
const intercepting = (
  { apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl: string },
  respond: (send: { readonly index: number; readonly forward: () => Promise<Response> }) => Promise<Response>
): Effect.Effect<Client.Mailstream, never, Scope.Scope> => {
  let sends = 0
  return scoped(() =>
    new Mailstream({
      apiKey,
      baseUrl,
      rateLimit: false,
      fetch: (url, init) =>
        init?.method === "POST" ? respond({ index: sends++, forward: () => fetch(url, init) }) : fetch(url, init)
    })
  )
}

const apiError = (status: number, name: string, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(Response.json({ statusCode: status, name, message: "No." }, { status, headers }))

describe.each(Object.entries(places))("a campaign on %s", (_, open) => {
  it.scopedLive("writes to everybody once, and says what became of each", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 230 })
      const { store } = yield* open
      yield* Effect.promise(async () => {
        const contacts = await client.contacts.items().toArray({ limit: 230 })
        const left = new Set(contacts.slice(0, 30).map(({ id }) => id))
        const counts: Array<number> = []
        const news = client.campaign("news", {
          store: store(),
          audience: client.contacts.items(),
          message: (contact) => left.has(contact.id) ? skip("left") : Promise.resolve(emailTo(contact))
        })
        const unknown = await rejection(news.status())
        assert(unknown instanceof Client.UnknownCampaign && unknown instanceof MailstreamError)
        const status = await news.run({ progress: ({ accepted }) => counts.push(accepted) })
        assert.deepInclude(status, { campaign: "news", accepted: 200, skipped: 30, planned: 0, isRunning: false })
        assert.instanceOf(status.endedAt, Date)
        assert.strictEqual(counts.at(-1), 200)
        assert.deepStrictEqual(await news.status(), status)
        assert.deepStrictEqual(await sent(client), addresses(contacts.slice(30)))
        const skipped = await news.recipients({ state: "skipped" }).toArray({ limit: 100 })
        assert.deepStrictEqual(new Set(skipped.map(({ id }) => id)), left)
        assert.deepInclude(skipped[0], { state: "skipped", reason: "left", emailId: undefined })
        const emailOf = new Map<string, string>(contacts.map(({ email, id }) => [id, email.toLowerCase()]))
        for (const { address, id } of skipped) assert.strictEqual(address, emailOf.get(id))
        const all = []
        for await (const recipient of news.recipients()) all.push(recipient)
        assert.lengthOf(all, 230)
        const accepted = all.find(({ state }) => state === "accepted")!
        assert.deepStrictEqual((await client.emails.get(accepted.emailId!)).to, [accepted.address])
        assert.instanceOf(accepted.changedAt, Date)
        // It has ended: there is nothing to do.
        assert.deepInclude(await news.run(), { accepted: 200 })
        assert.strictEqual(await news.forget("skipped"), 30)
        left.clear()
        assert.deepInclude(await news.run({ again: true }), { accepted: 230, skipped: 0 })
        assert.deepStrictEqual(await sent(client), addresses(contacts))
      })
    }), 60_000)

  it.scopedLive(
    "asks what became of the emails, and keeps the addresses of those it skips",
    () =>
      Effect.gen(function*() {
        const { client } = yield* service({})
        const { store } = yield* open
        yield* Effect.promise(async () => {
          const unreadable = Object.defineProperty({ id: "unreadable" }, "email", {
            get: () => {
              throw new Error("not now")
            }
          })
          const all = [
            { id: "ada", email: "delivered@resend.dev" },
            { id: "bob", email: "bounced@resend.dev" },
            { id: "cleo", email: "Cleo <Cleo@Example.com>" },
            { id: "dan" },
            unreadable
          ]
          const news = client.campaign("news", {
            store: store(),
            audience: () => all,
            message: (person) => person.id === "ada" || person.id === "bob" ? emailTo(person as Person) : skip("left")
          })
          assert.instanceOf(await rejection(news.deliveries()), Client.UnknownCampaign)
          assert.deepInclude(await news.run(quick), { accepted: 2, skipped: 3 })
          const before = await news.recipients().toArray({ limit: 9 })
          assert.deepStrictEqual(before.map(({ address, id, lastEvent }) => [id, address, lastEvent]), [
            ["ada", "delivered@resend.dev", undefined],
            ["bob", "bounced@resend.dev", undefined],
            ["cleo", "cleo@example.com", undefined],
            ["dan", "", undefined],
            ["unreadable", "", undefined]
          ])
          let counts = await news.deliveries()
          while (counts["delivered"] !== 1 || counts["bounced"] !== 1) counts = await news.deliveries()
          assert.deepStrictEqual(counts, { delivered: 1, bounced: 1 })
          const after = await news.recipients({ state: "accepted" }).toArray({ limit: 9 })
          assert.deepStrictEqual(after.map(({ lastEvent }) => lastEvent), ["delivered", "bounced"])
        })
      }),
    60_000
  )

  it.scopedLive("that is killed anywhere continues, and nobody gets two emails", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, client, requests } = yield* service({ contacts: 60 })
      const { address } = yield* open
      const start = Process.start([Provided.program("clientCampaign"), address], {
        env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
      })
      let last = ""
      for (const kills of [5, 21, 33, Infinity]) {
        const { child, kill, line } = yield* start
        for (let n = 0; n < kills && !last.startsWith("end"); n++) last = yield* line
        if (kills === Infinity) break
        yield* kill("SIGKILL")
        yield* Process.ended(child)
      }
      assert.strictEqual(last, "end 60")
      const contacts = yield* Effect.promise(() => client.contacts.items().toArray({ limit: 60 }))
      assert.deepStrictEqual(yield* Effect.promise(() => sent(client)), addresses(contacts))
      // The walk was continued.
      assert.isAtLeast(requests.filter((request) => request.includes("after=")).length, 1)
    }), 120_000)

  it.scopedLive("that is aborted ends, though its audience cannot be closed", () =>
    Effect.gen(function*() {
      const given = yield* service({})
      const { store } = yield* open
      const endless = {
        [Symbol.asyncIterator]: () => {
          let count = 0
          return {
            next: async () => ({ done: false as const, value: { id: `${count}`, email: `${count++}@example.com` } }),
            return: () => new Promise<never>(() => {})
          }
        }
      }
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        const news = given.client.campaign("news", { store: store(), audience: endless, message: emailTo })
        const progress = ({ accepted }: { readonly accepted: number }) => accepted > 0 && controller.abort()
        const run = news.run({ ...quick, signal: controller.signal, progress: (status) => void progress(status) })
        assert.strictEqual(await rejection(run), controller.signal.reason)
        await given.client.close()
      })
    }), 60_000)

  it.scopedLive("that is aborted ends, and continues", () =>
    Effect.gen(function*() {
      const given = yield* service({})
      const { store } = yield* open
      const controller = new AbortController()
      const client = yield* intercepting(given, async ({ forward, index }) => {
        const response = await forward()
        // The service has accepted the second batch, and nobody is told.
        if (index === 1) controller.abort()
        return response
      })
      yield* Effect.promise(async () => {
        const all = people(12)
        const news = client.campaign("news", { store: store(), audience: all, message: emailTo })
        assert.strictEqual(await rejection(news.run({ ...quick, signal: controller.signal })), controller.signal.reason)
        const status = await news.status()
        assert.isFalse(status.isRunning)
        assert.isAbove(status.planned, 0)
        assert.strictEqual(await rejection(news.run({ signal: controller.signal })), controller.signal.reason)
        assert.deepInclude(await news.run(quick), { accepted: 12, planned: 0 })
        assert.deepStrictEqual(await sent(given.client), addresses(all))
        await client.close()
        assert.instanceOf(await rejection(news.run()), Client.ClientClosed)
        assert.instanceOf(await rejection(news.recipients().toArray({ limit: 1 })), Client.ClientClosed)
      })
    }), 60_000)

  it.scopedLive("is rejected with what its functions throw, and continues there", () =>
    Effect.gen(function*() {
      const { client } = yield* service({})
      const { store } = yield* open
      yield* Effect.promise(async () => {
        const all = people(12)
        const reason = { not: "an error" }
        const failing = (message: (person: Person) => Client.CampaignMessage | Promise<Client.CampaignMessage>) =>
          rejection(client.campaign("news", { store: store(), audience: all, message }).run(quick))
        assert.strictEqual(
          await failing(() => {
            throw reason
          }),
          reason
        )
        assert.strictEqual(await failing(() => Promise.reject(reason)), reason)
        assert.strictEqual(await failing(() => Promise.reject(undefined)), undefined)
        const audience = async function*() {
          yield* all.slice(0, 3)
          throw reason
        }
        const broken = client.campaign("news", { store: store(), audience, message: emailTo })
        assert.strictEqual(await rejection(broken.run(quick)), reason)
        const news = client.campaign("news", { store: store(), audience: () => all.values(), message: emailTo })
        const progress = () => {
          throw reason
        }
        assert.strictEqual(await rejection(news.run({ ...quick, progress })), reason)
        assert.deepInclude(await news.run(quick), { accepted: 12 })
        assert.deepStrictEqual(await sent(client), addresses(all))
      })
    }), 60_000)

  it.scopedLive("pauses when the service does not accept emails", () =>
    Effect.gen(function*() {
      const given = yield* service({})
      const { store } = yield* open
      const errors = [
        () => apiError(429, "daily_quota_exceeded", { "retry-after": "3600" }),
        () => apiError(401, "invalid_api_key"),
        () => Promise.reject(new TypeError("fetch failed"))
      ]
      const client = yield* intercepting(given, ({ forward, index }) => errors[index]?.() ?? forward())
      yield* Effect.promise(async () => {
        const all = people(12)
        const news = client.campaign("news", { store: store(), audience: new Set(all), message: emailTo })
        const quota = await rejection(news.run(quick))
        assert(quota instanceof Client.CampaignPaused && quota instanceof MailstreamError, String(quota))
        assert.strictEqual(quota.reason, "Quota")
        assert(quota.error instanceof Client.DailyQuotaExceeded)
        assert.match(quota.stack ?? "", /campaign\.test/)
        const { paused, pausedUntil, startedAt } = await news.status()
        assert.isAbove(quota.until!.getTime() - startedAt.getTime(), 3_000_000)
        assert.match(paused ?? "", /^No\. \(The service asks to wait 1h/)
        assert.deepStrictEqual(pausedUntil, quota.until)
        const refused = await rejection(news.run(quick))
        assert(refused instanceof Client.CampaignPaused && refused.reason === "Refused", String(refused))
        const unavailable = await rejection(news.run(quick))
        assert(unavailable instanceof Client.CampaignPaused && unavailable.reason === "Unavailable")
        assert(unavailable.error instanceof Client.TransportError)
        assert.deepInclude(await news.run(quick), { accepted: 12, paused: undefined })
        assert.deepStrictEqual(await sent(given.client), addresses(all))
      })
    }), 60_000)

  it.scopedLive("is run by one process at a time, for one service", () =>
    Effect.gen(function*() {
      const given = yield* service({})
      const other = yield* service({})
      const { store } = yield* open
      let arrived = () => {}
      const isSending = new Promise<void>((resolve) => (arrived = resolve))
      let respond = () => {}
      const mayRespond = new Promise<void>((resolve) => (respond = resolve))
      const client = yield* intercepting(given, ({ forward }) => {
        arrived()
        return mayRespond.then(forward)
      })
      yield* Effect.promise(async () => {
        const options = { audience: people(5), message: emailTo }
        const running = client.campaign("news", { ...options, store: store() }).run(quick)
        await isSending
        const again = given.client.campaign("news", { ...options, store: store() })
        const busy = await rejection(again.run(quick))
        assert(busy instanceof Client.CampaignBusy, String(busy))
        assert.strictEqual(busy.campaign, "news")
        assert.instanceOf(await rejection(again.forget("planned", { lease: 500 })), Client.CampaignBusy)
        assert.deepInclude(await again.status(), { isRunning: true, planned: 5 })
        respond()
        assert.deepInclude(await running, { accepted: 5 })
        const elsewhere = other.client.campaign("news", { ...options, store: store() })
        const away = await rejection(elsewhere.run())
        assert(away instanceof Client.CampaignMismatch && away.reason === "Service", String(away))
        assert.match(away.begunWith ?? "", /^http/)
        const otherwise = given.client.campaign("news", { ...options, store: store(), once: "address" })
        const changed = await rejection(otherwise.run())
        assert(changed instanceof Client.CampaignMismatch, String(changed))
        assert.deepInclude(changed, { reason: "Once", begunWith: "contact" })
      })
    }), 60_000)

  it.scopedLive("leaves it to its operator whether doubtful emails were sent", () =>
    Effect.gen(function*() {
      const given = yield* service({})
      const { store } = yield* open
      // The key belongs to another request: nobody can tell, and the emails may not be looked at.
      const client = yield* scoped(() =>
        new Mailstream({
          apiKey: given.apiKey,
          baseUrl: given.baseUrl,
          rateLimit: false,
          fetch: (_, init) =>
            init?.method === "POST"
              ? apiError(409, "invalid_idempotent_request")
              : apiError(401, "restricted_api_key")
        })
      )
      yield* Effect.promise(async () => {
        const all = people(5)
        const options = { store: store(), audience: all, message: emailTo }
        const news = client.campaign("news", options)
        const undecided = await rejection(news.run(quick))
        assert(undecided instanceof Client.UndecidedRecipients, String(undecided))
        assert.strictEqual(undecided.count, 5)
        assert.deepInclude(await news.run({ ...quick, onUndecided: "report" }), { undecided: 5 })
        assert.strictEqual(await news.resolve("assumeSent", { ids: ["p1", "nobody"] }), 1)
        assert.strictEqual(await news.resolve("resend"), 4)
        const again = given.client.campaign("news", options)
        assert.deepInclude(await again.run(quick), { accepted: 5, undecided: 0 })
        assert.deepStrictEqual(await sent(given.client), addresses(all.filter(({ id }) => id !== "p1")))
      })
    }), 60_000)
})

describe("a campaign", () => {
  it.scopedLive(
    "sends attachments, rejects what the service would refuse, and refuses fields that do not exist",
    () =>
      Effect.gen(function*() {
        const { client } = yield* service({})
        const store = sqlite(yield* Temporary.file("campaign.db"))
        yield* Effect.promise(async () => {
          const all = people(3)
          const news = client.campaign("news", {
            store,
            audience: async () => all,
            message: async ({ email, id }) => ({
              ...emailTo({ email: id === "p1" ? "nobody" : email }),
              reply_to: undefined,
              attachments: [await Client.attachment(new TextEncoder().encode(id), { filename: "a.txt" })]
            })
          })
          assert.deepInclude(await news.run(), { accepted: 2, rejected: 1 })
          const [rejected] = await news.recipients({ state: "rejected" }).toArray({ limit: 9 })
          assert.deepInclude(rejected, { id: "p1", address: "nobody" })
          const [email] = await client.emails.items().toArray({ limit: 1 })
          const filter = { email_id: email!.id }
          const [file] = await client.emailAttachments.items({ filter }).toArray({ limit: 9 })
          assert.strictEqual(file?.filename, "a.txt")
          for (
            const [message, said] of [
              [() => ({ ...emailTo(all[0]!), replyTo: "a@example.com" }), /reply_to/],
              [() => undefined, /skip\("reason"\)/],
              [() => [], /skip\("reason"\)/],
              [async () => 1, /skip\("reason"\)/],
              [function*() {}, /nothing runs the iterator/]
            ] as const
          ) {
            const other = client.campaign("other", { store, audience: all, message: message as Anything })
            const error = await rejection(other.run())
            assert(error instanceof Client.InvalidOption)
            assert.match(error.message, said)
            assert.deepInclude(await other.status(), { planned: 0, rejected: 0 })
          }
        })
      }),
    60_000
  )

  it.scopedLive("does not continue a walk of another account, nor a part of one", () =>
    Effect.gen(function*() {
      const { client } = yield* service({})
      const other = yield* service({ contacts: 30 })
      const store = sqlite(yield* Temporary.file("campaign.db"))
      yield* Effect.promise(async () => {
        const contacts = await other.client.contacts.items().toArray({ limit: 30 })
        const news = client.campaign("news", { store, audience: other.client.contacts.items(), message: emailTo })
        assert.deepInclude(await news.run(), { accepted: 30 })
        assert.deepStrictEqual(await sent(client), addresses(contacts))
        let asked = 0
        const reason = new Error("later")
        const some = other.client.campaign("some", {
          store,
          audience: other.client.contacts.items({ pageSize: 10, take: 15 }),
          message: (contact) => {
            if (asked++ === 12) throw reason
            return emailTo(contact)
          }
        })
        assert.strictEqual(await rejection(some.run({ concurrency: 1 })), reason)
        assert.deepInclude(await some.run(), { accepted: 15 })
        assert.deepStrictEqual(await sent(other.client), addresses(contacts.slice(0, 15)))
      })
    }), 60_000)

  it.scopedLive("refuses what can be read only once", () =>
    Effect.gen(function*() {
      const { client } = yield* service({})
      const store = sqlite(yield* Temporary.file("campaign.db"))
      yield* Effect.promise(async () => {
        const all = people(3)
        const generator = function*() {
          yield* all
        }
        for (const audience of [generator(), Readable.from(all), new Blob(["a"]).stream()]) {
          const make = () =>
            client.campaign("news", { store, audience: audience as Anything, message: () => skip("no") })
          assert.throws(make, /can be read only once.*pass a function/)
        }
        const one = generator()
        const news = client.campaign("news", { store, audience: () => one, message: emailTo })
        assert.deepInclude(await news.run(), { accepted: 3 })
        const error = await rejection(news.run({ again: true }))
        assert(error instanceof Client.InvalidOption)
        assert.match(error.message, /new iterator each time/)
        const nobody = client.campaign("ids", {
          store,
          audience: [{ name: "Ada" }] as Anything,
          message: () => skip("no")
        })
        assert.match(String(await rejection(nobody.run())), /audience must have items whose `id`/)
      })
    }), 60_000)

  it.scopedLive("ends what it reads, and does not wait for what never comes", () =>
    Effect.gen(function*() {
      const { client } = yield* service({})
      const store = sqlite(yield* Temporary.file("campaign.db"))
      yield* Effect.promise(async () => {
        let ended = 0
        const endless = async function*() {
          try {
            for (let n = 0;; n++) yield { id: `${n}`, email: `p${n}@example.com` }
          } finally {
            ended++
          }
        }
        const reason = new Error("enough")
        const news = client.campaign("news", {
          store,
          audience: endless,
          message: () => {
            throw reason
          }
        })
        assert.strictEqual(await rejection(news.run()), reason)
        assert.strictEqual(ended, 1)
        for (
          const silent of [
            { audience: () => new Promise<never>(() => {}), message: () => skip("no") },
            {
              audience: async function*() {
                yield* people(3)
                await new Promise(() => {})
              },
              message: () => skip("no")
            },
            { audience: people(3), message: () => new Promise<never>(() => {}) }
          ]
        ) {
          const signal = AbortSignal.timeout(300)
          const run = client.campaign("silent", { store, ...silent }).run({ ...quick, signal })
          assert.strictEqual(await rejection(run), signal.reason)
        }
      })
    }), 60_000)

  it.scopedLive("says what is wrong with its store", () =>
    Effect.gen(function*() {
      const directory = yield* Temporary.directory
      const client = yield* scoped(() => new Mailstream(offline))
      const secret = "hunter2"
      for (
        const [store, said] of [
          [sqlite(directory), /Failed to open/],
          [sqlite(":memory:"), /in-memory databases are not supported/],
          [postgres(`postgres://ada:${secret}@127.0.0.1:1/db`), /127\.0\.0\.1:1|connect/]
        ] as const
      ) {
        const news = client.campaign("news", { store, audience: [], message: emailTo })
        for (const call of [() => news.run(), () => news.status(), () => news.recipients().toArray({ limit: 1 })]) {
          const error = yield* Effect.promise(() => rejection(call()))
          assert(error instanceof Client.CampaignStoreError && error instanceof MailstreamError, String(error))
          assert.match(error.message, said)
          assert.notInclude(`${error.stack}${JSON.stringify(error)}`, secret)
        }
      }
    }), 60_000)

  it("throws an InvalidOption if it is called in another way", () => {
    const client = new Mailstream(offline)
    const store = sqlite("never-opened.db")
    const options = { store, audience: people(1), message: emailTo }
    const campaign: (...args: ReadonlyArray<unknown>) => unknown = client.campaign as Anything
    for (
      const [make, said] of [
        [() => campaign("", options), /name must be/],
        [() => campaign("news"), /options must be an object/],
        [() => campaign("news", { ...options, store: { name: "sqlite" } }), /store must be sqlite\(/],
        [() => campaign("news", { ...options, store: undefined }), /store must be sqlite\(/],
        [() => campaign("news", { ...options, audience: 1 }), /audience must be an iterable/],
        [() => campaign("news", { ...options, message: emailTo(people(1)[0]!) }), /message must be a function/],
        [() => campaign("news", { ...options, once: "twice" }), /once must be "contact" or "address"/],
        [() => campaign("news", { ...options, concurrency: 2 }), /concurrency is not an option here/],
        [() => sqlite("" as Anything), /filename must be the path/],
        [() => sqlite("sqlite:campaign.db"), /filename must be the path of a file, as in sqlite\("campaign\.db"\)/],
        [() => postgres("mysql://ada:hunter2@localhost/db"), /url must be the URL(?!.*hunter2)/],
        ...["hunter2@", "hunter2#", "hunter2/x", "hunter2?"].map((password) =>
          [
            () => postgres(`postgres://ada:${password}@localhost/db`),
            /url must have a percent-encoded user name and password: @ is %40(?!.*hunter2)/
          ] as const
        ),
        [() => postgres("postgres://localhost/db", { maxConnections: 0 }), /maxConnections/],
        [() => skip(""), /reason must be/]
      ] as const
    ) {
      try {
        make()
        assert.fail(String(make))
      } catch (error) {
        assert(error instanceof Client.InvalidOption, String(error))
        assert.match(String(error), said)
      }
    }
  })

  it.scopedLive("is rejected with an InvalidOption if its methods are called in another way", () =>
    Effect.gen(function*() {
      const client = yield* scoped(() => new Mailstream(offline))
      const store = sqlite(yield* Temporary.file("campaign.db"))
      const news = client.campaign("news", { store, audience: people(1), message: emailTo })
      const named = client.campaign("news 2026", { store, audience: people(1), message: emailTo })
      for (
        const call of [
          () => named.run(),
          () => news.run({ batchSize: 101 }),
          () => news.run({ onPause: "stop" as Anything }),
          () => news.run({ again: 1 as Anything }),
          () => news.run({ settle: -1 }),
          () => news.run({ lease: "1 second" as Anything }),
          () => news.recipients({ state: "lost" as Anything }).toArray({ limit: 1 }),
          () => news.resolve("maybe" as Anything),
          () => news.resolve("resend", { ids: "p1" as Anything }),
          () => news.forget("accepted" as Anything)
        ]
      ) {
        const error = yield* Effect.promise(() => rejection(call()))
        assert(error instanceof Client.InvalidOption, `${call}: ${error}`)
      }
    }))

  it("needs a runtime with a reliable SQLite", () => {
    const versions = Object.getOwnPropertyDescriptor(process, "versions")!
    Object.defineProperty(process, "versions", { ...versions, value: { node: "22.11.0" } })
    try {
      assert.throws(() => sqlite("a.db"), /SQLite needs Node 22\.22\.3, Node 24\.15 or later.*This is Node 22\.11\.0/)
    } finally {
      Object.defineProperty(process, "versions", versions)
    }
  })
})
