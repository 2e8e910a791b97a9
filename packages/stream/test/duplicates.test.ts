import { assert, describe, it } from "@effect/vitest"
import { NotFound, Page, type PageRequest, Position } from "@mailstream/core"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts, Follow, Telemetry, Walk } from "@mailstream/stream"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Chunk, Effect, FastCheck, Layer, Logger, Metric, Redacted, Schedule, Stream } from "effect"
import { all } from "./support/bare.ts"
import { down, FakeList, ids, type Item, item, up } from "./support/list.ts"

/** A source with arbitrary responses. */
const table = (name: string, respond: (request: PageRequest.PageRequest) => Page.Page<Item>): Walk.Source<Item> => ({
  name,
  page: (request: PageRequest.PageRequest) => Effect.sync(() => respond(request))
})

/** A list of which every page repeats the last items of the page before it. */
const overlapping = (size: number, overlap: number, name = "overlapping"): Walk.Source<Item> => {
  const items = down(size, 1)
  const indexOf = (id: string | undefined) => items.findIndex((item) => item.id === id)
  return table(name, ({ after, before, limit = 100 }) => {
    if (before === undefined) {
      const start = after === undefined ? 0 : Math.max(0, indexOf(after) + 1 - overlap)
      return Page.make(items.slice(start, start + limit), start + limit < size)
    }
    const end = before === "item-1" ? size - 1 : indexOf(before) + overlap
    return Page.make(items.slice(Math.max(0, end - limit), end), end - limit > 0)
  })
}

const collect = <E, R>(stream: Stream.Stream<Item, E, R>) => Effect.map(Stream.runCollect(stream), ids)

const itemsOf = <E, R>(pages: Stream.Stream<Walk.WalkedPage<Item>, E, R>) =>
  Stream.mapConcat(pages, (page) => page.data)

