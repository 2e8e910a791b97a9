import { Headers } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type RequestError, SegmentId } from "@mailstream/core"
import { ApiClient, Contacts, Mailstream, RetryPolicy, Topics } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Recorder from "@mailstream/testing/Recorder"
import { Cause, Context, Effect, Exit, FastCheck as fc, Layer, Option, Redacted } from "effect"
import { encodings, leaked } from "./support/encodings.ts"
import { emptyList, json, type Respond, serve, text, transports } from "./support/wire.ts"

/** Every rendering of a value, including hidden and nested parts. */
const renderings = (value: unknown): ReadonlyArray<string> =>
  Recorder.renderings(value, { depth: Infinity, showHidden: true, maxStringLength: Infinity })

/** Text with characters such as `+` and `/` escaped, as some JSON encoders do. */
const escaped = (text: string): string =>
  text.replace(/[^A-Za-z0-9]|^./g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Broken responses, some of which echo the request. */
const responses: ReadonlyArray<(key: string) => Respond> = [
  () => json(200, emptyList),
  (key) => json(403, { statusCode: 403, name: "invalid_api_key", message: `API key ${key} is invalid` }),
  (key) => json(400, { statusCode: 400, name: key, message: key }),
  (key) => json(403, { statusCode: 403, error: `Bearer ${key}` }),
  (key) => text(502, `<html><body>authorization: Bearer ${key}</body></html>`),
  (key) => text(200, `Bearer ${key}`),
  (key) => text(200, `{"token":"${key}`),
  (key) => json(200, { object: key, has_more: key, data: [{ id: key, [key]: key }] }),
  (key) => json(429, { statusCode: 429, name: "rate_limit_exceeded", message: key }, { "retry-after": "0" }),
  // Echoed with another escaping, and in unexpected places.
  (key) => text(400, `{"statusCode":400,"name":"validation_error","message":"${escaped(key)}"}`),
  (key) => text(403, `{"statusCode":403,"error":"no \\u0022${escaped(key)}\\u0022"}`),
  (key) => text(502, `<p>${key.replace(/./g, (c) => `&#${c.charCodeAt(0)};`)}</p>`),
  (key) => text(200, key, { "content-type": `text/${key}` }),
  ...Object.values(encodings).flatMap((encode): ReadonlyArray<(key: string) => Respond> => [
    (key) => text(502, `<html><title>502</title><pre>authorization: Bearer ${encode(key)}</pre></html>`),
    (key) => text(200, `Authorization: ${encode(`Bearer ${key}`)}`, { "content-type": `text/${encode(key)}` }),
    (key) => json(403, { statusCode: 403, name: "invalid_api_key", message: `API key ${encode(key)} is invalid` }),
    (key) => text(302, "", { location: `/login/${encode(key)}?key=${encode(key)}`, "x-request-id": encode(key) }),
    (key) => text(401, encode(key).slice(0, -3), { "www-authenticate": encode(key), "x-echo": encode(key) })
  ]),
  () => (response) => response.destroy(),
  () => (response) => {
    response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy())
  }
]

describe.each(transports)("the key over %s", (_, transport) => {
  it.scopedLive("never appears in an error, log, span or value", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.stringMatching(/^re_[A-Za-z0-9_]{12,30}$/),
          fc.constantFrom(...responses),
          fc.boolean(),
          (key, respond, creates) => Effect.runPromise(Effect.scoped(check(key, respond(key), creates, transport)))
        ),
        { numRuns: 40 }
      )
    ), 60_000)

  it.scopedLive("is not visible in options, layers or services", () =>
    Effect.gen(function*() {
      const key = "re_Visible_4f2b9c7d"
      const options = optionsOf("http://127.0.0.1:1", key)
      const layer = Mailstream.layer(options).pipe(Layer.provide(transport))
      const context = yield* Layer.build(layer)
      assertWithout(key, [options, layer, Context.get(context, ApiClient), context])
    }), 60_000)
})

const check = (key: string, respond: Respond, creates: boolean, transport: (typeof transports)[number][1]) =>
  Effect.gen(function*() {
    const seen: Array<unknown> = []
    const server = yield* serve(respond)
    const layer = Mailstream.layer(optionsOf(server.baseUrl, key)).pipe(Layer.provide(transport))
    const call: Effect.Effect<unknown, RequestError, Topics | Contacts> = creates
      ? Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry: RetryPolicy.none }))
      : Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1, filter: { segment_id: SegmentId.make("s") } }))

    const exit = yield* call.pipe(
      Effect.tapErrorCause((cause) => Effect.logError("It went wrong.", cause)),
      Effect.withSpan("app"),
      Effect.exit,
      Effect.provide(Layer.provideMerge(layer, Recorder.layer((_, ...values) => void seen.push(...values)))),
      // A program that has not configured which headers are secret.
      Effect.locally(Headers.currentRedactedNames, [])
    )
    seen.push(exit)
    if (Exit.isFailure(exit)) {
      const error = Option.getOrThrow(Cause.failureOption(exit.cause))
      seen.push(error)
      assert.isUndefined(leaked(key, `${error.name} ${error.message} ${JSON.stringify(error)}`), error.message)
    }

    assert.strictEqual(server.received[0]?.headers["authorization"], `Bearer ${key}`)
    assert.isAbove(seen.length, 5)
    assertWithout(key, seen)
  })

const optionsOf = (baseUrl: string, key: string) =>
  ({ baseUrl, apiKey: Redacted.make(key), timeout: "5 seconds" }) as const

const assertWithout = (key: string, values: ReadonlyArray<unknown>): void => {
  for (const value of values) {
    for (const rendering of renderings(value)) assert.isFalse(rendering.includes(key), `the key is in: ${rendering}`)
  }
}

it.scopedLive("a rejected key is not shown either", () =>
  Effect.gen(function*() {
    const key = "re_secret with spaces"
    const exit = yield* Layer.build(ApiClient.layer({ baseUrl: "http://localhost", apiKey: Redacted.make(key) })).pipe(
      Effect.provide(UndiciTransport.layer),
      Effect.exit
    )
    assert.isTrue(Exit.isFailure(exit))
    for (const rendering of renderings(exit)) assert.notInclude(rendering, key)
  }))
