import { assert, describe, it } from "@effect/vitest"
import { after, before, Mailstream, MailstreamError, type Walk } from "@mailstream/client"
import { Resource } from "@mailstream/core"
import * as SampleData from "@mailstream/server/SampleData"
import { serve, silence } from "@mailstream/testing/HttpServer"
import { Effect, FastCheck as fc, Record } from "effect"
import { filters, listOf, nameOf } from "./support/filters.ts"
import { rejection, scoped, service, transports } from "./support/service.ts"

const all = async <A>(walk: Walk<A>): Promise<Array<A>> => {
  const items: Array<A> = []
  for await (const item of walk) items.push(item)
  return items
}

interface AnyItem {
  readonly id: string
}

const ids = (items: ReadonlyArray<AnyItem>) => items.map(({ id }) => id)

/** A filter for the first owner, if the list must have one. */
const filterOf = async (client: Mailstream, resource: (typeof Resource.all)[number]): Promise<unknown> => {
  const { scope } = resource
  if (resource.isFilter(undefined) || scope === undefined) return undefined
  const owners = Resource.all.find(({ name }) => name === scope.owner)!
  const [owner] = (await listOf(client, owners).list()).data
  assert(owner !== undefined, scope.owner)
  const [filter] = fc.sample(filters(resource), 1)
  return { ...filter, [scope.field]: owner.id }
}

/** Items without what every request changes: when its key was last used. */
const lasting = (items: ReadonlyArray<AnyItem>) => items.map((item) => ({ ...item, last_used_at: undefined }))

