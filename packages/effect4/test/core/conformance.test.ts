import * as Core3 from "@mailstream/core"
import { classes as classes3 } from "@mailstream/core/ApiError"
import * as InvalidOption3 from "@mailstream/core/InvalidOption"
import { Result, Schema } from "effect"
import { Arbitrary, Either, Schema as Schema3 } from "effect3"
import { assert, describe, it } from "vitest"
import { classes as classes4 } from "../../src/core/ApiError.ts"
import * as Core4 from "../../src/core/index.ts"
import * as InvalidOption4 from "../../src/core/InvalidOption.ts"
import { fc, hostile, of3, of4, plain, tables } from "./support.ts"

/** The slow tests try more. */
const runs = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? 1000 : 50

/** The items of lists, and the responses of operations. */
const responses: ReadonlyArray<readonly [string, Schema3.Schema<unknown>, Schema.Codec<unknown>]> = [
  ...Core3.Resource.all.map(({ item, name }) =>
    [`an item of ${name}`, item, Core4.Resource.all.find((list) => list.name === name)!.item] as never
  ),
  ...tables.map(([list, name]) =>
    [
      `a response to ${list} ${name}`,
      Core3.Operations.all[list]![name]!.success,
      Core4.Operations.all[list]![name]!.success
    ] as never
  ),
  ["an event", Core3.WebhookEvent, Core4.WebhookEvent] as never
]

interface Item {
  readonly id: string
}

/** A list of any type. */
const named = (lists: ReadonlyArray<{ readonly name: string }>, name: string): never =>
  lists.find((list) => list.name === name) as never

const request = { method: "GET", url: "https://example.com/", statusCode: 200 }

