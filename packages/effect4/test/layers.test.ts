import { Mailstream as Client } from "@mailstream/client"
import { ClientClosed, type Contact, Contacts, contacts, Mailstream } from "@mailstream/effect4"
import { undici } from "@mailstream/effect4/undici"
import { Cause, Config, ConfigProvider, Effect, Exit, Layer, Logger, Redacted, Stream } from "effect"
import { inspect } from "node:util"
import { assert, describe } from "vitest"
import { scoped, service } from "./support/service.ts"

const count = Stream.runCount(contacts.items())

const configured = (env: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromEnv({ env }))

describe("a layer", () => {
  scoped("is made from the configuration", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* service({ contacts: 150 })
      const env = configured({ MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) })
      for (const options of [undefined, {}, { transport: Config.succeed(undici()) }]) {
        const live = Mailstream.layerConfig(options).pipe(Layer.provide(env))
        assert.strictEqual(yield* Effect.provide(count, live), 150)
      }
    }))

  scoped("takes any option from the configuration, and names its own variables", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* service({ contacts: 3 })
      const live = (env: Record<string, string>) =>
        Mailstream.layerConfig({
          apiKey: Config.Redacted("KEY"),
          timeout: Config.Duration("TIMEOUT"),
          rateLimit: Config.all({ requests: Config.Number("REQUESTS") })
        }).pipe(Layer.provide(configured(env)))
      const env = { KEY: Redacted.value(apiKey), MAILSTREAM_BASE_URL: baseUrl, TIMEOUT: "5 seconds", REQUESTS: "1000" }
      assert.strictEqual(yield* Effect.provide(count, live(env)), 3)

      const missing = yield* Effect.flip(Effect.provide(count, live({ ...env, TIMEOUT: "soon" })))
      assert(missing._tag === "ConfigError")
      assert.include(missing.message, "TIMEOUT")
      const invalid = yield* Effect.flip(Effect.provide(count, live({ ...env, REQUESTS: "0" })))
      assert(invalid._tag === "InvalidOption")
      assert.strictEqual(invalid.option, "rateLimit.requests")
    }))

  scoped("is made from a nested configuration", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* service({ contacts: 3 })
      const provider = ConfigProvider.fromUnknown({
        mail: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey), timeout: "5 seconds" }
      }).pipe(ConfigProvider.nested("mail"))
      const live = Mailstream.layerConfig({ timeout: Config.Duration("timeout") }).pipe(
        Layer.provide(ConfigProvider.layer(provider))
      )
      assert.strictEqual(yield* Effect.provide(count, live), 3)
    }))

  scoped("fails with a typed error if the configuration is incomplete or wrong", () =>
    Effect.gen(function*() {
      const failed = (env: Record<string, string>) =>
        count.pipe(
          Effect.provide(Mailstream.layerConfig().pipe(Layer.provide(configured(env)))),
          Effect.flip
        )
      for (const missing of ["MAILSTREAM_BASE_URL", "MAILSTREAM_API_KEY"]) {
        const all = { MAILSTREAM_BASE_URL: "http://127.0.0.1:1", MAILSTREAM_API_KEY: "re_1" }
        const env = Object.fromEntries(Object.entries(all).filter(([name]) => name !== missing))
        const error = yield* failed(env)
        assert(error._tag === "ConfigError")
        assert.include(error.message, missing)
      }
      const error = yield* failed({ MAILSTREAM_BASE_URL: "nowhere", MAILSTREAM_API_KEY: "re_1" })
      assert(error._tag === "InvalidOption")
      assert.strictEqual(error.option, "baseUrl")
    }))

  scoped("fails with a typed error if an option cannot be used", () =>
    Effect.gen(function*() {
      const options = { baseUrl: "http://127.0.0.1:1", apiKey: Redacted.make("re_1") }
      for (
        const [option, invalid] of [
          ["timeout", { timeout: "0 millis" }],
          ["rateLimit.per", { rateLimit: { requests: 1, per: "-1 second" } }],
          ["apiKey", { apiKey: Redacted.make("") }]
        ] as const
      ) {
        const error = yield* Effect.flip(Effect.provide(count, Mailstream.layer({ ...options, ...invalid })))
        assert(error._tag === "InvalidOption")
        assert.strictEqual(error.option, option)
      }
    }))

  scoped("closes its client when it ends, and not before", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, layer } = yield* service({ contacts: 3 })
      const { list } = yield* Effect.gen(function*() {
        assert.strictEqual(yield* count, 3)
        return yield* Contacts
      }).pipe(Effect.provide(layer))
      const exit = yield* Effect.exit(list())
      assert(Exit.isFailure(exit))
      assert.instanceOf(Cause.squash(exit.cause), ClientClosed)

      // A client of the caller's stays open.
      const client = new Client({ baseUrl, apiKey: Redacted.value(apiKey) })
      for (let n = 0; n < 2; n++) {
        assert.strictEqual(yield* Effect.provide(count, Mailstream.layerClient(client)), 3)
      }
      yield* Effect.promise(() => client.close())
    }))

  scoped("never prints the key", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* service({ contacts: 3 })
      const secret = "re_extremely_secret"
      const printed: Array<unknown> = []
      const logger = Logger.make(({ cause, message }) => printed.push(message, cause))
      const options = { baseUrl, apiKey: Redacted.make(secret) }
      const layer = Mailstream.layer(options)
      printed.push(options, layer)
      yield* Effect.gen(function*() {
        printed.push(yield* Contacts, yield* Effect.context())
        const error = yield* Effect.flip(count)
        assert.strictEqual(error._tag, "invalid_api_key")
        printed.push(error, error.stack)
        yield* Effect.logError(error)
      }).pipe(Effect.provide([layer, Logger.layer([logger])]))
      const env = configured({ MAILSTREAM_BASE_URL: "nowhere", MAILSTREAM_API_KEY: secret })
      const exit = yield* Effect.exit(
        Effect.provide(count, Mailstream.layerConfig().pipe(Layer.provide(env)))
      )
      printed.push(exit)
      const text = printed.map((value) => `${inspect(value, { depth: 20, showHidden: true })} ${String(value)}`).join()
      assert.notInclude(text, secret)
      assert.notInclude(JSON.stringify(printed.filter((value) => value !== undefined)), secret)
    }))

  scoped("can be replaced, list by list", () =>
    Effect.gen(function*() {
      const ada: Contact = {
        id: "1",
        email: "ada@example.com",
        first_name: "Ada",
        last_name: null,
        created_at: "2026-11-16T00:00:00.000Z",
        unsubscribed: false
      }
      const fake = Layer.mock(Contacts)({ items: () => Stream.succeed(ada) })
      assert.strictEqual(yield* Effect.provide(count, fake), 1)
    }))
})
