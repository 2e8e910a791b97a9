import { assert, describe, it } from "@effect/vitest"
import { type ContactId, type CreateTopic, type PageRequest, type ReceivedEmailId, SegmentId } from "@mailstream/core"
import {
  ApiClient,
  type ApiClientOptions,
  Contacts,
  Domains,
  Mailstream,
  ReceivedEmailAttachments,
  Segments,
  Topics
} from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as Transport from "@mailstream/http/Transport"
import { eventually } from "@mailstream/testing/Eventually"
import {
  Config,
  ConfigProvider,
  Context,
  Duration,
  Effect,
  Either,
  FastCheck as fc,
  Fiber,
  Layer,
  Redacted,
  type Scope,
  Stream,
  TestClock
} from "effect"
import { isUtf8 } from "node:buffer"
import manifest from "../package.json" with { type: "json" }
import { apiKey, emptyList, json, key, mailstream, serve, text, transports } from "./support/wire.ts"

const id = "e169aa45-1ecf-4183-9955-b1499d5701d3" as ContactId

/** A service of a layer that lives as long as the test. */
const service = <I, S, E>(tag: Context.Tag<I, S>, layer: Layer.Layer<I, E>): Effect.Effect<S, E, Scope.Scope> =>
  Effect.map(Layer.build(layer), Context.get(tag))

describe.each(transports)("requests over %s", (_, transport) => {
  it.scopedLive("send a list request", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      yield* Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 7, after: id })).pipe(
        Effect.provide(mailstream(server.baseUrl, {}, transport))
      )
      const [request] = server.received
      assert(request !== undefined)
      assert.strictEqual(request.method, "GET")
      assert.strictEqual(request.url, `/contacts?limit=7&after=${id}`)
      assert.strictEqual(request.headers["authorization"], `Bearer ${key}`)
      assert.strictEqual(request.headers["accept"], "application/json")
      assert.strictEqual(request.headers["user-agent"], `mailstream/${manifest.version}`)
      assert.strictEqual(request.body, "")
      assert.notProperty(request.headers, "content-type")
      assert.notProperty(request.headers, "traceparent")
    }))

  it.scopedLive("send a create request", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(201, { object: "topic", id }))
      yield* Effect.flatMap(Topics, (topics) =>
        topics.create({ name: "Ünïcode 🎉", description: undefined, default_subscription: "opt_in" })).pipe(
          Effect.provide(mailstream(server.baseUrl, {}, transport))
        )
      const [request] = server.received
      assert.strictEqual(`${request?.method} ${request?.url}`, "POST /topics")
      assert.include(request?.headers["content-type"], "application/json")
      assert.strictEqual(request?.headers["authorization"], `Bearer ${key}`)
      assert.strictEqual(request?.headers["accept"], "application/json")
      assert.strictEqual(request?.headers["user-agent"], `mailstream/${manifest.version}`)
      assert.deepStrictEqual(JSON.parse(request!.body), { name: "Ünïcode 🎉", default_subscription: "opt_in" })
    }))

  it.scopedLive("have a path that no id can change", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const contacts = yield* service(Contacts, mailstream(server.baseUrl, {}, transport))
      const segments = fc.sample(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), { seed: 3, numRuns: 40 })
        .concat("../contacts?x=", "a/b", "%2e%2e", "?limit=1", "#", "\\..", "..;", " ", "\r\nhost: evil")
        .filter((segment) => segment !== "." && segment !== "..")
      for (const segment of segments) yield* contacts.list({ filter: { segment_id: SegmentId.make(segment) } })
      assert.deepStrictEqual(
        server.received.map(({ url }) => url),
        segments.map((segment) => `/segments/${encodeURIComponent(segment)}/contacts`)
      )
    }))
})

