import { assert, describe, it } from "@effect/vitest"
import { Server, Store, WebHandler } from "@mailstream/server"
import { Effect, Redacted } from "effect"

const origin = "https://app.example.com"
const key = "re_cors"

interface Send {
  (path: string, init?: RequestInit): Effect.Effect<Response>
}

/** The same service on both hosts. */
const hosts: ReadonlyArray<
  readonly [
    name: string,
    run: (options: Server.ServiceOptions, use: (send: Send) => Effect.Effect<void>) => Effect.Effect<void>
  ]
> = [
  [
    "Node",
    (options, use) =>
      Effect.flatMap(
        Server.TestServer,
        ({ baseUrl }) => use((path, init) => Effect.promise(() => fetch(`${baseUrl}${path}`, init)))
      ).pipe(
        Effect.provide(Server.layerTest({ ...options, apiKey: Redacted.make(key) }))
      )
  ],
  ["the web", (options, use) =>
    Effect.suspend(() => {
      const { dispose, handler } = WebHandler.make(Store.layerMemory, { ...options, apiKeys: [Redacted.make(key)] })
      return use((path, init) => Effect.promise(() => handler(new Request(`http://localhost${path}`, init)))).pipe(
        Effect.ensuring(Effect.promise(dispose))
      )
    })]
]

const preflight = (from: string): RequestInit => ({
  method: "OPTIONS",
  headers: { origin: from, "access-control-request-method": "GET", "access-control-request-headers": "authorization" }
})

const authorized = { origin, authorization: `Bearer ${key}` }

describe.each(hosts)("CORS on the host for %s", (_, run) => {
  it.live("is off unless it is asked for", () =>
    run({}, (send) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send("/contacts", preflight(origin))).status, 401)
        const { headers, status } = yield* send("/contacts", { headers: authorized })
        assert.strictEqual(status, 200)
        assert.isNull(headers.get("access-control-allow-origin"))
        assert.isNull(headers.get("vary"))
      })))

  it.live("responds to a preflight request without a key", () =>
    run({ cors: [origin] }, (send) =>
      Effect.gen(function*() {
        const { headers, status } = yield* send("/contacts", preflight(origin))
        assert.strictEqual(status, 204)
        assert.strictEqual(headers.get("access-control-allow-origin"), origin)
        assert.include(headers.get("access-control-allow-headers"), "authorization")
        assert.include(headers.get("access-control-allow-methods"), "POST")
        assert.strictEqual(headers.get("vary"), "Origin")
      })))

  it.live("gives nothing to other origins, and tells caches that it depends on them", () =>
    run({ cors: [origin] }, (send) =>
      Effect.gen(function*() {
        for (
          const init of [preflight("https://evil.example"), { headers: { ...authorized, origin: `${origin}.evil` } }]
        ) {
          const { headers } = yield* send("/contacts", init)
          assert.deepStrictEqual([...headers.keys()].filter((name) => name.startsWith("access-control")), [])
          assert.strictEqual(headers.get("vary"), "Origin")
        }
        assert.strictEqual(
          (yield* send("/contacts", { headers: { authorization: authorized.authorization } })).status,
          200
        )
      })))

  it.live("lets pages read errors, and how long to wait", () =>
    run(
      { cors: [origin], rateLimit: { requests: 3, per: "1 hour" }, faults: { seed: 1, serverError: { rate: 1 } } },
      (send) =>
        Effect.gen(function*() {
          const statuses: Array<number> = []
          for (
            const [path, authorization] of [
              ["/contacts", ""],
              ["/nothing", authorized.authorization],
              ["/contacts", authorized.authorization],
              ["/contacts", authorized.authorization],
              ["/contacts", authorized.authorization]
            ] as const
          ) {
            const { headers, status } = yield* send(path, { headers: { ...authorized, authorization } })
            statuses.push(status)
            assert.strictEqual(headers.get("access-control-allow-origin"), origin)
            assert.include(headers.get("access-control-expose-headers"), "retry-after")
            assert.include(headers.get("access-control-expose-headers"), "ratelimit-remaining")
          }
          assert.includeMembers(statuses, [401, 404, 429])
          assert.isTrue(statuses.some((status) => status === 500 || status === 503))
        })
    ))

  it.live("allows every origin with *", () =>
    run({ cors: "*" }, (send) =>
      Effect.gen(function*() {
        for (const init of [preflight("https://any.example"), { headers: authorized }]) {
          const { headers } = yield* send("/contacts", init)
          assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        }
      })))

  it.live("does not take every OPTIONS for a preflight request", () =>
    run({ cors: [origin] }, (send) =>
      Effect.gen(function*() {
        const { headers, status } = yield* send("/contacts", { method: "OPTIONS", headers: authorized })
        assert.strictEqual(status, 405)
        assert.strictEqual(headers.get("access-control-allow-origin"), origin)
      })))
})
