/** A service whose lists change as a test wants, over HTTP. */
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted, type Scope } from "effect"

export interface Item {
  readonly id: string
}

export interface Service {
  /** The lists by path, the newest item first: `/contacts`. */
  readonly lists: Map<string, ReadonlyArray<Item>>
  /** The requests so far, as in `/contacts?limit=100`. */
  readonly requests: Array<string>
  /** Called before a request is answered. */
  onRequest: (url: string) => void
  /** Whether a cursor is accepted after its item is deleted, as if the item still were at its place. */
  acceptsDeleted: boolean
  readonly baseUrl: string
  readonly client: Layer.Layer<Mailstream.Mailstream>
}

/** The places of all items that a list ever had, so that the cursors of deleted ones keep their meaning. */
class Places {
  readonly #places = new Map<string, number>()

  /** Newer items have lower places. */
  add(items: ReadonlyArray<Item>): void {
    for (const { id } of [...items].reverse()) if (!this.#places.has(id)) this.#places.set(id, -this.#places.size)
  }

  of(id: string): number | undefined {
    return this.#places.get(id)
  }
}

const notFound = { statusCode: 404, name: "not_found", message: "The cursor does not exist." }

export const make: Effect.Effect<Service, never, Scope.Scope> = Effect.gen(function*() {
  const places = new Map<string, Places>()
  const lists = new Map<string, ReadonlyArray<Item>>()
  const requests: Array<string> = []
  const baseUrl = yield* serve((incoming, outgoing) => {
    const url = incoming.url ?? ""
    requests.push(url)
    service.onRequest(url)
    const { pathname, searchParams } = new URL(url, "http://localhost")
    const items = lists.get(pathname)
    if (items === undefined) return sendJson(outgoing, 404, { ...notFound, message: "No such list." })
    const order = places.get(pathname) ?? new Places()
    places.set(pathname, order)
    order.add(items)
    const limit = searchParams.has("limit") ? Number(searchParams.get("limit")) : Infinity
    const after = searchParams.get("after")
    const before = searchParams.get("before")
    const cursor = after ?? before
    const at = cursor === null ? 0 : order.of(cursor)
    if (at === undefined || (cursor !== null && (!service.acceptsDeleted && !items.some(({ id }) => id === cursor)))) {
      return sendJson(outgoing, 404, notFound)
    }
    const place = (item: Item) => order.of(item.id) ?? 0
    const rest = after !== null
      ? items.filter((item) => place(item) > at)
      : before !== null
      ? items.filter((item) => place(item) < at)
      : items
    const data = before !== null ? rest.slice(Math.max(0, rest.length - limit)) : rest.slice(0, limit)
    sendJson(outgoing, 200, { object: "list", has_more: data.length < rest.length, data })
  })
  const client = Layer.orDie(
    Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_test"), rateLimit: false }).pipe(
      Layer.provide(UndiciTransport.layer)
    )
  )
  const service: Service = { lists, requests, onRequest: () => {}, acceptsDeleted: false, baseUrl, client }
  return service
})

/** A valid id. */
export const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

export const contact = (number: number, fields: object = {}): Item => ({
  id: uuid(number),
  ...{
    email: `user${number}@example.com`,
    first_name: null,
    last_name: "Müller",
    created_at: "2026-01-02 03:04:05.678+00",
    unsubscribed: false
  },
  ...fields
})

export const topic = (number: number, fields: object = {}): Item => ({
  id: uuid(number),
  ...{ name: `Topic ${number}`, description: null, default_subscription: "opt_in", created_at: "2026-01-02T03:04:05Z" },
  ...fields
})

export const template = (number: number, fields: object = {}): Item => ({
  id: uuid(number),
  ...{ name: `Template ${number}`, status: "draft" },
  ...fields
})
