import { assert, describe, it } from "@effect/vitest"
import { assertSome } from "@effect/vitest/utils"
import {
  InternalServerError,
  NotFound,
  Page,
  type PageRequest,
  Position,
  type RequestError,
  TransportError
} from "@mailstream/core"
import * as Wire from "@mailstream/core/Wire"
import { Progress, RetryPolicy, Whole } from "@mailstream/stream"
import {
  Array as Arrays,
  Chunk,
  Duration,
  Effect,
  FastCheck,
  Fiber,
  Option,
  Schedule,
  Schema,
  Stream,
  TestClock
} from "effect"

const Item = Schema.Struct({ id: Schema.String, data: Schema.optional(Schema.Unknown) })
type Item = typeof Item.Type

const from = { method: "GET", url: "http://localhost/items", statusCode: 200 }
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const lost: RequestError = new TransportError({ ...from, reason: "Lost", description: "reset" })

type Piece = Uint8Array | TransportError

/** A list whose responses without a limit arrive in these pieces, one set of pieces per request. */
const source = (responses: ReadonlyArray<ReadonlyArray<Piece> | RequestError>, items: ReadonlyArray<Item> = []) => {
  const log = { opened: 0, pulled: 0, closed: 0, pages: new Array<PageRequest.PageRequest>() }
  const list: Whole.CompleteSource<Item> = {
    name: "items",
    check: Wire.check(Item),
    open: Effect.suspend(() => {
      const response = responses[Math.min(log.opened++, responses.length - 1)]!
      return Array.isArray(response)
        ? Effect.succeed({
          from,
          contentType: "application/json",
          bytes: Stream.fromIterable<Piece>(response).pipe(
            Stream.rechunk(1),
            Stream.mapEffect((piece) => {
              log.pulled++
              return piece instanceof TransportError ? Effect.fail(piece) : Effect.succeed(piece)
            }),
            Stream.ensuring(Effect.sync(() => log.closed++))
          )
        })
        : Effect.fail(response as RequestError)
    }),
    page: (request: PageRequest.PageRequest) => {
      log.pages.push(request)
      return Page.fromItems(items, request)
    }
  }
  return { list, log }
}

/** All items until the end or a failure, and the failure. */
const read = (list: Whole.CompleteSource<Item>, options: Whole.Options = { retry: RetryPolicy.none }) =>
  Effect.gen(function*() {
    const items: Array<Item> = []
    const failure = yield* Whole.items(list, options).pipe(
      Stream.runForEach((item) => Effect.sync(() => items.push(item))),
      Effect.flip,
      Effect.option
    )
    return { items, failure: Option.getOrUndefined(failure) }
  })

const readText = (...texts: ReadonlyArray<string>) => read(source([texts.map(encode)]).list)

/** Splits bytes at the given offsets. */
const cut = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const at = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

// Text that looks like the structure around it.
const text = FastCheck.oneof(
  FastCheck.fullUnicodeString({ maxLength: 12 }),
  FastCheck.constantFrom("}", "]", "},{", "\"", "\\", "\\\"", "{\"data\":[", "],\"has_more\":true}", "🙈é\u2028", "")
)
const json = FastCheck.letrec((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 3 },
    text,
    FastCheck.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n === 0 ? 0 : n),
    FastCheck.boolean(),
    FastCheck.constant(null),
    FastCheck.array(tie("value"), { maxLength: 3 }),
    FastCheck.dictionary(FastCheck.oneof(text, FastCheck.constantFrom("data", "has_more", "object")), tie("value"), {
      maxKeys: 3
    })
  )
})).value
const items = FastCheck.uniqueArray(FastCheck.record({ id: text, data: json, extra: json }), {
  maxLength: 12,
  selector: ({ id }) => id
})
const envelope = FastCheck.tuple(items, FastCheck.array(FastCheck.tuple(text, json), { maxLength: 2 })).chain((
  [items, others]
) =>
  FastCheck.tuple(
    FastCheck.constant(items),
    FastCheck.shuffledSubarray(
      [
        ["object", "list"],
        ["has_more", false],
        ["data", items],
        ...others.filter(([key]) => !["object", "has_more", "data"].includes(key))
      ] as Array<readonly [string, unknown]>,
      { minLength: 3 + others.length }
    ),
    FastCheck.constantFrom(undefined, 1, "\t", "\r\n  "),
    FastCheck.array(FastCheck.nat(), { maxLength: 40 })
  )
)
const runs = { fastCheck: { numRuns: 150 }, timeout: 60_000 }