describe("the base URL", () => {
  const urlOf = (suffix: string, toBaseUrl: (url: string) => string | URL = String) =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const baseUrl = toBaseUrl(`${server.baseUrl}${suffix}`)
      const contacts = yield* service(Contacts, mailstream(server.baseUrl, { baseUrl }))
      yield* contacts.list()
      return server.received[0]?.url
    })

  it.scopedLive("keeps its path as a prefix", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* urlOf(""), "/contacts")
      assert.strictEqual(yield* urlOf("/"), "/contacts")
      assert.strictEqual(yield* urlOf("/proxy/v1"), "/proxy/v1/contacts")
      assert.strictEqual(yield* urlOf("/proxy/v1//"), "/proxy/v1/contacts")
    }))

  it.scopedLive("may be a URL", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* urlOf("/proxy/", (url) => new URL(url)), "/proxy/contacts")
    }))
})

describe("invalid options", () => {
  const options: ReadonlyArray<readonly [name: string, options: object]> = [
    ["baseUrl", { baseUrl: "ftp://example.com" }],
    ["apiKey", { apiKey: Redacted.make("") }],
    ["apiKey", { apiKey: Redacted.make("re_plain text") }],
    ["apiKey", { apiKey: "re_plain" }],
    ["apiKey", { apiKey: undefined }],
    ["timeout", { timeout: "soon" }],
    ["timeout", { timeout: 0 }],
    ["timeout", { timeout: NaN }],
    ["maxBodySize", { maxBodySize: 0 }],
    ["maxBodySize", { maxBodySize: NaN }],
    ["rateLimit.requests", { rateLimit: { requests: 0 } }],
    ["rateLimit.requests", { rateLimit: { requests: NaN } }],
    ["rateLimit.requests", { rateLimit: { requests: -1 } }],
    ["rateLimit.per", { rateLimit: { requests: 1, per: "0 seconds" } }],
    ["rateLimit.per", { rateLimit: { requests: 1, per: Infinity } }],
    ["rateLimit.maxPause", { rateLimit: { maxPause: -5 } }]
  ]

  it.effect.each(options)("are rejected when the layer is built: %s", ([name, options]) =>
    Effect.gen(function*() {
      const layer = Mailstream.layer({ baseUrl: "http://localhost", apiKey, ...options })
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.provide(layer, FetchTransport.layer))))
      assert.strictEqual(error._tag, "InvalidOption")
      assert.strictEqual(error.option, name)
      assert.notInclude(String(error), "re_plain")
    }))
})

describe("input that the API would reject", () => {
  const messageOf = <A, E extends { readonly _tag: string; readonly message: string }>(
    call: Effect.Effect<A, E, Mailstream.Mailstream>
  ) =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const error = yield* call.pipe(Effect.flip, Effect.provide(mailstream(server.baseUrl)))
      assert.strictEqual(error._tag, "validation_error")
      assert.deepStrictEqual(server.received, [])
      return error.message
    })

  const list = (options: object) =>
    Effect.flatMap(Contacts, (contacts) => contacts.list(options as PageRequest.PageRequest<ContactId>))

  const create = (input: object) => Effect.flatMap(Topics, (topics) => topics.create(input as CreateTopic))

  it.scopedLive("fails with the API's own error, and nothing is sent", () =>
    Effect.gen(function*() {
      const limit = "The pagination limit must be a number between 1 and 100."
      assert.strictEqual(yield* messageOf(list({ limit: 0 })), limit)
      assert.strictEqual(yield* messageOf(list({ limit: 101 })), limit)
      assert.strictEqual(
        yield* messageOf(list({ after: id, before: id })),
        "You can only pass one of `before` or `after` for pagination."
      )
      assert.include(yield* messageOf(list({ after: "not-a-uuid" })), "`after`")
      assert.include(
        yield* messageOf(Effect.flatMap(Segments, (segments) => segments.list({ after: "\ud800" as SegmentId }))),
        "`after`"
      )
      assert.include(yield* messageOf(list({ filter: { segment_id: "" } })), "`segment_id`")
      assert.include(yield* messageOf(list({ filter: { segment_id: "\udfff" } })), "`segment_id`")
      assert.include(yield* messageOf(list({ filter: { segment_id: ".." } })), "`segment_id`")
      assert.include(
        yield* messageOf(
          Effect.flatMap(
            ReceivedEmailAttachments,
            (attachments) => attachments.list({ filter: { email_id: "" as ReceivedEmailId } })
          )
        ),
        "`email_id`"
      )
      assert.include(yield* messageOf(create({ name: "x".repeat(51) })), "at most 50 characters")
      assert.include(yield* messageOf(create({ name: "x", description: "y".repeat(201) })), "at most 200 characters")
      assert.strictEqual(yield* messageOf(create({})), "Missing `name` field.")
      for (const name of ["", " \n", "\u200b\ufeff"]) {
        assert.strictEqual(yield* messageOf(create({ name })), "The `name` field must not be blank.")
      }
    }))

  it.scopedLive("is checked when the call runs, not when it is built", () =>
    Effect.gen(function*() {
      const contacts = yield* service(Contacts, mailstream("http://127.0.0.1:1"))
      const call = contacts.list({ limit: 1000 })
      assert.strictEqual((yield* Effect.flip(call))._tag, "validation_error")
    }))
})