describe("the lines for Effect 3 and Effect 4 agree about", () => {
  it.each(responses)("%s", (_, schema3, schema4) => {
    const decode3 = Core3.Wire.decode(schema3)
    const decode4 = Core4.Wire.decode(schema4)
    fc.assert(
      fc.property(hostile(Schema3.encodedSchema(schema3)), (value) => {
        const [result3, result4] = [decode3(value), decode4(value)]
        const because3 = Either.mapLeft(result3, (error) => Core3.UnexpectedResponse.wrongShape(request, error))
        const because4 = Result.mapError(result4, (error) => Core4.UnexpectedResponse.wrongShape(request, error))
        assert.deepStrictEqual(of4(because4), of3(because3))
      }),
      { numRuns: runs }
    )
  })

  it.each(tables)("the input of %s %s", (list, name) => {
    const [operation3, operation4] = [Core3.Operations.all[list]![name]!, Core4.Operations.all[list]![name]!]
    const { divide, payload } = operation3
    fc.assert(
      fc.property(payload === undefined ? fc.anything() : hostile(payload), (value) => {
        assert.deepStrictEqual(
          of4(Core4.Operation.input(operation4, value)),
          of3(Core3.Operation.input(operation3, value))
        )
        assert.strictEqual(operation4.accepts?.(value), operation3.accepts?.(value))
        if (divide === undefined) return
        const options = { validation: "permissive" }
        const [part3, part4] = [divide(value, options as never), operation4.divide?.(value, options as never)]
        assert.deepStrictEqual(plain(part4?.input), plain(part3?.input))
        assert.deepStrictEqual(plain(part4?.complete([])), plain(part3?.complete([])))
      }),
      { numRuns: name === "sendBatch" ? runs / 10 : runs }
    )
  })

  it.each(tables)("the path of %s %s, and its headers", (list, name) => {
    const [operation3, operation4] = [Core3.Operations.all[list]![name]!, Core4.Operations.all[list]![name]!]
    const arg = fc.oneof(
      fc.uuid(),
      fc.string(),
      fc.constantFrom("", ".", "..", "a/b", "\ud800"),
      fc.record({ email: fc.constantFrom("a@b.c", "", "a b") }),
      fc.anything()
    )
    fc.assert(
      fc.property(fc.array(arg, { maxLength: 3 }), (args) => {
        assert.deepStrictEqual(
          of4(Core4.Operation.path(operation4, args)),
          of3(Core3.Operation.path(operation3, args))
        )
      }),
      { numRuns: runs }
    )
    const key = fc.oneof(fc.string(), fc.constantFrom("strict", "permissive", "key"), fc.anything())
    fc.assert(
      fc.property(fc.record({ idempotencyKey: key, validation: key }, { requiredKeys: [] }), (options) => {
        assert.deepStrictEqual(
          of4(Core4.Operation.headers(operation4, options)),
          of3(Core3.Operation.headers(operation3, options))
        )
      }),
      { numRuns: runs }
    )
    const { divide: _d, encode: _e, fits: _f, gone: _g, headers: _h, accepts: _a, ...rest3 } = operation3
    for (const key of ["name", "summary", "method", "path", "status", "repetition"] as const) {
      assert.strictEqual<unknown>(operation4[key], rest3[key])
    }
  })

  it.each(Core3.Resource.all.map(({ name }) => name))("the filters of %s, and where it is", (name) => {
    const list3: Core3.Resource.Any<Item, unknown, unknown> = named(Core3.Resource.all, name)
    const list4: Core4.Resource.Any<Item, unknown, unknown> = named(Core4.Resource.all, name)
    const value = fc.oneof(fc.uuid(), fc.string(), fc.constantFrom("bounce", "opened", "sent", ".."), fc.anything())
    const fields = ["segment_id", "contact_id", "email_id", "broadcast_id", "type", "email", "bounce_type", "origin"]
    const filter = fc.oneof(
      fc.constant(undefined),
      fc.record(Object.fromEntries(fields.map((field) => [field, value])), { requiredKeys: [] }),
      fc.record({ contact_id: fc.record({ email: value }) }),
      fc.anything().filter((value) => value !== null)
    )
    fc.assert(
      fc.property(filter, (filter) => {
        assert.strictEqual(list4.isFilter(filter), list3.isFilter(filter))
        assert.deepStrictEqual(of4(Core4.Resource.path(list4, filter)), of3(Core3.Resource.path(list3, filter)))
        if (typeof filter !== "object") return
        assert.deepStrictEqual(Core4.Resource.query(list4, filter), Core3.Resource.query(list3, filter))
      }),
      { numRuns: runs * 2 }
    )
    assert.deepStrictEqual(Core4.Resource.requiredQuery(list4), Core3.Resource.requiredQuery(list3))
    for (const key of ["name", "identifier", "title", "isUnordered", "pagination", "columns", "path"] as const) {
      assert.deepStrictEqual<unknown>(list4[key], list3[key])
    }
    const { params: _3, ...scope3 } = list3.scope ?? { params: undefined }
    const { params: _4, ...scope4 } = list4.scope ?? { params: undefined }
    assert.deepStrictEqual<unknown>(scope4, scope3)
  })

  it("requests for pages", () => {
    const [validate3, validate4] = [
      Core3.PageRequest.validate(Core3.ContactId),
      Core4.PageRequest.validate(Core4.ContactId)
    ]
    const cursor = fc.oneof(fc.uuid(), fc.constant(undefined), fc.anything())
    const request = fc.record({ limit: fc.oneof(fc.integer(), fc.anything()), after: cursor, before: cursor }, {
      requiredKeys: []
    })
    fc.assert(
      fc.property(fc.oneof(request, fc.anything()), (request) => {
        assert.deepStrictEqual(of4(validate4(request as never)), of3(validate3(request as never)))
      }),
      { numRuns: runs * 4 }
    )
    const decode3 = Schema3.decodeUnknownEither(Core3.PageRequest.query(Core3.ContactId))
    const decode4 = Schema.decodeUnknownResult(Core4.PageRequest.query(Core4.ContactId))
    const query = fc.record({
      limit: fc.oneof(fc.constantFrom("1", "100", "101", "0x1", "007", ""), fc.string()),
      after: cursor
    })
    fc.assert(fc.property(query, (query) => {
      assert.strictEqual(Result.isSuccess(decode4(query)), Either.isRight(decode3(query)))
    }))
  })

  it("positions, in both directions", () => {
    const schema3 = Core3.Position.schema(Core3.ContactId)
    const schema4 = Core4.Position.schema(Core4.ContactId)
    const [decode3, decode4] = [Schema3.decodeUnknownEither(schema3), Schema.decodeUnknownResult(schema4)]
    fc.assert(
      fc.property(hostile(schema3), (value) => {
        const [position3, position4] = [decode3(value), decode4(value)]
        assert.strictEqual(Result.isSuccess(position4), Either.isRight(position3))
        if (Either.isLeft(position3) || Result.isFailure(position4)) return
        assert.deepStrictEqual<unknown>(position4.success, position3.right)
        assert.deepStrictEqual<unknown>(
          Schema.encodeSync(schema4)(position4.success),
          Schema3.encodeSync(schema3)(position3.right)
        )
      }),
      { numRuns: runs * 4 }
    )
  })

  it("durations and numbers in options", () => {
    const min = fc.constantFrom(undefined, 0, "1 second" as const)
    // Effect 4 also takes objects and the text "Infinity", knows negative durations, and takes the largest numbers for infinite.
    const duration = fc.oneof(
      fc.constantFrom("1 hour", "0 seconds", "2 weeks", "1 day", "x", -1, NaN, Infinity, -Infinity, 1e15),
      fc.integer(),
      fc.double({ max: 1e15 }),
      fc.string().filter((text) => text !== "Infinity"),
      fc.bigInt({ min: 0n }),
      fc.constantFrom(undefined, null, true)
    )
    fc.assert(
      fc.property(duration, min, fc.boolean(), (value, min, infinite) => {
        assert.deepStrictEqual(
          of4(InvalidOption4.duration("every", value as never, { min, infinite })),
          of3(InvalidOption3.duration("every", value as never, { min, infinite }))
        )
      }),
      { numRuns: runs * 10 }
    )
    fc.assert(fc.property(fc.oneof(fc.integer(), fc.double()), (value) => {
      for (const options of [{ min: 1 }, { min: 0, max: 100 }]) {
        assert.deepStrictEqual(
          of4(InvalidOption4.integer("size", value, options)),
          of3(InvalidOption3.integer("size", value, options))
        )
      }
      assert.deepStrictEqual(of4(InvalidOption4.positive("n", value)), of3(InvalidOption3.positive("n", value)))
    }))
  })

  it("error responses, what became of the request, and whether to repeat it", () => {
    const names = Object.keys(classes3)
    assert.deepStrictEqual(Object.keys(classes4), names)
    const body = fc.oneof(
      fc.record({ name: fc.constantFrom(...names, "odd"), message: fc.string(), statusCode: fc.nat() }).map((body) =>
        JSON.stringify(body)
      ),
      fc.json(),
      fc.string(),
      fc.constantFrom("", "<html><h1>Bad gateway</h1></html>")
    )
    const headers = fc.record({
      "retry-after": fc.oneof(fc.string(), fc.nat().map(String), fc.constant("Wed, 21 Oct 2026 07:28:00 GMT")),
      "ratelimit-reset": fc.nat().map(String),
      "content-type": fc.string(),
      location: fc.webUrl()
    }, { requiredKeys: [] })
    const response = fc.record({
      status: fc.constantFrom(200, 301, 400, 404, 408, 409, 422, 429, 500, 501, 503),
      headers,
      now: fc.nat(),
      request: fc.constantFrom(undefined, { method: "POST", url: "https://example.com/" }),
      problem: fc.constantFrom(undefined, "too large")
    })
    const repetition = fc.constantFrom<Core3.Operation.Repetition>("read", "natural", "guarded", "keyed", "once")
    const after = fc.constantFrom<Core3.Outcome>("not_processed", "unknown")
    fc.assert(
      fc.property(
        response,
        body,
        repetition,
        after,
        fc.constantFrom(undefined, "key"),
        (response, body, kind, outcome, key) => {
          const error3 = Core3.ErrorResponse.toError(response, body)
          const error4 = Core4.ErrorResponse.toError(response, body)
          agree(error4, error3)
          assert.strictEqual(Core4.isTransient(error4), Core3.isTransient(error3))
          assert.strictEqual(Core4.isUnprocessed(error4), Core3.isUnprocessed(error3))
          assert.strictEqual(Core4.Operation.isRepeatable(kind, error4), Core3.Operation.isRepeatable(kind, error3))
          assert.strictEqual(Core4.Operation.outcomeOf(kind, error4), Core3.Operation.outcomeOf(kind, error3))
          agree(Core4.withOutcome(error4, outcome, key), Core3.withOutcome(error3, outcome, key))
          agree(Core4.afterAttempts(error4, 3, 7025), Core3.afterAttempts(error3, 3, 7025))
          assert.strictEqual(Core4.reasonOf(error4), Core3.reasonOf(error3))
        }
      ),
      { numRuns: runs * 4 }
    )
    for (const reason of ["Connect", "Tls", "Timeout", "Lost"] as const) {
      const fields = { reason, method: "POST", url: "https://example.com/", description: "no response" }
      const [error3, error4] = [new Core3.TransportError(fields), new Core4.TransportError(fields)]
      agree(error4, error3)
      agree(Core4.withOutcome(error4, "unknown", "key"), Core3.withOutcome(error3, "unknown", "key"))
      agree(Core4.afterAttempts(error4, 2, 1000), Core3.afterAttempts(error3, 2, 1000))
    }
  })

  it("timestamps", () => {
    const { Timestamp: Timestamp3 } = Core3.Timestamp
    const valid = Arbitrary.make(Timestamp3)
    const [is3, is4] = [Schema3.is(Timestamp3), Schema.is(Core4.Timestamp.Timestamp)]
    fc.assert(
      fc.property(valid, valid, fc.string(), (one, other, text) => {
        const [one4, other4] = [Core4.Timestamp.Timestamp.make(one), Core4.Timestamp.Timestamp.make(other)]
        assert.strictEqual(Core4.Timestamp.toEpochMicros(one4), Core3.Timestamp.toEpochMicros(one))
        assert.strictEqual(Core4.Timestamp.Order(one4, other4), Core3.Timestamp.Order(one, other))
        for (const damaged of [text, one.slice(1), `${one}x`, one.replace(/\d/, "9")]) {
          assert.strictEqual(is4(damaged), is3(damaged))
        }
      }),
      { numRuns: runs * 4 }
    )
  })
})