describe.each(Object.entries(transports))("walks over %s", (_, transport) => {
  it.scopedLive("request nothing before the first item is needed, and no page before it is needed", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 250 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const walk = client.contacts.items()
        const iterator = walk[Symbol.asyncIterator]()
        assert.deepStrictEqual(requests, [])
        for (let n = 0; n < 100; n++) await iterator.next()
        assert.strictEqual(requests.length, 1)
        await iterator.next()
        assert.strictEqual(requests.length, 2)
        await iterator.return()
      })
    }))

  it.scopedLive("request only as many items as they take", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 250 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const expected = await client.contacts.items().toArray({ limit: 120 })
        requests.length = 0
        assert.deepStrictEqual(await all(client.contacts.items({ take: 5 })), expected.slice(0, 5))
        assert.deepStrictEqual(requests.splice(0), ["GET /contacts?limit=5"])
        for (const [take, limit] of [[undefined, 5], [5, 7], [7, 5]] as const) {
          assert.deepStrictEqual(await client.contacts.items({ take }).toArray({ limit }), expected.slice(0, 5))
          assert.deepStrictEqual(requests.splice(0), ["GET /contacts?limit=5"])
        }
        const pages = await all(client.contacts.pages({ take: 120 }))
        assert.deepStrictEqual(pages.flatMap(({ data }) => data), expected)
        assert.deepStrictEqual(requests.splice(0), [
          "GET /contacts?limit=100",
          `GET /contacts?limit=20&after=${expected[99]?.id}`
        ])
        assert.deepStrictEqual(await all(client.contacts.items({ take: 0 })), [])
        assert.deepStrictEqual(requests, [])
      })
    }))

  it.scopedLive("stop with a break, and begin again with every loop", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 250 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const walk = client.contacts.items()
        let count = 0
        for await (const contact of walk) {
          assert.isString(contact.email)
          if (++count === 150) break
        }
        assert.strictEqual(requests.length, 2)
        const first = await all(walk)
        assert.strictEqual(first.length, 250)
        assert.deepStrictEqual(ids(await all(walk)), ids(first))
      })
    }))

  it.scopedLive("serve overlapping calls of next in order, and are done after the end", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 3 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const expected = ids(await all(client.contacts.items()))
        const iterator = client.contacts.items({ pageSize: 1 })[Symbol.asyncIterator]()
        const results = await Promise.all([1, 2, 3, 4, 5].map(() => iterator.next()))
        assert.deepStrictEqual(results.map(({ value }) => value?.id), [...expected, undefined, undefined])
        assert.deepStrictEqual(results.map(({ done }) => done), [false, false, false, true, true])
        assert.deepStrictEqual(await iterator.next(), { done: true, value: undefined })
        assert.deepStrictEqual(await iterator.return(), { done: true, value: undefined })
        assert.deepStrictEqual(await iterator.next(), { done: true, value: undefined })
      })
    }))

  it.scopedLive("abort the request when return is called during next", () =>
    Effect.gen(function*() {
      const { baseUrl, hungUp, received } = yield* silence
      const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1", transport: transport() }))
      yield* Effect.promise(async () => {
        const iterator = client.contacts.items()[Symbol.asyncIterator]()
        const pending = [iterator.next(), iterator.next()]
        await received
        assert.deepStrictEqual(await iterator.return(), { done: true, value: undefined })
        await hungUp
        for (const result of await Promise.all(pending)) {
          assert.deepStrictEqual(result, { done: true, value: undefined })
        }
        assert.deepStrictEqual(await iterator.next(), { done: true, value: undefined })
      })
    }))

  for (const way of ["items", "pages", "follow", "whole"] as const) {
    it.scopedLive(`abort the request of ${way} when their signal is aborted, and throw its reason`, () =>
      Effect.gen(function*() {
        const { baseUrl, hungUp, received } = yield* silence
        const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1", transport: transport() }))
        yield* Effect.promise(async () => {
          const controller = new AbortController()
          const reason = new Error("enough")
          const iterator = client.contacts[way]({ signal: controller.signal })[Symbol.asyncIterator]()
          const pending = [iterator.next(), iterator.next()]
          await received
          controller.abort(reason)
          assert.strictEqual(await rejection(pending[0]!), reason)
          assert.deepStrictEqual(await pending[1], { done: true, value: undefined })
          await hungUp
        })
      }))
  }

  it.scopedLive("check their signal for every item", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 50 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        const walk = client.contacts.items({ signal: controller.signal })
        let count = 0
        const loop = async () => {
          for await (const _ of walk) if (++count === 5) controller.abort()
        }
        const error = await rejection(loop())
        assert.instanceOf(error, DOMException)
        assert.strictEqual(count, 5)
        assert.strictEqual(await rejection(walk.toArray({ limit: 1 })), controller.signal.reason)
        assert.strictEqual(requests.length, 1)
      })
    }))

  it.scopedLive("abort a response in the middle: whole", () =>
    Effect.gen(function*() {
      const { client: filled } = yield* service({ contacts: 1 })
      const [contact] = yield* Effect.promise(() => all(filled.contacts.items()))
      let hungUp = () => {}
      const closed = new Promise<void>((resolve) => (hungUp = resolve))
      const baseUrl = yield* serve((_, response) => {
        response.once("close", () => hungUp())
        response.writeHead(200, { "content-type": "application/json" })
        response.write(`{"object":"list","has_more":false,"data":[${JSON.stringify(contact)},`)
      })
      const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1", transport: transport() }))
      yield* Effect.promise(async () => {
        for await (const received of client.contacts.whole()) {
          assert.deepStrictEqual(received, contact)
          break
        }
        await closed
      })
    }))

  it.scopedLive("toArray is bounded, and requests no more than it needs", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 250 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const walk = client.contacts.items()
        assert.strictEqual((await walk.toArray({ limit: 120 })).length, 120)
        assert.strictEqual(requests.length, 2)
        assert.strictEqual((await walk.toArray({ limit: 1000 })).length, 250)
        assert.deepStrictEqual(await walk.toArray({ limit: 0 }), [])
      })
    }))

  it.scopedLive("toReadableStream is as lazy, and stops when it is cancelled", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 250 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const stream = client.contacts.items().toReadableStream()
        assert.deepStrictEqual(requests, [])
        const reader = stream.getReader()
        for (let n = 0; n < 100; n++) assert.isFalse((await reader.read()).done)
        assert.strictEqual(requests.length, 1)
        await reader.cancel()
        const complete = client.contacts.items().toReadableStream().getReader()
        let count = 0
        while (!(await complete.read()).done) count++
        assert.strictEqual(count, 250)
      })
    }))

  it.scopedLive("every list can be walked in every way", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service(Record.map(SampleData.samples, () => 5), { transport: transport() })
      yield* Effect.promise(async () => {
        const walked = []
        for (const resource of Resource.all) {
          const name = nameOf(resource)
          const list = listOf(client, resource)
          const options = { filter: await filterOf(client, resource) }
          const items = lasting(await all(list.items({ pageSize: 2, ...options })))
          const pages = await all(list.pages({ pageSize: 2, ...options }))
          assert.deepStrictEqual(lasting(pages.flatMap(({ data }) => data)), items, name)
          assert.deepStrictEqual(lasting((await list.list({ limit: 100, ...options })).data), items, name)
          const whole = list.whole === undefined ? undefined : lasting(await all(list.whole(options)))
          assert.deepStrictEqual(whole, resource.pagination === "optional" ? items : undefined, name)
          const position = pages[0]?.next
          assert.deepStrictEqual(lasting(await all(list.items({ from: position, ...options }))), items.slice(2), name)
          walked.push(name)
        }
        assert.strictEqual(walked.length, Resource.all.length)
        assert.isAbove(requests.length, 3 * walked.length)
      })
    }))
})

