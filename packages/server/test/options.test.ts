import { assert, describe, it } from "@effect/vitest"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Effect, Layer, Redacted } from "effect"

const key = Redacted.make("re_local")

const wrong: ReadonlyArray<readonly [option: string, options: Server.Options, description: string]> = [
  ["port", { port: -1 }, "must be an integer from 0 to 65535"],
  ["port", { port: 65536 }, "must be an integer from 0 to 65535"],
  ["port", { port: 80.5 }, "must be an integer from 0 to 65535"],
  ["host", { host: "" }, "must not be empty"],
  ["shutdownTimeout", { shutdownTimeout: -1 }, "must be a finite duration of at least 0, as in \"1 hour\""],
  ["shutdownTimeout", { shutdownTimeout: Infinity }, "must be a finite duration of at least 0, as in \"1 hour\""],
  ["rateLimit.requests", { rateLimit: { requests: 0 } }, "must be an integer, 1 or greater"],
  ["rateLimit.requests", { rateLimit: { requests: NaN } }, "must be an integer, 1 or greater"],
  [
    "rateLimit.per",
    { rateLimit: { requests: 1, per: 0 } },
    "must be a finite duration greater than 0, as in \"1 hour\""
  ],
  ["faults.seed", { faults: { seed: 0.5 } }, "must be an integer, 0 or greater"],
  ["faults.html.rate", { faults: { html: { rate: 1.1 } } }, "must be a number from 0 to 1"],
  ["faults.latency.rate", { faults: { latency: { rate: NaN, delay: 1 } } }, "must be a number from 0 to 1"],
  [
    "faults.latency.delay",
    { faults: { latency: { rate: 1, delay: Infinity } } },
    "must be a finite duration of at least 0, as in \"1 hour\""
  ],
  [
    "faults.rateLimit.retryAfter",
    { faults: { rateLimit: { rate: 1, retryAfter: -1 } } },
    "must be a finite duration of at least 0, as in \"1 hour\""
  ],
  ["apiKeys[1]", { apiKeys: [key, Redacted.make("a b")] }, "must be visible ASCII characters, at least one"],
  [
    "accounts[0].id",
    { accounts: [{ id: "a b", apiKey: key }] },
    "must be 1 to 64 letters, digits, dots, dashes or underscores"
  ],
  [
    "accounts[0].apiKey",
    { accounts: [{ id: "a", apiKey: Redacted.make("") }] },
    "must be visible ASCII characters, at least one"
  ]
]

const wrongSamples: ReadonlyArray<readonly [option: string, options: SampleData.Options, description: string]> = [
  ["contacts", { contacts: -1 }, "must be an integer, 0 or greater"],
  ["topics", { contacts: 1, topics: 1.5 }, "must be an integer, 0 or greater"],
  ["seed", { seed: NaN }, "must be an integer, 0 or greater"],
  ["account", { contacts: 1, account: "a b" }, "must be 1 to 64 letters, digits, dots, dashes or underscores"]
]

describe("an invalid option", () => {
  it.scoped.each(wrong)("of the server is named: %s", ([option, options, description]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Layer.build(Server.layer({ apiKeys: [key], ...options })))
      assert(error._tag === "InvalidOption")
      assert.deepStrictEqual({ option: error.option, description: error.description }, { option, description })
      // Nothing was stored.
      const { items } = yield* Effect.flatMap(Store, (store) => store.page({ name: "api-keys" }, { limit: 1 }))
      assert.deepStrictEqual(items, [])
    }).pipe(Effect.provide(Store.layerMemory)))

  it.scoped.each(wrongSamples)(
    "of the sample data is named: %s",
    ([option, options, description]) =>
      Effect.gen(function*() {
        const { account: _, ...lazy } = options
        const attempts = [
          SampleData.insert(options),
          Layer.build(SampleData.layer(options)),
          ...(option === "account" ? [] : [Layer.build(SampleData.layerLazy(lazy))])
        ]
        for (const attempt of attempts) {
          const error = yield* Effect.flip(Effect.asVoid(attempt))
          assert(error._tag === "InvalidOption")
          assert.deepStrictEqual({ option: error.option, description: error.description }, { option, description })
        }
        const { items } = yield* Effect.flatMap(Store, (store) => store.page({ name: "contacts" }, { limit: 1 }))
        assert.deepStrictEqual(items, [])
      }).pipe(Effect.provide(Store.layerMemory))
  )
})
