import { Headers } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type RequestError, SegmentId } from "@mailstream/core"
import { ApiClient, Contacts, Mailstream, RetryPolicy, Topics } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import {
  Cause,
  Context,
  Effect,
  Exit,
  FastCheck as fc,
  Layer,
  Logger,
  LogLevel,
  Option,
  Redacted,
  Tracer
} from "effect"
import { inspect } from "node:util"
import { type Answer, emptyList, json, serve, text, transports } from "./support/wire.ts"

/** Every way in which a value is commonly made visible. */
const renderings = (value: unknown): ReadonlyArray<string> => [
  String(value),
  inspect(value, { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity }),
  attempt(() => JSON.stringify(value)),
  attempt(() => JSON.stringify(value, Object.getOwnPropertyNames(Object(value)))),
  ...(value instanceof Error ? [value.stack ?? "", value.message, inspect(value.cause)] : []),
  ...(Exit.isExit(value) && Exit.isFailure(value)
    ? [
      Cause.pretty(value.cause),
      Cause.pretty(value.cause, { renderErrorCause: true }),
      inspect(Cause.squash(value.cause))
    ]
    : [])
]

const attempt = (render: () => string): string => {
  try {
    return render() ?? ""
  } catch {
    return "" // A cycle, which JSON cannot show.
  }
}

/** A tracer that keeps all that it is told. */
const recording = (seen: Array<unknown>) =>
  Tracer.make({
    span(name, parent, context, links, startTime, kind, options) {
      const attributes = new Map<string, unknown>(Object.entries(options?.attributes ?? {}))
      const span: Tracer.Span = {
        _tag: "Span",
        name,
        spanId: "s",
        traceId: "t",
        parent,
        context,
        links,
        sampled: true,
        kind,
        attributes,
        status: { _tag: "Started", startTime },
        attribute: (key, value) => void attributes.set(key, value),
        event: (...event) => void seen.push(event),
        addLinks: (links) => void seen.push(links),
        end: (_, exit) => void seen.push(exit, ...renderings(exit), [...attributes])
      }
      return span
    },
    context: (f) => f()
  })

/** A text as some write it in JSON: `+`, `/` and others as escapes. */
const escaped = (text: string): string =>
  text.replace(/[^A-Za-z0-9]|^./g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Ways to go wrong, some of which echo what was sent. */
const answers: ReadonlyArray<(key: string) => Answer> = [
  () => json(200, emptyList),
  (key) => json(403, { statusCode: 403, name: "invalid_api_key", message: `API key ${key} is invalid` }),
  (key) => json(400, { statusCode: 400, name: key, message: key }),
  (key) => json(403, { statusCode: 403, error: `Bearer ${key}` }),
  (key) => text(502, `<html><body>authorization: Bearer ${key}</body></html>`),
  (key) => text(200, `Bearer ${key}`),
  (key) => text(200, `{"token":"${key}`),
  (key) => json(200, { object: key, has_more: key, data: [{ id: key, [key]: key }] }),
  (key) => json(429, { statusCode: 429, name: "rate_limit_exceeded", message: key }, { "retry-after": "0" }),
  // Echoed by those who write the same text in another way, and where nobody looks.
  (key) => text(400, `{"statusCode":400,"name":"validation_error","message":"${escaped(key)}"}`),
  (key) => text(403, `{"statusCode":403,"error":"no \\u0022${escaped(key)}\\u0022"}`),
  (key) => text(502, `<p>${key.replace(/./g, (c) => `&#${c.charCodeAt(0)};`)}</p>`),
  (key) => text(200, key, { "content-type": `text/${key}` }),
  () => (response) => response.destroy(),
  () => (response) => {
    response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy())
  }
]

describe.each(transports)("the key over %s", (_, transport) => {
  it.scopedLive("is in no error, log, span or value", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.stringMatching(/^re_[A-Za-z0-9_]{12,30}$/),
          fc.constantFrom(...answers),
          fc.boolean(),
          (key, answer, creates) => Effect.runPromise(Effect.scoped(check(key, answer(key), creates, transport)))
        ),
        { numRuns: 40 }
      )
    ), 60_000)
})

const check = (key: string, answer: Answer, creates: boolean, transport: (typeof transports)[number][1]) =>
  Effect.gen(function*() {
    const seen: Array<unknown> = []
    const server = yield* serve(answer)
    const options = { baseUrl: server.baseUrl, apiKey: Redacted.make(key), timeout: "5 seconds" } as const
    const layer = Mailstream.layer(options).pipe(Layer.provide(transport))
    const call: Effect.Effect<unknown, RequestError, Topics | Contacts> = creates
      ? Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry: RetryPolicy.none }))
      : Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1, segment_id: SegmentId.make("s") }))
    const logger = Logger.make((entry) => void seen.push(entry.message, Cause.pretty(entry.cause), entry.annotations))

    const exit = yield* call.pipe(
      Effect.tapErrorCause((cause) => Effect.logError("It went wrong.", cause)),
      Effect.withSpan("app"),
      Effect.exit,
      Effect.provide(Layer.merge(layer, Logger.replace(Logger.defaultLogger, logger))),
      Logger.withMinimumLogLevel(LogLevel.All),
      Effect.withTracer(recording(seen)),
      // A program that has forgotten which headers are secret.
      Effect.locally(Headers.currentRedactedNames, [])
    )
    seen.push(exit, options, layer, Context.get(yield* Layer.build(layer), ApiClient), yield* Layer.build(layer))
    if (Exit.isFailure(exit)) seen.push(Option.getOrThrow(Cause.failureOption(exit.cause)))

    assert.strictEqual(server.received[0]?.headers["authorization"], `Bearer ${key}`)
    assert.isAbove(seen.length, 5)
    for (const value of seen) {
      for (const rendering of renderings(value)) assert.isFalse(rendering.includes(key), `the key is in: ${rendering}`)
    }
  })

it.scopedLive("a key that is refused is not shown either", () =>
  Effect.gen(function*() {
    const key = "re_secret with spaces"
    const exit = yield* Layer.build(ApiClient.layer({ baseUrl: "http://localhost", apiKey: Redacted.make(key) })).pipe(
      Effect.provide(UndiciTransport.layer),
      Effect.exit
    )
    assert.isTrue(Exit.isFailure(exit))
    for (const rendering of renderings(exit)) assert.notInclude(rendering, key)
  }))