describe("walks", () => {
  it.scopedLive("begin after or before an item, and within a filter", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 10, segments: 2 })
      yield* Effect.promise(async () => {
        const contacts = ids(await all(client.contacts.items()))
        assert.deepStrictEqual(ids(await all(client.contacts.items({ from: after(contacts[6]!) }))), contacts.slice(7))
        assert.deepStrictEqual(
          ids(await all(client.contacts.items({ from: before(contacts[2]!) }))),
          contacts.slice(0, 2).reverse()
        )
        const [segment] = await all(client.segments.items())
        const filter = { segment_id: segment!.id }
        const within = await all(client.contacts.items({ filter }))
        assert.deepStrictEqual((await client.contacts.list({ filter })).data, within)
      })
    }))

  it.scopedLive("prefetch as many pages as they are told to", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 250 })
      yield* Effect.promise(async () => {
        const expected = ids(await all(client.contacts.items()))
        assert.deepStrictEqual(ids(await all(client.contacts.items({ prefetch: 2, pageSize: 20 }))), expected)
      })
    }))

  it.scopedLive("follow new items as they are created", () =>
    Effect.gen(function*() {
      const { client, insert } = yield* service({ contacts: 3 })
      yield* Effect.promise(async () => {
        const [newest] = await client.contacts.items().toArray({ limit: 1 })
        const iterator = client.contacts.follow({ since: newest!.id, poll: 1 })[Symbol.asyncIterator]()
        const pending = iterator.next()
        await insert({ contacts: 2, seed: 1 })
        const found = [await pending, await iterator.next()].map(({ value }) => value?.id)
        const [second, first] = await client.contacts.items().toArray({ limit: 2 })
        assert.deepStrictEqual(found, [first?.id, second?.id])
        await iterator.return()
      })
    }))

  it.scopedLive("retry a page after a failure, and throw the last one as a typed error", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 250 }, { faults: { seed: 1, serverError: { rate: 0.3 } } })
      yield* Effect.promise(async () => {
        const retry = { times: 20, base: 1, cap: 5 }
        assert.strictEqual((await all(client.contacts.items({ pageSize: 10, retry }))).length, 250)
        const error = await rejection((async () => {
          for (;;) await all(client.contacts.items({ pageSize: 10, retry: "none" }))
        })())
        assert(error instanceof MailstreamError)
        assert.include(["internal_server_error", "service_unavailable"], error._tag)
      })
    }))
})
