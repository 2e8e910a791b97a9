import { Config, ConfigProvider, Context, Effect, Exit, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { Agent } from "undici"
import { assert, describe, it } from "vitest"
import { ApiClient } from "../../src/http/ApiClient.ts"
import * as FetchTransport from "../../src/http/FetchTransport.ts"
import * as HttpClientTransport from "../../src/http/HttpClientTransport.ts"
import * as Mailstream from "../../src/http/Mailstream.ts"
import { Contacts, Topics } from "../../src/http/Services.ts"
import * as UndiciTransport from "../../src/http/UndiciTransport.ts"
import { contact, emptyList, json, scoped, serve } from "./support.ts"

/** What two parts of an app have asked the API for, each with a client of its own. */
class First extends Context.Service<First, string>()("First") {}
class Second extends Context.Service<Second, string>()("Second") {}

type Part = Layer.Layer<Contacts, unknown>

const listed = Effect.map(
  Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1 })),
  (page) => page.data[0]?.email ?? "nobody"
)

/** How two clients are used in one program. */
const ways: ReadonlyArray<
  readonly [string, (first: Part, second: Part) => Effect.Effect<ReadonlyArray<string>, unknown>]
> = [
  ["one graph of layers", (first, second) =>
    Effect.provide(
      Effect.all([First, Second]),
      Layer.merge(
        Layer.effect(First, listed).pipe(Layer.provide(first)),
        Layer.effect(Second, listed).pipe(Layer.provide(second))
      )
    )],
  [
    "one after the other",
    (first, second) => Effect.all([Effect.provide(listed, first), Effect.provide(listed, second)])
  ],
  ["one within the other", (first, second) =>
    Effect.provide(
      Effect.all([listed, Effect.provide(listed, second)]),
      first
    )],
  ["one within the other, and back again", (first, second) =>
    Effect.provide(
      Effect.map(
        Effect.all([Effect.provide(Effect.all([listed, Effect.provide(listed, first)]), second), listed]),
        ([[second, first], again]) => {
          assert.strictEqual(again, first)
          return [first, second]
        }
      ),
      first
    )]
]

/** A service that answers with the account that a request is for: by key, unless a header says otherwise. */
const accounts = serve((response, request) => {
  const name = request.headers["x-account"] ?? request.headers.authorization?.replace("Bearer re_", "")
  json(200, { ...emptyList, data: [{ ...contact, email: `${String(name)}@example.com` }] })(response, request)
})

const ofBoth = ["one@example.com", "two@example.com"]

const optionsOf = (baseUrl: string, name: string) => ({ baseUrl, apiKey: Redacted.make(`re_${name}`) })

const environment = (baseUrl: string, name: string) =>
  ConfigProvider.fromUnknown({ MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: `re_${name}` })

describe.each(ways)("two clients, %s", (_, use) => {
  const each = (name: string, part: (baseUrl: string, name: string) => Part) =>
    scoped(name, () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* accounts
        assert.deepStrictEqual(yield* use(part(baseUrl, "one"), part(baseUrl, "two")), ofBoth)
      }))

  each(
    "have a key each",
    (baseUrl, name) => Mailstream.layer(optionsOf(baseUrl, name)).pipe(Layer.provide(FetchTransport.layer))
  )

  each("have a configuration each", (baseUrl, name) =>
    Mailstream.layerConfig().pipe(
      Layer.provide(FetchTransport.layer),
      Layer.provide(ConfigProvider.layer(environment(baseUrl, name)))
    ))

  each(
    "have services of their own, also if only some are used",
    (baseUrl, name) =>
      Layer.merge(Contacts.layer, Topics.layer).pipe(
        Layer.provide(ApiClient.layer(optionsOf(baseUrl, name))),
        Layer.provide(FetchTransport.layer)
      )
  )

  each("have an HttpClient each", (baseUrl, name) =>
    Mailstream.layer(optionsOf(baseUrl, "same")).pipe(
      Layer.provide(HttpClientTransport.layer),
      Layer.provide(Layer.effect(
        HttpClient.HttpClient,
        Effect.map(
          HttpClient.HttpClient,
          HttpClient.mapRequest(HttpClientRequest.setHeader("x-account", name))
        )
      )),
      Layer.provide(FetchHttpClient.layer)
    ))

  each("have options for fetch each", (baseUrl, name) =>
    Mailstream.layer(optionsOf(baseUrl, "same")).pipe(
      Layer.provide(FetchTransport.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { headers: { "x-account": name } }))
    ))

  each("have a fetch each", (baseUrl, name) =>
    Mailstream.layer(optionsOf(baseUrl, "same")).pipe(
      Layer.provide(FetchTransport.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (input, init) => {
        const headers = new Headers(init?.headers)
        headers.set("x-account", name)
        return fetch(input, { ...init, headers })
      }))
    ))

  each("have a dispatcher each", (baseUrl, name) =>
    Mailstream.layer(optionsOf(baseUrl, "same")).pipe(
      Layer.provide(UndiciTransport.layerWithoutDispatcher),
      Layer.provide(Layer.effect(
        UndiciTransport.Dispatcher,
        Effect.acquireRelease(
          Effect.sync(() =>
            new Agent().compose((dispatch) => (options, handler) =>
              dispatch({ ...options, headers: { ...options.headers, "x-account": name } }, handler)
            )
          ),
          (agent) => Effect.promise(() => agent.destroy())
        )
      ))
    ))
})