describe("an invalid client configuration", () => {
  const messageOf = (options: Partial<ApiClientOptions>) =>
    Layer.build(ApiClient.layer({ baseUrl: "https://api.example.com", apiKey, ...options })).pipe(
      Effect.provide(FetchTransport.layer),
      Effect.flip,
      Effect.map(String)
    )

  it.scopedLive.each([
    "",
    "api.example.com",
    "ftp://api.example.com",
    "https://user:pass@api.example.com",
    "https://user@api.example.com",
    "https://:pass@api.example.com",
    "https://api.example.com/?a=b",
    "https://api.example.com/#a"
  ])("the base URL %j", (baseUrl) =>
    Effect.gen(function*() {
      assert.include(yield* messageOf({ baseUrl }), "baseUrl")
    }))

  it.scopedLive.each(["", " ", "with space", "line\nend", "re_123\r\n", "nul\0", "ключ"])(
    "the key %j",
    (key) =>
      Effect.gen(function*() {
        const message = yield* messageOf({ apiKey: Redacted.make(key) })
        assert.include(message, "apiKey")
        if (key.trim() !== "") assert.notInclude(message, key)
      })
  )

  it.scopedLive("names the variable that is missing or invalid", () =>
    Effect.gen(function*() {
      const messageOf = (entries: ReadonlyArray<readonly [string, string]>) =>
        Layer.build(Mailstream.layerConfig()).pipe(
          Effect.provide(FetchTransport.layer),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map(entries))),
          Effect.flip,
          Effect.map(String)
        )
      assert.include(yield* messageOf([["MAILSTREAM_API_KEY", key]]), "MAILSTREAM_BASE_URL")
      assert.include(
        yield* messageOf([["MAILSTREAM_BASE_URL", "https://api.example.com"]]),
        "Expected MAILSTREAM_API_KEY to exist"
      )
      const wrong = yield* messageOf([["MAILSTREAM_BASE_URL", "nowhere"], ["MAILSTREAM_API_KEY", "a\nb"]])
      assert.include(wrong, "(Invalid data at MAILSTREAM_BASE_URL: ")
      assert.include(
        yield* messageOf([["MAILSTREAM_BASE_URL", "https://api.example.com"], ["MAILSTREAM_API_KEY", "a\nb"]]),
        "(Invalid data at MAILSTREAM_API_KEY: "
      )
      assert.notInclude(wrong, "a\nb")
    }))
})

