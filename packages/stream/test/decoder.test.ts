import { assert, describe, it } from "@effect/vitest"
import * as Wire from "@mailstream/core/Wire"
import type { OpenResponse } from "@mailstream/http/ApiClient"
import { Effect, Schema, Stream } from "effect"
import { decode } from "../src/internal/decoder.ts"

const checkItem = Wire.check(Schema.Struct({ id: Schema.String }))

/** The error of a response whose body arrives in these chunks: text, or bytes. */
const failureOf = (chunks: Iterable<string | Uint8Array>, head: Partial<OpenResponse> = {}) =>
  Effect.gen(function*() {
    const bytes = Stream.map(
      Stream.fromIterable(chunks),
      (chunk) => typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk
    )
    const from = { method: "GET", url: "http://localhost/items", statusCode: 200 }
    const items = Stream.fromChannel(decode({ from, contentType: "text/html", bytes, ...head }, checkItem))
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
    },
    {
      body: "{\"data\":[{\"id\":\"é\"},{\"id\":01}]}",
      reason: "NotJson",
      message: "expected JSON, found truncated or malformed text after 1 items"
    }
  ])("describes the error in $body", ({ body, message, reason }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* failureOf([body]), [reason, message])
      assert.deepStrictEqual(yield* failureOf(body), [reason, message])
    }))

  it.effect("describes a body of an unknown type as other content", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* failureOf(["<html>"], { contentType: undefined }),
        ["NotJson", "expected JSON, found other content"]
      )
    }))

  it.effect("blames the encoding only for bytes that are not text", () =>
    Effect.gen(function*() {
      const compressed = Uint8Array.of(0x1F, 0x8B, 0x08)
      const notText = ["NotText", "expected JSON, found a damaged or unknown body, content-encoding gzip"]
      assert.deepStrictEqual(yield* failureOf([compressed], { contentEncoding: "gzip" }), notText)
      // The end of a chunk may be in the middle of a character.
      const begun = new TextEncoder().encode("<é").subarray(0, 2)
      const notJson = ["NotJson", "expected JSON, found text/html"]
      assert.deepStrictEqual(yield* failureOf([begun], { contentEncoding: "gzip" }), notJson)
      assert.deepStrictEqual(yield* failureOf([compressed]), notJson)
    }))

  it.effect("tells a damaged body from one that merely ends too early", () =>
    Effect.gen(function*() {
      const compressed = { contentEncoding: "gzip" }
      assert.deepStrictEqual(
        yield* failureOf(["{\"data\":[{\"id\":\"a\"},{\"id\";\"b\"}]}"], compressed),
        ["NotText", "expected JSON, found a damaged or unknown body, content-encoding gzip"]
      )
      assert.deepStrictEqual(
        yield* failureOf(["{\"data\":[{\"id\":\"a\"},{\"id\""], compressed),
        ["NotJson", "expected JSON, found truncated or malformed text after 1 items"]
      )
    }))

  it.effect("reports bytes that are not UTF-8, after the items before them", () =>
    Effect.gen(function*() {
      for (const item of ["{\"id\":\"\xff\"}", "7\xff"]) {
        const body = Buffer.from(`{"data":[{"id":"a"} ,\n{"id":"b"},${item}]}`, "latin1")
        const notText = ["NotText", "expected JSON, found bytes that are not UTF-8 after 2 items"]
        assert.deepStrictEqual(yield* failureOf([body]), notText)
        assert.deepStrictEqual(yield* failureOf(Array.from(body, (byte) => Uint8Array.of(byte))), notText)
      }
    }))

  it.effect("reports the first of two errors in a chunk", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* failureOf(["{\"data\":[{\"id\":1},{\"id\":01}]}"]),
        ["WrongShape", "data[0].id: expected string, found number"]
      )
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
