import { NotFound, Page, type PageRequest, type RequestError } from "@mailstream/core"
import type { Commit } from "@mailstream/stream"
import { Effect, Schema } from "effect"

export interface Item {
  readonly id: string
}

/** Items by number; a higher number is newer. */
export const item = (n: number): Item => ({ id: `item-${n}` })

/** The items from one number down to another, as in a list. */
export const down = (from: number, to: number): ReadonlyArray<Item> =>
  Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => item(from - index))

/** The items from one number up to another, in the order of creation. */
export const up = (from: number, to: number): ReadonlyArray<Item> => [...down(to, from)].reverse()

export const ids = (items: Iterable<Item>): ReadonlyArray<string> => Array.from(items, ({ id }) => id)

/**
 * A list that can change during a walk, and records its requests. With `gone: "stands"` a cursor on a deleted item
 * keeps its place, as the specification promises; with `gone: "404"` it is rejected.
 */
export class FakeList implements Commit.Source<Item> {
  readonly name = "items"
  readonly id = Schema.String
  readonly requests: Array<PageRequest.PageRequest> = []
  /** What the next requests fail with. */
  readonly failures: Array<RequestError> = []
  inFlight = 0
  interrupted = 0
  /** Runs before each response. */
  before: Effect.Effect<unknown> = Effect.void
  private readonly places: Array<Item & { deleted: boolean }>
  private newest: number

  private readonly gone: "stands" | "404"

  constructor(size: number, gone: "stands" | "404" = "stands") {
    this.gone = gone
    this.places = down(size, 1).map((item) => ({ ...item, deleted: false }))
    this.newest = size
  }

  get items(): ReadonlyArray<Item> {
    return this.places.filter(({ deleted }) => !deleted).map(({ id }) => ({ id }))
  }

  insert(count = 1): ReadonlyArray<Item> {
    const inserted = down(this.newest + count, this.newest + 1)
    this.places.unshift(...inserted.map((item) => ({ ...item, deleted: false })))
    this.newest += count
    return inserted
  }

  delete(...ids: ReadonlyArray<string>): void {
    for (const place of this.places) {
      if (ids.includes(place.id)) place.deleted = true
    }
  }

  readonly page = (request: PageRequest.PageRequest): Effect.Effect<Page.Page<Item>, RequestError> =>
    Effect.suspend(() => {
      this.requests.push(request)
      this.inFlight++
      return this.before.pipe(
        Effect.zipRight(Effect.suspend(() => this.respond(request))),
        Effect.onInterrupt(() => Effect.sync(() => this.interrupted++)),
        Effect.ensuring(Effect.sync(() => this.inFlight--))
      )
    })

  private respond(
    { after, before, limit = 100 }: PageRequest.PageRequest
  ): Effect.Effect<Page.Page<Item>, RequestError> {
    const failure = this.failures.shift()
    if (failure !== undefined) return Effect.fail(failure)
    const cursor = after ?? before
    const index = this.places.findIndex(({ id }) => id === cursor)
    if (cursor !== undefined && (index === -1 || (this.gone === "404" && this.places[index]!.deleted))) {
      return Effect.fail(NotFound.ofCursor)
    }
    const rest = (before === undefined ? this.places.slice(index + 1) : this.places.slice(0, index))
      .filter(({ deleted }) => !deleted)
      .map(({ id }) => ({ id }))
    const data = before === undefined ? rest.slice(0, limit) : rest.slice(-limit)
    return Effect.succeed(Page.make(data, rest.length > limit))
  }
}