describe("layers", () => {
  it.scopedLive("take the other options beside the configuration", () =>
    Effect.gen(function*() {
      const layer = ApiClient.layerConfig({ timeout: Config.succeed(0) })
      const error = yield* Layer.build(Layer.provide(layer, FetchTransport.layer)).pipe(
        Effect.withConfigProvider(
          ConfigProvider.fromMap(
            new Map([["MAILSTREAM_BASE_URL", "https://api.example.com"], ["MAILSTREAM_API_KEY", key]])
          )
        ),
        Effect.flip
      )
      assert(error._tag === "InvalidOption")
      assert.strictEqual(error.option, "timeout")
    }))

  it.effect("ignore an option of layerConfig that is undefined, and refuse a key that is", () =>
    Effect.gen(function*() {
      const environment = ConfigProvider.fromMap(
        new Map([["MAILSTREAM_BASE_URL", "http://localhost"], ["MAILSTREAM_API_KEY", "key"]])
      )
      // Allowed without `exactOptionalPropertyTypes`.
      yield* Layer.build(Mailstream.layerConfig(Object.fromEntries([["timeout", undefined]]))).pipe(
        Effect.withConfigProvider(environment)
      )
      const key: Redacted.Redacted = Redacted.make(process.env["MAILSTREAM_NOT_SET"]!)
      const error = yield* Effect.flip(Layer.build(Mailstream.layer({ baseUrl: "http://localhost", apiKey: key })))
      assert.strictEqual(error.message, "apiKey must not be empty")
    }).pipe(Effect.scoped, Effect.provide(FetchTransport.layer)))

  it.scopedLive("read the configuration with layerConfig", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const provider = ConfigProvider.fromMap(
        new Map([["MAILSTREAM_BASE_URL", server.baseUrl], ["MAILSTREAM_API_KEY", key]])
      )
      yield* Effect.flatMap(Contacts, (contacts) => contacts.list()).pipe(
        Effect.provide(Layer.provide(Mailstream.layerConfig({}), FetchTransport.layer)),
        Effect.withConfigProvider(provider)
      )
      assert.strictEqual(server.received[0]?.headers["authorization"], `Bearer ${key}`)
    }))

  it.scopedLive.each(
    [
      ["variables of another name", undefined, {
        baseUrl: Config.string("NEWS_URL"),
        apiKey: Config.redacted("NEWS_KEY")
      }, ["NEWS_URL", "NEWS_KEY"]],
      [
        "one config for all options",
        undefined,
        Config.all({
          baseUrl: Config.string("NEWS_URL"),
          apiKey: Config.redacted("NEWS_KEY")
        }),
        ["NEWS_URL", "NEWS_KEY"]
      ],
      ["the usual variables, nested", "NEWS", undefined, [
        "NEWS.MAILSTREAM_BASE_URL",
        "NEWS.MAILSTREAM_API_KEY"
      ]]
    ] as const
  )("read %s", ([_, nested, config, [url, secret]]) =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const map = ConfigProvider.fromMap(new Map([[url, server.baseUrl], [secret, key]]))
      const provider = nested === undefined ? map : ConfigProvider.nested(map, nested)
      yield* Effect.flatMap(Contacts, (contacts) => contacts.list()).pipe(
        Effect.provide(Layer.provide(Mailstream.layerConfig(config), FetchTransport.layer)),
        Effect.withConfigProvider(provider)
      )
      assert.strictEqual(server.received[0]?.headers["authorization"], `Bearer ${key}`)
    }))

  it.scopedLive("provide a single service on one client", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const client = ApiClient.layer({ baseUrl: server.baseUrl, apiKey })
      yield* Effect.flatMap(Contacts, (contacts) => contacts.list()).pipe(
        Effect.provide(Contacts.layer.pipe(Layer.provide(client), Layer.provide(FetchTransport.layer)))
      )
      assert.strictEqual(server.received[0]?.headers["authorization"], `Bearer ${key}`)
    }))
})