describe("what a schema says about a wrong value", () => {
  const say = (schema: Schema.Codec<unknown>, value: unknown) =>
    Result.match(Schema.decodeUnknownResult(schema)(value), {
      onFailure: ({ message }) => message,
      onSuccess: () => undefined
    })

  it("names the id that was expected, and its shape", () => {
    assert.strictEqual(say(Core4.ContactId, "nope"), "Expected ContactId: an id in UUID shape")
    assert.strictEqual(say(Core4.SegmentId, "\ud800"), "Expected SegmentId: an id")
  })

  it("never is that a filter was not passed", () => {
    const schemas = Object.entries(Core4).flatMap(([name, value]): ReadonlyArray<[string, Schema.Codec<unknown>]> =>
      Schema.isSchema(value) ? [[name, value as never]] : []
    )
    assert.isAbove(schemas.length, 30)
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.anything(), fc.constantFrom("", "nope", "\ud800", 0.5, -1), (
        [name, schema],
        anything,
        likely
      ) => {
        for (const value of [anything, likely, [], {}]) assert.notInclude(say(schema, value) ?? "", "<filter>", name)
      }),
      { numRuns: runs * 10 }
    )
  })
})

const agree = (error4: unknown, error3: unknown) => assert.deepStrictEqual(plain(error4), plain(error3))
