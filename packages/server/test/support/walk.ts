import { Effect } from "effect"
import { type AnyPage, page } from "./http.ts"

const paths = (path: string, limit: number, cursor: string) => `${path}?limit=${limit}${cursor}`

/** All pages of a list, from the newest item to the oldest. */
export const forward = Effect.fn(function*(path: string, limit: number) {
  const pages: Array<AnyPage> = [yield* page(paths(path, limit, ""))]
  for (let last = pages[0]!; last.has_more; last = pages.at(-1)!) {
    pages.push(yield* page(paths(path, limit, `&after=${last.data.at(-1)!.id}`)))
  }
  return pages
})

/** All pages of a list before an item, from the older to the newer. */
export const backward = Effect.fn(function*(path: string, limit: number, from: string) {
  const pages: Array<AnyPage> = [yield* page(paths(path, limit, `&before=${from}`))]
  for (let last = pages[0]!; last.has_more; last = pages.at(-1)!) {
    pages.push(yield* page(paths(path, limit, `&before=${last.data[0]!.id}`)))
  }
  return pages
})