describe.each(transports)("the text of a response over %s", (_, transport) => {
  it.scopedLive("is decoded as UTF-8, or rejected if it is not, whatever the bytes", () =>
    Effect.gen(function*() {
      const letters = fc.string({ unit: "binary", maxLength: 30 }).map((text) => [...Buffer.from(text)])
      const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 30 })
      const names = fc.sample(fc.oneof(letters, bytes), { seed: 5, numRuns: 80 })
        .concat(["c3a9", "f09f8e89", "eda080", "c0af", "efbbbf", "e282"].map((hex) => [...Buffer.from(hex, "hex")]))
        // Characters that JSON allows in a string without an escape.
        .map((bytes) => Uint8Array.from(bytes.filter((byte) => byte >= 0x20 && byte !== 0x22 && byte !== 0x5C)))
      const [before, after] = JSON.stringify({ object: "list", has_more: false, data: [{ id, name: "|" }] }).split("|")
      let index = 0
      const server = yield* serve((response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(Buffer.concat([Buffer.from(before!), names[index++]!, Buffer.from(after!)]))
      })
      const domains = yield* service(Domains, mailstream(server.baseUrl, {}, transport))
      for (const bytes of names) {
        const result = yield* Effect.either(domains.list())
        if (isUtf8(bytes)) {
          assert.strictEqual(Either.getOrThrow(result).data[0]?.name, Buffer.from(bytes).toString())
        } else {
          assert(Either.isLeft(result))
          assert.deepInclude(result.left, {
            _tag: "UnexpectedResponse",
            reason: "NotText",
            description: "expected JSON, found bytes that are not UTF-8"
          })
        }
      }
    }))

  it.scopedLive("may have a byte order mark, and end in the middle of a character at any byte", () =>
    Effect.gen(function*() {
      const body = Buffer.from(`\ufeff${JSON.stringify({ ...emptyList, note: "é🙈" })}`)
      const server = yield* serve((response) => {
        response.writeHead(200)
        for (const byte of body) response.write(Uint8Array.of(byte))
        response.end()
      })
      const domains = yield* service(Domains, mailstream(server.baseUrl, {}, transport))
      assert.deepStrictEqual<unknown>(yield* domains.list(), { ...emptyList, note: "é🙈" })
    }))

  it.scopedLive("is lost if it ends in the middle of a character, as a response that was cut short", () =>
    Effect.gen(function*() {
      const cut = Buffer.from(JSON.stringify({ ...emptyList, note: "é" })).subarray(0, -3)
      const server = yield* serve((response) => void response.writeHead(200).end(cut))
      const error = yield* Effect.flip(Effect.flatMap(Contacts, (contacts) => contacts.list())).pipe(
        Effect.provide(mailstream(server.baseUrl, {}, transport))
      )
      assert(error._tag === "TransportError")
      assert.deepInclude(error, { reason: "Lost", description: "the body ends within a character" })
    }))

  it.scopedLive("is replaced where it is not UTF-8, in an error: its status counts", () =>
    Effect.gen(function*() {
      const server = yield* serve((response) => {
        response.writeHead(502, { "content-type": "text/html" }).end(Buffer.from("<p>caf\xe9</p>", "latin1"))
      })
      const domains = yield* service(Domains, mailstream(server.baseUrl, {}, transport))
      const error = yield* Effect.flip(domains.list())
      assert.include(error, { _tag: "api_error", statusCode: 502 })
      assert.include(error.message, "caf\ufffd")
    }))

  it.scopedLive("is put together again in an error, at any byte, and may end in the middle of a character", () =>
    Effect.gen(function*() {
      const body = Buffer.concat([Buffer.from("🙈 é", "utf8"), Buffer.from([0xFF]), Buffer.from("é").subarray(0, 1)])
      const server = yield* serve((response) => {
        response.writeHead(502, { "content-type": "text/plain" })
        for (const byte of body) response.write(Uint8Array.of(byte))
        response.end()
      })
      const domains = yield* service(Domains, mailstream(server.baseUrl, {}, transport))
      const error = yield* Effect.flip(domains.list())
      assert.isTrue(error.message.endsWith(": 🙈 é\ufffd\ufffd"), error.message)
    }))
})

