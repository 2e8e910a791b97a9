/** What is right and what is wrong, compared with what the service itself holds. */
import { isUnprocessed, type RequestError } from "@mailstream/core"
import type { ListError } from "@mailstream/stream"
import { Array, Effect, Schema } from "effect"
import * as Mark from "../../support/mark.ts"

const Item = Schema.Struct({ id: Schema.String, name: Schema.optional(Schema.NullOr(Schema.String)) })

/** An item as the service sends it, with all its fields. */
export type Item = typeof Item.Type

const isPage = Schema.is(Schema.Struct({ data: Schema.Array(Item), has_more: Schema.Boolean }))

/** Everything that the service holds in a list, newest first, read without the library. */
export const held = (baseUrl: string, path: "/contacts" | "/topics"): Effect.Effect<ReadonlyArray<Item>> =>
  Effect.promise(async () => {
    const all: globalThis.Array<Item> = []
    for (let more = true; more;) {
      const last = all.at(-1)
      const url = `${baseUrl}${path}?limit=100${last === undefined ? "" : `&after=${last.id}`}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${Mark.key}` } })
      const page = await response.json()
      if (!isPage(page)) throw new Error(`The service itself responds with ${response.status}.`)
      all.push(...page.data)
      more = page.has_more
    }
    return all
  })

/** Compares the items of a walk with the expected ones as they arrive. */
export class Comparison {
  readonly expected: ReadonlyArray<Item>
  seen = 0
  wrong: string | undefined

  constructor(expected: ReadonlyArray<Item>) {
    this.expected = expected
  }

  readonly add = (item: Item): void => {
    const expected = this.expected[this.seen++]
    // Every field, so that not even a character of a name can change on the way.
    if (JSON.stringify(item) !== JSON.stringify(expected)) {
      this.wrong ??= `item ${this.seen} is ${item.id} instead of ${expected?.id ?? "the end"}`
    }
  }

  /** What is wrong at the end of a complete walk. */
  readonly end = (): string | undefined =>
    this.wrong ?? (this.seen === this.expected.length ? undefined : `${this.seen} of ${this.expected.length} items`)
}

/** What is missing in a failure: it must say which request failed and, if there was a response, with which status. */
export const unclear = (error: ListError, method: "GET" | "POST", path: string): string | undefined => {
  const status = "statusCode" in error && error._tag !== "UnexpectedResponse" ? [String(error.statusCode)] : []
  const missing = [method, path, ...status].filter((part) => !error.message.includes(part))
  return missing.length === 0 ? undefined : `${error._tag} without ${missing.join(", ")}: ${error.message}`
}

/** A create, and how it ended: with an id, a failure, or not in time. */
export interface Create {
  readonly title: string
  readonly name: string
  readonly end: string | RequestError | undefined
}

/** What is wrong with creates, given the topics that the service holds. */
export const misjudged = (creates: ReadonlyArray<Create>, topics: ReadonlyArray<Item>): ReadonlyArray<string> => {
  const found = Array.groupBy(topics, ({ name }) => name ?? "")
  const strange = Array.difference(Object.keys(found), creates.map(({ name }) => name))
  return [
    ...creates.flatMap(({ end, name, title }) => {
      const ids = (found[name] ?? []).map(({ id }) => id)
      if (ids.length > 1) return [`${title}: created ${ids.length} times`]
      if (typeof end === "string") return ids[0] === end ? [] : [`${title}: acknowledged as ${end}, but it is ${ids}`]
      return ids.length === 1 && end !== undefined && isUnprocessed(end)
        ? [`${title}: created in spite of ${end._tag}`]
        : []
    }),
    ...strange.map((name) => `${name}: created by nobody`)
  ]
}
