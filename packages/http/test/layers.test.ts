import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { ApiClient, Contacts, Mailstream, Topics } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { ConfigProvider, Context, Effect, Layer, Redacted } from "effect"
import { Agent } from "undici"
import { emptyList, json, serve } from "./support/wire.ts"

/** What two parts of an app have asked the API for, each with a client of its own. */
class First extends Context.Tag("First")<First, string>() {}
class Second extends Context.Tag("Second")<Second, string>() {}

type Parts = readonly [first: Layer.Layer<Contacts, unknown>, second: Layer.Layer<Contacts, unknown>]

/** Both parts in one graph of layers. Each lists contacts, and says what it got. */
const run = ([first, second]: Parts) => {
  const listed = Effect.map(
    Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1 })),
    (page) => page.data[0]?.email ?? "nobody"
  )
  const app = Layer.merge(
    Layer.effect(First, listed).pipe(Layer.provide(first)),
    Layer.effect(Second, listed).pipe(Layer.provide(second))
  )
  return Effect.provide(Effect.all([First, Second]), app)
}

/** A service that answers with the account that a request is for: by key, unless a header says otherwise. */
const accounts = serve((response, request) => {
  const name = request.headers["x-account"] ?? request.headers.authorization?.replace("Bearer re_", "")
  const contact = {
    id: "0b2a4c1e-7f8d-4f7a-9a58-3a3f2f6f1c11",
    email: `${String(name)}@example.com`,
    first_name: null,
    last_name: null,
    created_at: "2026-11-01 10:00:00+00",
    unsubscribed: false
  }
  json(200, { ...emptyList, data: [contact] })(response, request)
})

const ofBoth = ["one@example.com", "two@example.com"]

const optionsOf = (baseUrl: string, name: string) => ({ baseUrl, apiKey: Redacted.make(`re_${name}`) })

describe("two clients in one graph of layers", () => {
  it.scoped("have a key each", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* accounts
      const part = (name: string) =>
        Mailstream.layer(optionsOf(baseUrl, name)).pipe(Layer.provide(FetchTransport.layer))
      assert.deepStrictEqual(yield* run([part("one"), part("two")]), ofBoth)
    }))

  it.scoped("have a configuration each", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* accounts
      const part = (name: string) =>
        Mailstream.layerConfig().pipe(
          Layer.provide(FetchTransport.layer),
          Layer.provide(Layer.setConfigProvider(
            ConfigProvider.fromMap(new Map([["MAILSTREAM_BASE_URL", baseUrl], ["MAILSTREAM_API_KEY", `re_${name}`]]))
          ))
        )
      assert.deepStrictEqual(yield* run([part("one"), part("two")]), ofBoth)
    }))

  it.scoped("have services of their own, also if only some are used", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* accounts
      const part = (name: string) =>
        Layer.merge(Contacts.layer, Topics.layer).pipe(
          Layer.provide(ApiClient.layer(optionsOf(baseUrl, name))),
          Layer.provide(FetchTransport.layer)
        )
      assert.deepStrictEqual(yield* run([part("one"), part("two")]), ofBoth)
    }))

  it.scoped("have an HttpClient each", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* accounts
      const part = (name: string) =>
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
        )
      assert.deepStrictEqual(yield* run([part("one"), part("two")]), ofBoth)
    }))

  it.scoped("have options for fetch each", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* accounts
      const part = (name: string) =>
        Mailstream.layer(optionsOf(baseUrl, "same")).pipe(
          Layer.provide(FetchTransport.layer),
          Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { headers: { "x-account": name } }))
        )
      assert.deepStrictEqual(yield* run([part("one"), part("two")]), ofBoth)
    }))

  it.scoped("have a dispatcher each", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* accounts
      const part = (name: string) =>
        Mailstream.layer(optionsOf(baseUrl, "same")).pipe(
          Layer.provide(UndiciTransport.layerWithoutDispatcher),
          Layer.provide(Layer.scoped(
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
        )
      assert.deepStrictEqual(yield* run([part("one"), part("two")]), ofBoth)
    }))
})