describe.each(transports)("a response that is read as it arrives over %s", (_, transport) => {
  const open = (baseUrl: string) =>
    Effect.flatMap(
      service(ApiClient, mailstream(baseUrl, {}, transport)),
      (api) => api.open({ name: "Test.open", method: "GET", path: "/contacts" })
    )

  it.scopedLive("arrives in chunks", () =>
    Effect.gen(function*() {
      const headers = { "content-type": "text/plain", "content-encoding": "identity" }
      const server = yield* serve(text(200, "abc".repeat(100_000), headers))
      const response = yield* open(server.baseUrl)
      assert.deepInclude(response, {
        from: { method: "GET", url: `${server.baseUrl}/contacts`, statusCode: 200 },
        contentType: "text/plain",
        contentEncoding: "identity",
        timeout: Duration.seconds(30)
      })
      const body = yield* response.bytes.pipe(Stream.decodeText(), Stream.mkString)
      assert.isTrue(body === "abc".repeat(100_000))
    }))

  it.scopedLive("fails with the API's error", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(422, { statusCode: 422, name: "validation_error", message: "No." }))
      assert.strictEqual((yield* Effect.flip(open(server.baseUrl)))._tag, "validation_error")
    }))

  it.scopedLive("fails if the connection breaks", () =>
    Effect.gen(function*() {
      const server = yield* serve((response) => {
        response.writeHead(200, { "content-length": "1000" }).write("abc", () => response.destroy())
      })
      const error = yield* Effect.flip(Effect.flatMap(open(server.baseUrl), ({ bytes }) => Stream.runDrain(bytes)))
      assert.strictEqual(error._tag, "TransportError")
    }))

  it.scopedLive("closes the connection when the consumer stops", () =>
    Effect.gen(function*() {
      const server = yield* serve((response) => {
        response.writeHead(200)
        const more = (): void => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      })
      const { bytes } = yield* open(server.baseUrl)
      yield* Stream.runDrain(Stream.take(bytes, 1))
      yield* eventually("the connection is closed", () => server.aborted() === 1)
    }))

  it.scopedLive("closes the connection with its scope, even if nothing was read", () =>
    Effect.gen(function*() {
      const server = yield* serve((response) => response.writeHead(200).write("x"))
      const api = yield* service(ApiClient, mailstream(server.baseUrl, {}, transport))
      yield* Effect.scoped(api.open({ name: "Test.open", method: "GET", path: "/contacts" }))
      yield* eventually("the connection is closed", () => server.aborted() === 1)
    }))
})

describe("an error instead of a response that is read as it arrives", () => {
  const refused = (bytes: Stream.Stream<Uint8Array>, headers: Transport.Head["headers"] = {}) =>
    Effect.gen(function*() {
      const transport = Layer.succeed(Transport.Transport, {
        send: () => Effect.die("not in use"),
        open: () => Effect.succeed({ status: 503, headers, bytes })
      })
      const options = { baseUrl: "http://localhost", apiKey, timeout: "5 seconds", maxBodySize: 10 } as const
      const api = yield* service(ApiClient, Layer.provide(ApiClient.layer(options), transport))
      return yield* Effect.flip(api.open({ name: "Test.open", method: "GET", path: "/contacts" }))
    })

  it.scoped("must be complete within the time that a request may take", () =>
    Effect.gen(function*() {
      const trickle = Stream.forever(Stream.fromEffect(Effect.delay(Effect.succeed(new Uint8Array()), "1 second")))
      const fiber = yield* Effect.fork(refused(trickle))
      yield* TestClock.adjust("5 seconds")
      const error = yield* Fiber.join(fiber)
      assert(error._tag === "api_error")
      assert.strictEqual(error.statusCode, 503)
      assert.include(error.message, "no complete response within 5s")
    }))

  it.scoped("must fit into memory", () =>
    Effect.gen(function*() {
      let read = 0
      const pieces = Stream.tap(
        Stream.make(new Uint8Array(6), new Uint8Array(4), new Uint8Array(1), new Uint8Array(5)).pipe(Stream.rechunk(1)),
        () => Effect.sync(() => read++)
      )
      const error = yield* refused(pieces)
      assert(error._tag === "api_error")
      assert.strictEqual(error.statusCode, 503)
      assert.include(error.message, "the body exceeds 10 bytes")
      // The rest is not waited for.
      assert.strictEqual(read, 3)
    }))

  it.scoped("has its status, text and wait, up to the exact limit", () =>
    Effect.gen(function*() {
      const bytes = Stream.make("too ", "busy!!").pipe(Stream.map((text) => new TextEncoder().encode(text)))
      // The test clock is at the beginning of 1970.
      const error = yield* refused(bytes, { "retry-after": "Thu, 01 Jan 1970 00:00:07 GMT" })
      assert(error._tag === "api_error")
      assert.strictEqual(error.statusCode, 503)
      assert.include(error.message, "too busy!!")
      assert.deepStrictEqual(error.retryAfter, Duration.seconds(7))
    }))
})