/** `JSON.stringify` does not accept `\r` as indentation, but JSON allows it. */
const stringify = (entries: ReadonlyArray<readonly [string, unknown]>, space: number | string | undefined): string =>
  `{${
    entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value, undefined, space)}`).join(
      typeof space === "string" ? `${space},${space}` : ","
    )
  }}`

describe("whole", () => {
  it.effect.prop(
    "emits what `JSON.parse` returns, however the bytes are split",
    [envelope],
    ([[items, entries, space, places]]) =>
      Effect.gen(function*() {
        const bytes = encode(stringify(entries, space))
        const { failure, items: read_ } = yield* read(source([cut(bytes, places)]).list)
        assert.isUndefined(failure)
        assert.deepStrictEqual(read_, JSON.parse(JSON.stringify(items)))
      }),
    runs
  )

  it.effect.prop("emits the complete items of truncated bytes, then fails", [
    envelope,
    FastCheck.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  ], ([[items, entries, space, places], share]) =>
    Effect.gen(function*() {
      const bytes = encode(stringify(entries, space))
      const part = bytes.subarray(0, Math.floor(bytes.length * share))
      const { failure, items: read_ } = yield* read(source([cut(part, places)]).list)
      assert(failure?._tag === "UnexpectedResponse")
      assert.strictEqual(failure.reason, "NotJson")
      assert.deepStrictEqual(read_, JSON.parse(JSON.stringify(items.slice(0, read_.length))))
    }), runs)

  it.effect("emits an item as soon as its last byte has arrived", () =>
    Effect.gen(function*() {
      const items = ["{\"id\":\"a\"}", "{\"id\":\"}\"}", "{\"data\":[{}],\"id\":\"é\"}"]
      const text = `{"object":"list","has_more":false,"data":[${items.join(" , ")}]}`
      for (let end = 0; end < text.length; end++) {
        const { items: read } = yield* readText(text.slice(0, end))
        assert.strictEqual(read.length, items.filter((item) => text.slice(0, end).includes(item)).length)
      }
    }))

  it.effect.prop("never silently emits other items for corrupted bytes", [
    envelope,
    FastCheck.nat(),
    FastCheck.constantFrom("{", "}", "[", "]", ",", ":", "\"", "\\", "x", "0", " ")
  ], ([[_, entries, space, places], at, fault]) =>
    Effect.gen(function*() {
      const bytes = encode(stringify(entries, space)).slice()
      bytes[at % bytes.length] = fault.charCodeAt(0)
      const { failure, items: read_ } = yield* read(source([cut(bytes, places)]).list)
      const parsed = Option.liftThrowable((): unknown => JSON.parse(new TextDecoder().decode(bytes)))()
      if (Option.isNone(parsed)) assert.isDefined(failure)
      if (failure === undefined) {
        assert(Option.isSome(parsed))
        assert.deepStrictEqual(
          read_,
          Arrays.dedupeWith((parsed.value as Page.Page<Item>).data, (a, b) => a.id === b.id)
        )
      }
    }), runs)

  it.effect("accepts any order of keys, and keeps unknown fields", () =>
    Effect.gen(function*() {
      const { failure, items } = yield* readText(
        " {\"data\" : [ {\"id\":\"a\",\"data\":[{\"data\":[1]},{}],\"x\":\"]}\"} ,\n{\"id\":\"\\u00e9\\\"\"} ] ,",
        "\"other\":{\"data\":[{\"id\":\"no\"}]},\"has_more\":false,\"object\":\"list\"}\n "
      )
      assert.isUndefined(failure)
      assert.deepStrictEqual(items, [{ id: "a", data: [{ data: [1] }, {}], x: "]}" } as Item, { id: "é\"" }])
    }))

  const wrong = {
    "an empty body": ["", "NotJson", ""],
    "a page of HTML": ["<html></html>", "NotJson", ""],
    "an array": ["[]", "WrongShape", ""],
    "no `has_more`": ["{\"object\":\"list\",\"data\":[]}", "WrongShape", "has_more"],
    "no `data`": ["{\"object\":\"list\",\"has_more\":false}", "WrongShape", "data"],
    "another `object`": ["{\"object\":\"error\",\"has_more\":false,\"data\":[]}", "WrongShape", "object"],
    "`data` that is not an array": ["{\"object\":\"list\",\"has_more\":false,\"data\":{}}", "WrongShape", "data"],
    "`data` twice": ["{\"object\":\"list\",\"has_more\":false,\"data\":[],\"data\":[]}", "WrongShape", "data"],
    "text after the end": ["{\"object\":\"list\",\"has_more\":false,\"data\":[]}x", "NotJson", ""],
    "a comma too many": ["{\"object\":\"list\",\"has_more\":false,\"data\":[{\"id\":\"a\"},]}", "NotJson", ""],
    "a comma in front": ["{\"object\":\"list\",\"has_more\":false,\"data\":[,{\"id\":\"a\"}]}", "NotJson", ""],
    "a comma behind the last key": ["{\"object\":\"list\",\"has_more\":false,\"data\":[],}", "NotJson", ""],
    "an item that is not an object": [
      "{\"object\":\"list\",\"has_more\":false,\"data\":[{\"id\":\"a\"},7]}",
      "WrongShape",
      "data[1]"
    ],
    "a field that is wrong": [
      "{\"object\":\"list\",\"has_more\":false,\"data\":[{\"id\":\"a\"},{\"id\":7}]}",
      "WrongShape",
      "data[1].id"
    ]
  } as const

  for (const [name, [text, reason, field]] of Object.entries(wrong)) {
    it.effect(`fails with ${name}, after the items before it`, () =>
      Effect.gen(function*() {
        for (const pieces of [[text], [...text]]) {
          const { failure, items } = yield* readText(...pieces)
          assert(failure?._tag === "UnexpectedResponse")
          assert.deepStrictEqual([failure.reason, failure.field], [reason, field])
          assert.deepStrictEqual(items, text.includes("[{\"id\":\"a\"}") ? [{ id: "a" }] : [])
        }
      }))
  }

  it.effect("emits the items before a broken one in the same chunk", () =>
    Effect.gen(function*() {
      const { failure, items } = yield* readText(
        "{\"object\":\"list\",\"has_more\":false,\"data\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":01},{\"id\":\"c\"}]}"
      )
      assert(failure?._tag === "UnexpectedResponse")
      assert.deepStrictEqual(items, [{ id: "a" }, { id: "b" }])
    }))

  it.effect("emits items as they arrive, and pulls no further than it must", () =>
    Effect.gen(function*() {
      const pieces = [
        "{\"data\":[{\"id\":\"a\"},{\"id\"",
        ":\"b\"},{\"id\":\"c\"}",
        "],\"object\":\"list\",\"has_more\":false}"
      ]
      const { list, log } = source([pieces.map(encode)])
      const first = yield* Stream.runHead(Whole.items(list))
      assertSome(first, { id: "a" })
      assert.deepStrictEqual([log.opened, log.pulled, log.closed], [1, 1, 1])
      const chunks = yield* Stream.runCollect(Stream.chunks(Whole.items(list)))
      assert.deepStrictEqual(Array.from(chunks, (chunk) => Chunk.toArray(chunk)), [
        [{ id: "a" }],
        [{ id: "b" }, { id: "c" }]
      ])
    }))

  it.effect("reports its progress: one request, one page, and the items as they arrive", () =>
    Effect.gen(function*() {
      const pieces = ["{\"data\":[{\"id\":\"a\"}", ",{\"id\":\"b\"}],\"object\":\"list\",\"has_more\":false}"]
      const { list } = source([pieces.map(encode)])
      const progress = yield* Progress.make
      const counts = Effect.map(progress.get, ({ items, pages, requests }) => [requests, pages, items])
      const seen = yield* Stream.runCollect(Stream.mapEffect(Whole.items(list, { progress }), () => counts))
      assert.deepStrictEqual([...seen], [[1, 0, 1], [1, 0, 2]])
      assert.deepStrictEqual(yield* counts, [1, 1, 2])
    }))

  it.effect("requests nothing before the first pull", () =>
    Effect.gen(function*() {
      const { list, log } = source([[]])
      yield* Stream.runDrain(Stream.take(Whole.items(list), 0))
      assert.strictEqual(log.opened, 0)
    }))

  it.effect("reads a hundred megabytes of whitespace without keeping them", () =>
    Effect.gen(function*() {
      const blanks = encode(" ".repeat(1 << 20))
      const { failure, items } = yield* read(
        source([[
          encode("{\"object\":\"list\","),
          ...Array.from({ length: 50 }, () => blanks),
          encode("\"has_more\":false,\"data\":[{\"id\":\"a\"},"),
          ...Array.from({ length: 50 }, () => blanks),
          encode("{\"id\":\"b\"}]}")
        ]]).list
      )
      assert.isUndefined(failure)
      assert.deepStrictEqual(items, [{ id: "a" }, { id: "b" }])
    }), 120_000)

  it.effect("rejects an item that exceeds the memory limit", () =>
    Effect.gen(function*() {
      const { list, log } = source([[
        encode("{\"object\":\"list\",\"has_more\":false,\"data\":[{\"id\":\"a\"},{\"id\":\""),
        ...Array.from({ length: 50 }, () => encode("x".repeat(1 << 20))),
        encode("\"}]}")
      ]])
      const { failure, items } = yield* read(list)
      assert(failure?._tag === "UnexpectedResponse")
      assert.deepStrictEqual([failure.reason, failure.field], ["TooLarge", "data[1]"])
      assert.deepStrictEqual(items, [{ id: "a" }])
      assert.isBelow(log.pulled, 20)
    }))

  it.effect("accepts a large item within the limit, in any chunks", () =>
    Effect.gen(function*() {
      const { failure, items } = yield* read(
        source([[
          encode("{\"object\":\"list\",\"has_more\":false,\"data\":[{\"id\":\""),
          ...Array.from({ length: 10_000 }, () => encode("é".repeat(500))),
          encode("\"}]}")
        ]]).list
      )
      assert.isUndefined(failure)
      assert.strictEqual(items[0]?.id.length, 5_000_000)
    }))
})

describe("whole, after a failure", () => {
  const all = Array.from({ length: 250 }, (_, index): Item => ({ id: `item-${250 - index}` }))
  const bytes = encode(JSON.stringify(Page.make(all, false)))
  const again = { retry: Schedule.recurs(2) }
  const half = bytes.subarray(0, bytes.length / 2)

  it.effect("repeats the request as long as no item has arrived", () =>
    Effect.gen(function*() {
      const failed = new InternalServerError({ statusCode: 500, message: "" })
      const { list, log } = source([failed, [encode("<html>")], [bytes]], all)
      assert.deepStrictEqual(yield* read(list, again), { items: all, failure: undefined })
      assert.deepStrictEqual([log.opened, log.pages.length], [3, 0])
    }))

  it.effect("gives up when the policy does", () =>
    Effect.gen(function*() {
      const { list, log } = source([[encode("{\"da")]], all)
      const { failure, items } = yield* read(list, again)
      assert.strictEqual(failure?._tag, "UnexpectedResponse")
      assert.deepStrictEqual([items.length, log.opened], [0, 3])
    }))

  for (const [name, pieces] of [["truncated", [half]], ["interrupted", [half, lost as TransportError]]] as const) {
    it.effect(`continues in pages after the last item when it is ${name}`, () =>
      Effect.gen(function*() {
        const { list, log } = source([pieces], all)
        const progress = yield* Progress.make
        assert.deepStrictEqual(yield* read(list, { ...again, progress }), { items: all, failure: undefined })
        assert.deepStrictEqual([log.opened, log.pages.length], [1, 2])
        // The response that ended early was no complete page.
        const { items, pages, requests } = yield* progress.get
        assert.deepStrictEqual([requests, pages, items], [3, 2, 250])
      }))

    it.effect(`fails after the complete items when it is ${name} and there is no retry`, () =>
      Effect.gen(function*() {
        const { list } = source([pieces], all)
        const { failure, items } = yield* read(list)
        assert.strictEqual(failure?._tag, name === "truncated" ? "UnexpectedResponse" : "TransportError")
        assert.isAbove(items.length, 100)
        assert.deepStrictEqual(items, all.slice(0, items.length))
      }))
  }

  it.effect("has the full budget of the policy again after the first items", () =>
    Effect.gen(function*() {
      const failed = new InternalServerError({ statusCode: 500, message: "" })
      const { list, log } = source([failed, failed, [half]], all)
      assert.deepStrictEqual(yield* read(list, again), { items: all, failure: undefined })
      assert.strictEqual(log.opened, 3)
    }))

  it.effect("continues in pages with the given policy", () =>
    Effect.gen(function*() {
      const failed = new InternalServerError({ statusCode: 500, message: "" })
      const { list, log } = source([[encode(JSON.stringify(Page.make(all.slice(0, 30), true)))]], all)
      const failing = {
        ...list,
        page: (request: PageRequest.PageRequest) => Effect.zipRight(list.page(request), failed)
      }
      const { failure, items } = yield* read(failing)
      assert.deepStrictEqual([items, failure?._tag], [all.slice(0, 30), "internal_server_error"])
      assert.strictEqual(log.pages.length, 1)
    }))

  it.effect("loses its position if the last hundred items were deleted", () =>
    Effect.gen(function*() {
      const text = encode(JSON.stringify(Page.make(all.slice(0, 150), true)))
      const { list } = source([cut(text, [1000, 2000, text.length - 300])], all.slice(150))
      const { failure, items } = yield* read(list)
      assert.deepStrictEqual(items, all.slice(0, 150))
      assert(failure?._tag === "PositionLost")
      assert.deepStrictEqual([failure.position, failure.tried], [Position.after("item-101"), 99])
    }))

  it.effect("continues in pages if `has_more` is true", () =>
    Effect.gen(function*() {
      const { list, log } = source([[encode(JSON.stringify(Page.make(all.slice(0, 30), true)))]], all)
      assert.deepStrictEqual(yield* read(list), { items: all, failure: undefined })
      assert.deepStrictEqual(log.pages.map(({ after }) => after), ["item-221", "item-121", "item-21"])
    }))

  it.effect("continues after an earlier item if the last one was deleted", () =>
    Effect.gen(function*() {
      const rest = all.filter(({ id }) => id !== "item-221" && id !== "item-222")
      const { list, log } = source([[encode(JSON.stringify(Page.make(all.slice(0, 30), true)))]], rest)
      assert.deepStrictEqual(yield* read(list), { items: all, failure: undefined })
      assert.deepStrictEqual(log.pages.slice(0, 3).map(({ after }) => after), ["item-221", "item-222", "item-223"])
    }))

  /** The chunks of a response, ten seconds apart. */
  const slowly = (pieces: Stream.Stream<Uint8Array>): Whole.CompleteSource<Item> => ({
    ...source([], all).list,
    open: Effect.succeed({
      from,
      contentType: "application/json",
      timeout: Duration.seconds(30),
      bytes: Stream.tap(pieces, () => Effect.sleep("10 seconds"))
    })
  })

  it.effect("continues in pages if bytes arrive forever without completing an item", () =>
    Effect.gen(function*() {
      for (const byte of [" ", "a"]) {
        const endless = Stream.concat(Stream.make(half), Stream.forever(Stream.make(encode(byte))))
        const fiber = yield* Effect.fork(read(slowly(endless), again))
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(yield* Fiber.join(fiber), { items: all, failure: undefined })
        const given = yield* Effect.fork(read(slowly(endless)))
        yield* TestClock.adjust("2 minutes")
        const { failure } = yield* Fiber.join(given)
        assert(failure?._tag === "TransportError")
        assert.deepStrictEqual(
          [failure.reason, failure.method, failure.url, failure.description],
          ["Timeout", from.method, from.url, "received bytes, but no complete item within 30s"]
        )
      }
    }))

  it.effect("does not time out while items arrive or the consumer is slow", () =>
    Effect.gen(function*() {
      const pieces = Stream.fromIterable(cut(bytes, Array.from({ length: 100 }, (_, n) => 100 * n)))
      const fiber = yield* Whole.items(slowly(pieces), { retry: RetryPolicy.none }).pipe(
        Stream.rechunk(1),
        Stream.mapEffect((item) => Effect.delay(Effect.succeed(item), "1 minute")),
        Stream.runCollect,
        Effect.fork
      )
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual([...(yield* Fiber.join(fiber))], all)
    }))

  it.effect("times out only if one item takes longer than a request may", () =>
    Effect.gen(function*() {
      const few = all.slice(0, 4)
      /** Each item in this many chunks, the last of which completes it. */
      const inChunks = (count: number) =>
        Stream.fromIterable([
          ...few.flatMap((item, index) => {
            const text = `${index === 0 ? "{\"object\":\"list\",\"has_more\":false,\"data\":[" : ","}${
              JSON.stringify(item)
            }`
            return cut(encode(text), Array.from({ length: count - 1 }, (_, chunk) => text.length - 1 - chunk))
          }),
          encode("]}")
        ]).pipe(Stream.rechunk(1))
      // The chunks come ten seconds apart: the fourth one exactly at the limit, counted from the first one.
      for (const [count, reason] of [[2, undefined], [5, undefined], [6, "Timeout"]] as const) {
        const fiber = yield* Effect.fork(read(slowly(inChunks(count))))
        yield* TestClock.adjust("1 hour")
        const { failure, items } = yield* Fiber.join(fiber)
        assert.strictEqual(failure !== undefined && "reason" in failure ? failure.reason : undefined, reason)
        assert.deepStrictEqual(items, reason === undefined ? few : [])
      }
    }))

  it.effect("fails as stalled if `has_more` is true, but there are no items", () =>
    Effect.gen(function*() {
      const { list } = source([[encode(JSON.stringify(Page.make([], true)))]], all)
      const { failure } = yield* read(list)
      assert(failure?._tag === "StalledWalk")
      assert.strictEqual(failure.reason, "EmptyPage")
    }))

  it.effect("does not retry a request that the API rejects", () =>
    Effect.gen(function*() {
      const { list, log } = source([new NotFound({ statusCode: 404, message: "" })], all)
      const { failure } = yield* read(list, { retry: RetryPolicy.patient })
      assert.strictEqual(failure?._tag, "not_found")
      assert.strictEqual(log.opened, 1)
    }))
})
