import { assert, it } from "@effect/vitest"
import { isTransient } from "@mailstream/core"
import { ApiClient, Contacts, RetryPolicy } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted } from "effect"

it.scopedLive("`list` is one request, and is retried only with `Effect.retry`", () =>
  Effect.gen(function*() {
    let count = 0
    const baseUrl = yield* serve((_, response) =>
      ++count % 2 === 1
        ? sendJson(response, 503, { name: "service_unavailable", statusCode: 503, message: "Try later." })
        : sendJson(response, 200, { object: "list", has_more: false, data: [] })
    )
    const layer = Contacts.layer.pipe(
      Layer.provide(ApiClient.layer({ baseUrl, apiKey: Redacted.make("re_1") })),
      Layer.provide(FetchTransport.layer)
    )
    const list = Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 10 }))
    yield* Effect.gen(function*() {
      assert.isTrue(isTransient(yield* Effect.flip(list)))
      assert.strictEqual(count, 1)
      count = 0
      yield* Effect.retry(list, { schedule: RetryPolicy.default, while: isTransient })
      assert.strictEqual(count, 2)
    }).pipe(Effect.provide(layer))
  }))
