/** A service whose lists change as a test wants, over HTTP. */
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted, type Scope } from "effect"
import type { ServerResponse } from "node:http"

export interface Item {
  readonly id: string
}

export interface Service {
  /** The lists by path, the newest item first: `/contacts`. */
  readonly lists: Map<string, ReadonlyArray<Item>>
  /** The requests so far, as in `/contacts?limit=100`. */
  readonly requests: Array<string>
  /** Called before a request is answered. If it returns false, there is no answer. */
  onRequest: (url: string) => boolean | void
  /** Whether a cursor is accepted after its item is deleted, as if the item still were at its place. */
  acceptsDeleted: boolean
  /** Items that every page but the first begins with, although they are somewhere else. */
  repeats: ReadonlyArray<Item>
  /** How many items up to its cursor every page but the first begins with. */
  overlap: number
  /** How many turns of the event loop a response takes, so that those of several lanes arrive together. */
  turns: number
  readonly baseUrl: string
  readonly client: Layer.Layer<Mailstream.Mailstream>
}

/** Newer items have greater numbers, and come first. */
const numberOf = (id: string): number => Number(id.slice(-12))

const notFound = { statusCode: 404, name: "not_found", message: "The cursor does not exist." }

export const make: Effect.Effect<Service, never, Scope.Scope> = Effect.gen(function*() {
  /** Every item that ever was, so that the cursors of deleted ones keep their meaning. */
  const known = new Set<string>()
  const lists = new Map<string, ReadonlyArray<Item>>()
  const requests: Array<string> = []
  const baseUrl = yield* serve((incoming, outgoing) => {
    const url = incoming.url ?? ""
    requests.push(url)
    if (service.onRequest(url) === false) return
    const wait = (turns: number): void => {
      if (turns === 0) respond(url, outgoing)
      else setImmediate(wait, turns - 1)
    }
    wait(service.turns)
  })
  const respond = (url: string, outgoing: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, "http://localhost")
    const items = lists.get(pathname)
    if (items === undefined) return sendJson(outgoing, 404, { ...notFound, message: "No such list." })
    for (const { id } of items) known.add(`${pathname} ${id}`)
    const limit = searchParams.has("limit") ? Number(searchParams.get("limit")) : Infinity
    const after = searchParams.get("after")
    const before = searchParams.get("before")
    const cursor = after ?? before
    const isAccepted = cursor === null || (service.acceptsDeleted
      ? known.has(`${pathname} ${cursor}`)
      : items.some(({ id }) => id === cursor))
    if (!isAccepted) return sendJson(outgoing, 404, notFound)
    const rest = after !== null
      ? items.filter(({ id }) => numberOf(id) < numberOf(after))
      : before !== null
      ? items.filter(({ id }) => numberOf(id) > numberOf(before))
      : items
    const data = before !== null ? rest.slice(Math.max(0, rest.length - limit)) : rest.slice(0, limit)
    const passed = after === null ? [] : items.filter(({ id }) => numberOf(id) >= numberOf(after))
    const repeated = after === null ? [] : [...service.repeats, ...passed.slice(passed.length - service.overlap)]
    sendJson(outgoing, 200, { object: "list", has_more: data.length < rest.length, data: [...repeated, ...data] })
  }
  const client = Layer.orDie(
    Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_test"), rateLimit: false }).pipe(
      Layer.provide(UndiciTransport.layer)
    )
  )
  const service: Service = {
    lists,
    requests,
    onRequest: () => {},
    acceptsDeleted: false,
    repeats: [],
    overlap: 0,
    turns: 0,
    baseUrl,
    client
  }
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
