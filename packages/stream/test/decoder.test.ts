import { assert, describe, it } from "@effect/vitest"
import * as Wire from "@mailstream/core/Wire"
import { Effect, Schema, Stream } from "effect"
import { decode } from "../src/internal/decoder.ts"

const checkItem = Wire.check(Schema.Struct({ id: Schema.String }))

/** The error of a response whose body arrives in these chunks. */
const failureOf = (chunks: Iterable<string>, contentType: string | undefined = "text/html") =>
  Effect.gen(function*() {
    const bytes = Stream.map(Stream.fromIterable(chunks), (text) => new TextEncoder().encode(text))
    const from = { method: "GET", url: "http://localhost/items", statusCode: 200 }
    const items = Stream.fromChannel(decode({ from, contentType, bytes }, checkItem))
    const error = yield* Effect.flip(Stream.runDrain(items))
    assert(error._tag === "UnexpectedResponse")
    return [error.reason, error.message.replace("GET http://localhost/items: ", "")]
  })

describe("decoder", () => {
  it.effect.each([
    { body: "", reason: "NotJson", message: "expected JSON, found an empty body" },
    { body: " \r\n", reason: "NotJson", message: "expected JSON, found an empty body" },
    { body: "<html>", reason: "NotJson", message: "expected JSON, found text/html" },
    { body: "[]", reason: "WrongShape", message: "expected list, found array" },
    { body: "{\"data\":[],\"data\":[]}", reason: "WrongShape", message: "data: appears twice" },
    { body: "{\"data\":[{\"id\":1}]}", reason: "WrongShape", message: "data[0].id: expected string, found number" },
    {
      body: "{\"data\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id",
      reason: "NotJson",
      message: "expected JSON, found truncated or malformed text after 2 items"
    }
  ])("describes the error in $body", ({ body, message, reason }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* failureOf([body]), [reason, message])
      assert.deepStrictEqual(yield* failureOf(body), [reason, message])
    }))

  it.effect("reports which item is too large", () =>
    Effect.gen(function*() {
      const chunks = ["{\"data\":[{\"id\":\"a\"},{\"id\":\"", "b".repeat(1 << 24)]
      assert.deepStrictEqual(yield* failureOf(chunks), ["TooLarge", "data[1]: a value exceeds 16777216 bytes"])
    }))

  it.effect("does not blame an item for another field that is too large", () =>
    Effect.gen(function*() {
      const chunks = ["{\"data\":[{\"id\":\"a\"}],\"other\":\"", "b".repeat(1 << 24)]
      assert.deepStrictEqual(yield* failureOf(chunks), ["TooLarge", "a value exceeds 16777216 bytes"])
    }))

  it.effect("reads any number of small chunks at once", () =>
    Effect.gen(function*() {
      const [reason] = yield* failureOf(Array.from({ length: 50_000 }, () => " "))
      assert.strictEqual(reason, "NotJson")
    }))
})