/** What an effect logs, and what it returns. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
    return Effect.map(
      Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger)),
      (value) => ({ value, lines })
    )
  })

const duplicatesOf = (list: string) =>
  Effect.map(Metric.value(Metric.tagged(Telemetry.duplicates, "list", list)), ({ count }) => count)

describe("items that the API repeats", () => {
  it.effect("leave room for the items that a walk takes", () =>
    Effect.gen(function*() {
      const source = overlapping(3, 2)
      const from = Position.after("item-2")
      const taken = yield* collect(Walk.items(source, { from, take: 2 }))
      assert.deepStrictEqual(taken, yield* collect(Stream.take(Walk.items(source, { from }), 2)))
      assert.strictEqual(taken.length, 2)
    }))

  it.effect.prop("in overlapping pages are emitted once, in both directions, with prefetch and in pages", [
    FastCheck.integer({ min: 2, max: 100 }).chain((pageSize) =>
      FastCheck.record({
        pageSize: FastCheck.constant(pageSize),
        overlap: FastCheck.integer({ min: 1, max: pageSize - 1 }),
        prefetch: FastCheck.integer({ min: 0, max: 2 })
      })
    )
  ], ([{ overlap, pageSize, prefetch }]) =>
    Effect.gen(function*() {
      const source = overlapping(250, overlap)
      const forward = { pageSize, prefetch }
      const backward = { ...forward, from: Position.before("item-1") }
      assert.deepStrictEqual(yield* collect(Walk.items(source, forward)), ids(down(250, 1)))
      assert.deepStrictEqual(yield* collect(itemsOf(Walk.pages(source, forward))), ids(down(250, 1)))
      assert.deepStrictEqual(yield* collect(Walk.items(source, backward)), ids(up(2, 250)))
      assert.deepStrictEqual(yield* collect(itemsOf(Walk.pages(source, backward))), ids(up(2, 250)))
    }), { fastCheck: { numRuns: 30 } })

  it.effect("in overlapping pages of a long list are emitted once", () =>
    Effect.gen(function*() {
      for (const pageSize of [7, 100]) {
        const walked = yield* collect(Walk.items(overlapping(2500, pageSize - 1), { pageSize }))
        assert.deepStrictEqual(walked, ids(down(2500, 1)))
      }
    }))

  const shapes: Record<string, (n: number) => string> = {
    numbers: String,
    padded: (n) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`,
    // The last characters do not tell them apart.
    "nearly equal": (n) => [...String(n).padStart(6, "0")].map((digit) => `a${digit}aa`).join("").padEnd(48, "b"),
    "repeated letter": (n) => "x".repeat(n)
  }
  for (const [shape, idOf] of Object.entries(shapes)) {
    it.effect.prop(`among the last 100 are told from new ones, in pages of any size: ${shape} ids`, [
      FastCheck.array(
        FastCheck.record({
          size: FastCheck.oneof(FastCheck.integer({ min: 1, max: 100 }), FastCheck.integer({ min: 1, max: 600 })),
          // Which items are repeated, and how far back they are.
          repeats: FastCheck.dictionary(FastCheck.integer({ min: 0, max: 600 }).map(String), FastCheck.nat(98))
        }),
        { minLength: 1, maxLength: 10 }
      )
    ], ([plan]) =>
      Effect.gen(function*() {
        let fresh = 0
        const sent: Array<string> = []
        const expected: Array<string> = []
        const pages = plan.map(({ repeats, size }) =>
          Array.from({ length: size }, (_, index) => {
            const ago = repeats[index]
            const known = ago === undefined ? undefined : sent[sent.length - 1 - ago]
            // The last item of a page is new, so that it leads on.
            const id = known === undefined || index === size - 1 ? idOf(++fresh) : known
            if (!expected.includes(id)) expected.push(id)
            sent.push(id)
            return { id }
          })
        )
        let served = 0
        const source = table("any", () => Page.make(pages[served++]!, served < pages.length))
        const walked = yield* Effect.map(logged(collect(Walk.items(source))), ({ value }) => value)
        assert.deepStrictEqual(walked, expected)
      }), { fastCheck: { numRuns: 20 } })
  }

  it.effect("are left out of a walk that resumes from a stored position, too", () =>
    Effect.gen(function*() {
      const source = overlapping(20, 3)
      const [first] = yield* Stream.runCollect(Stream.take(Walk.pages(source, { pageSize: 6 }), 1))
      assert.deepStrictEqual(
        yield* collect(Walk.items(source, { pageSize: 6, from: first!.next })),
        ids(down(14, 1))
      )
    }))

  it.effect("within a page are emitted once, and the page leads on from its last new item", () =>
    Effect.gen(function*() {
      const requests: Array<string | undefined> = []
      const source = table("twice", ({ after }) => {
        requests.push(after)
        return after === undefined
          ? Page.make([item(9), item(9), item(8), item(9)], true)
          : Page.make([item(7), item(7)], false)
      })
      const pages = yield* Stream.runCollect(Walk.pages(source))
      assert.deepStrictEqual(Array.from(pages, ({ data }) => ids(data)), [["item-9", "item-8"], ["item-7"]])
      assert.deepStrictEqual(requests, [undefined, "item-8"])
    }))

  it.effect("on every page of a long list are emitted once", () =>
    Effect.gen(function*() {
      const pinned = { id: "pinned" }
      const items = down(2500, 1)
      const source = table("pinned", ({ after, limit = 100 }) => {
        const start = items.findIndex(({ id }) => id === after) + 1
        return Page.make([pinned, ...items.slice(start, start + limit - 1)], start + limit - 1 < items.length)
      })
      for (const pageSize of [2, 10, 100]) {
        assert.deepStrictEqual(yield* collect(Walk.items(source, { pageSize })), ["pinned", ...ids(items)])
      }
    }))

  it.effect("on every page are left out of a walk that resumes from any page, too", () =>
    Effect.gen(function*() {
      const pinned = { id: "pinned" }
      const items = down(60, 1)
      const source = table("pinned", ({ after, limit = 100 }) => {
        const start = items.findIndex(({ id }) => id === after) + 1
        return Page.make([pinned, ...items.slice(start, start + limit - 1)], start + limit - 1 < items.length)
      })
      const pages = Array.from(yield* Stream.runCollect(Walk.pages(source, { pageSize: 10 })))
      for (const [index, { next }] of pages.entries()) {
        const rest = yield* collect(Walk.items(source, { pageSize: 10, from: next }))
        assert.deepStrictEqual(rest, pages.slice(index + 1).flatMap(({ data }) => ids(data)))
      }
    }))

  it.effect("end a walk if 400 pages in a row hold nothing else, however long it was before", () =>
    Effect.gen(function*() {
      const newPages = 520
      let requests = 0
      const source = table("round", () => {
        requests++
        return Page.make([item(requests <= newPages ? requests : newPages - requests % 3)], true)
      })
      const error = yield* Effect.flip(Stream.runDrain(Walk.items(source, { pageSize: 1 })))
      assert.include(error, { _tag: "StalledWalk", reason: "Cycle" })
      assert.isAtMost(requests, newPages + 402)
    }))

  it.effect("are counted, and logged once for each page that holds some, without their content", () =>
    Effect.gen(function*() {
      const source = overlapping(14, 2, "repeating")
      const { lines } = yield* logged(Stream.runDrain(Walk.items(source, { pageSize: 6 })))
      assert.deepStrictEqual(
        lines,
        Array.from(
          { length: 2 },
          () => "WARN repeating: skipped items that the API repeated: 2"
        )
      )
      assert.strictEqual(yield* duplicatesOf("repeating"), 4)
      const items = yield* Metric.value(Metric.tagged(Telemetry.items, "list", "repeating"))
      assert.strictEqual(items.count, 14)
    }))

  it.effect("are neither counted nor logged if there are none", () =>
    Effect.gen(function*() {
      const { lines } = yield* logged(Stream.runDrain(Walk.items(overlapping(250, 0, "healthy"), { pageSize: 10 })))
      assert.deepStrictEqual(lines, [])
      assert.strictEqual(yield* duplicatesOf("healthy"), 0)
    }))

  it.effect("are not those that a page after a deleted cursor holds again", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      list.failures.push(NotFound.ofCursor)
      const walk = Walk.items(list, { from: Position.after("item-5", ["item-7", "item-6"]) })
      const { lines, value } = yield* logged(collect(walk))
      assert.deepStrictEqual(value, ids(down(4, 1)))
      assert.deepStrictEqual(lines, [])
    }))

  it.effect("as a complete page with `has_more` do not stop a walk that they lead on", () =>
    Effect.gen(function*() {
      const pages: { readonly [cursor: string]: Page.Page<Item> } = {
        "": Page.make(down(9, 7), true),
        // Nothing new, but its last item leads to something that is.
        "item-7": Page.make([item(9), item(8)], true),
        "item-8": Page.make(down(7, 6), false)
      }
      const source = table("leading on", ({ after = "" }) => pages[after]!)
      assert.deepStrictEqual(yield* collect(Walk.items(source)), ids(down(9, 6)))
    }))

  it.effect("as complete pages forever end in StalledWalk, even if the API evades the detection of cycles", () =>
    Effect.gen(function*() {
      const known = down(90, 1)
      let requests = 0
      let evaded: string | undefined
      const source = table("endless", ({ after }) => {
        if (after === undefined) return Page.make(known, true)
        requests++
        // The cursors number 1, 3, 7, 15, … are those that would reveal a cycle if they appeared again.
        if (Number.isInteger(Math.log2(requests + 1))) evaded = after
        const others = known.filter(({ id }) => id !== evaded && id !== after)
        return Page.make([others[requests % others.length]!], true)
      })
      const seen: Array<string> = []
      const error = yield* Walk.items(source).pipe(
        Stream.runForEach(({ id }) => Effect.sync(() => seen.push(id))),
        Effect.flip
      )
      assert(error._tag === "StalledWalk")
      assert.strictEqual(requests, 401)
      assert.deepStrictEqual(seen, ids(known))
    }))

  it.effect("among new items are emitted once by `follow`", () =>
    Effect.gen(function*() {
      const source = table("followed", ({ before }) =>
        before === "item-1"
          ? Page.make([item(3), item(2), item(3), item(2)], false)
          : Page.make<Item>([], false))
      const { value } = yield* logged(collect(Follow.items(source, { since: "item-1", poll: Schedule.stop })))
      assert.deepStrictEqual([...value].sort(), ["item-2", "item-3"])
    }))
})

describe("items that the API repeats, over HTTP", () => {
  const overHttp = (baseUrl: string) =>
    Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false }).pipe(
      Layer.provide(UndiciTransport.layer),
      Layer.orDie
    )

  it.scopedLive("are left out of pages, and of a complete list", () =>
    Effect.gen(function*() {
      const url = yield* serve((request, response) => {
        const query = new URL(request.url!, "http://localhost").searchParams
        const start = Math.max(0, all.findIndex(({ id }) => id === query.get("after")) - 9)
        const limit = query.get("limit")
        sendJson(
          response,
          200,
          limit === null
            ? Page.make(all.flatMap((contact, index) => index % 5 === 0 ? [contact, contact] : [contact]), false)
            : Page.make(all.slice(start, start + Number(limit)), start + Number(limit) < all.length)
        )
      })
      for (const walk of [contacts.items(), contacts.items({ prefetch: 1 }), contacts.whole()]) {
        const { lines, value } = yield* logged(Effect.provide(Stream.runCollect(walk), overHttp(url)))
        assert.deepStrictEqual(Chunk.toReadonlyArray(value), all)
        assert.isNotEmpty(lines)
        for (const line of lines) assert.match(line, /^WARN contacts: skipped items that the API repeated: \d+$/)
      }
      // One warning for the one response of `whole`.
      const { lines } = yield* logged(Effect.provide(Stream.runDrain(contacts.whole()), overHttp(url)))
      assert.deepStrictEqual(lines, ["WARN contacts: skipped items that the API repeated: 100"])
    }))

  it.scopedLive("are not logged for a complete list without any", () =>
    Effect.gen(function*() {
      const url = yield* serve((_, response) => sendJson(response, 200, Page.make(all, false)))
      const { lines } = yield* logged(Effect.provide(Stream.runDrain(contacts.whole()), overHttp(url)))
      assert.deepStrictEqual(lines, [])
    }))
})