describe("the configuration", () => {
  const keyOf = (layer: Layer.Layer<Contacts, unknown>) => Effect.provide(listed, layer)

  scoped("comes from the environment, unless it is given", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* accounts
      const layer = (options?: Parameters<typeof Mailstream.layerConfig>[0]) =>
        Mailstream.layerConfig(options).pipe(
          Layer.provide(FetchTransport.layer),
          Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
            MAILSTREAM_BASE_URL: baseUrl,
            MAILSTREAM_API_KEY: "re_one",
            OTHER_KEY: "re_other",
            PATIENCE: "10 seconds"
          })))
        )
      assert.strictEqual(yield* keyOf(layer()), "one@example.com")
      assert.strictEqual(yield* keyOf(layer({ apiKey: Config.Redacted("OTHER_KEY") })), "other@example.com")
      assert.strictEqual(yield* keyOf(layer({ timeout: Config.Duration("PATIENCE") })), "one@example.com")
      const all = Config.map(Config.Redacted("OTHER_KEY"), (apiKey) => ({ apiKey }))
      assert.strictEqual(yield* keyOf(layer(all)), "other@example.com")
    }))

  const failureOf = (variables: Readonly<Record<string, string>>) =>
    Effect.map(
      Effect.flip(Effect.scoped(Layer.build(
        Mailstream.layerConfig().pipe(
          Layer.provide(FetchTransport.layer),
          Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
        )
      ))),
      (error) => ({ tag: error._tag, message: String(error) })
    )

  it("says which variable is missing or wrong, and never its value", () =>
    Effect.gen(function*() {
      const missing = yield* failureOf({ MAILSTREAM_BASE_URL: "https://api.example.com" })
      assert.strictEqual(missing.tag, "ConfigError")
      assert.include(missing.message, "MAILSTREAM_API_KEY")
      const wrong = yield* failureOf({
        MAILSTREAM_BASE_URL: "https://api.example.com",
        MAILSTREAM_API_KEY: "re_secret key"
      })
      assert.strictEqual(wrong.tag, "ConfigError")
      assert.include(wrong.message, "must be visible ASCII characters only")
      assert.include(wrong.message, "MAILSTREAM_API_KEY")
      assert.notInclude(wrong.message, "re_secret")
      const address = yield* failureOf({
        MAILSTREAM_BASE_URL: "ftp://user:secret@example.com",
        MAILSTREAM_API_KEY: "re_1"
      })
      assert.include(address.message, "must be an http or https URL")
      assert.include(address.message, "MAILSTREAM_BASE_URL")
      assert.notInclude(address.message, "secret")
    }).pipe(Effect.runPromise))

  it.each([
    [{ baseUrl: "nowhere" }, "baseUrl must be an http or https URL"],
    [{ apiKey: Redacted.make("") }, "apiKey must not be empty"],
    [{ apiKey: "re_plain" as never }, "apiKey must be a Redacted text"],
    [{ timeout: 0 }, "timeout must be a duration greater than 0"],
    [{ timeout: -1 }, "timeout must be a duration greater than 0"],
    [{ maxBodySize: 0 }, "maxBodySize must be a number greater than 0"],
    [{ rateLimit: { requests: 0 } }, "rateLimit.requests must be a number greater than 0"],
    [{ rateLimit: { per: "0 seconds" as const } }, "rateLimit.per must be a finite duration greater than 0"]
  ])("rejects %j", (options, message) =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Effect.scoped(Layer.build(
        Mailstream.layer({ baseUrl: "https://api.example.com", apiKey: Redacted.make("re_1"), ...options }).pipe(
          Layer.provide(FetchTransport.layer)
        )
      )))
      assert.isTrue(Exit.isFailure(exit))
      assert.include(String(exit), "InvalidOption")
      assert.include(String(exit), message)
    }).pipe(Effect.runPromise))
})
