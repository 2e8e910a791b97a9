/**
 * What people write today: loops without validation, typed errors, retries or tracing; and what they write with Effect.
 */
import { HttpClient, HttpClientResponse } from "@effect/platform"
import { Page, Resource } from "@mailstream/core"
import { Chunk, Effect, Option, type Scope, Stream } from "effect"
import { Resend } from "resend"
import * as Undici from "undici"
import { key } from "./setting.ts"

/** The fields of a page that a loop needs. */
export interface AnyPage {
  readonly has_more: boolean
  readonly data: ReadonlyArray<{ readonly id: string }>
}

/** A loop over the pages of a list that does something with each. Returns the number of items. */
export interface Loop {
  (
    options: { readonly limit: number; readonly pages?: number; readonly use?: (page: AnyPage) => Promise<void> }
  ): Effect.Effect<number>
}

export const loop =
  (ask: (limit: number, after: string | undefined) => Promise<AnyPage>): Loop => ({ limit, pages, use }) =>
    Effect.promise(async () => {
      let after: string | undefined
      let items = 0
      for (let n = 0; n < (pages ?? Infinity); n++) {
        const page = await ask(limit, after)
        items += page.data.length
        await use?.(page)
        if (!page.has_more) break
        after = page.data.at(-1)!.id
      }
      return items
    })

export const query = (limit: number, after: string | undefined): string =>
  after === undefined ? `limit=${limit}` : `limit=${limit}&after=${after}`

export const headers = { authorization: `Bearer ${key}`, accept: "application/json" }

export const undici = (baseUrl: string): Effect.Effect<Loop, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Undici.Agent()),
    (agent) => Effect.promise(() => agent.destroy())
  ).pipe(
    Effect.map((agent) =>
      loop(async (limit, after) => {
        const { body } = await agent.request({
          origin: baseUrl,
          path: `/contacts?${query(limit, after)}`,
          method: "GET",
          headers
        })
        return JSON.parse(await body.text())
      })
    )
  )

/** The items of all pages, with Effect's own combinator. */
export const paginate = <E, R>(page: (after: string | undefined) => Effect.Effect<AnyPage, E, R>) =>
  Stream.paginateChunkEffect(undefined, (after: string | undefined) =>
    Effect.map(page(after), ({ data, has_more }) => [
      Chunk.unsafeFromArray(data),
      has_more ? Option.map(Option.fromNullable(data.at(-1)), ({ id }) => id) : Option.none()
    ]))

/** A stream on any `HttpClient`, whose pages are decoded by their schema. */
export const byHand = (baseUrl: string) => {
  const decode = HttpClientResponse.schemaBodyJson(Page.schema(Resource.contacts.item))
  return paginate((after) =>
    Effect.flatMap(
      HttpClient.get(`${baseUrl}/contacts?${query(100, after)}`, { headers }),
      decode
    )
  )
}

/** A stream of a page that is already in memory: the cost of the stream itself. */
export const atOnce = paginate(() =>
  Effect.succeed({
    has_more: true,
    data: [{ id: "1" }, { id: "2" }, { id: "3" }, { id: "4" }, { id: "5" }, { id: "6" }]
  })
)

export const fetching = (baseUrl: string, options: { readonly signal?: boolean } = {}): Loop =>
  loop(async (limit, after) => {
    const signal = options.signal === true ? { signal: new AbortController().signal } : {}
    const response = await fetch(`${baseUrl}/contacts?${query(limit, after)}`, { headers, ...signal })
    return JSON.parse(await response.text())
  })

export const resend = (baseUrl: string): Loop => {
  const client = new Resend(key, { baseUrl })
  return loop(async (limit, after) => {
    const { data } = await client.contacts.list(after === undefined ? { limit } : { limit, after })
    return data!
  })
}
