/** A list that changes while it is walked, and what is known about it. */
import { Contact, ContactId, NotFound, Resource, SegmentId } from "@mailstream/core"
import { Server, Store, type StoreError } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import type { Dice } from "@mailstream/testing/Dice"
import * as Sample from "@mailstream/testing/Sample"
import { Effect, Schema, type Scope } from "effect"
import * as Mark from "../../support/mark.ts"

/** What the service does with a cursor on a deleted item: it keeps its position, or responds with 404. */
export type Gone = "stands" | "404"

/** A service whose list changes before every page. */
export interface World {
  readonly baseUrl: string
  readonly gone: Gone
  /** Empties the list, and fills it again. */
  readonly begin: (options: Beginning) => Effect.Effect<Round, StoreError>
}

export interface Beginning {
  readonly dice: Dice
  readonly size: number
  /** Whether it is the list of a segment or that of all contacts. */
  readonly inSegment: boolean
  /** How often it changes at most. */
  readonly changes: number
}

/** The history of one list. */
export interface Round {
  readonly filter: Resource.SegmentFilter | undefined
  /** The contacts at the beginning, oldest first. */
  readonly first: ReadonlyArray<number>
  /** The contacts that were never deleted. */
  readonly kept: () => ReadonlyArray<number>
  /** The newest number when the first page was sent. */
  readonly newestAtFirst: () => number
  /** Protects a contact from deletion. */
  readonly protect: (number: number) => void
  /** Reports that the walk has returned a contact. */
  readonly passed: (number: number) => void
}

const decode = Schema.decodeSync(Contact)

const segment_id = SegmentId.make(SampleData.segment(0).id)

const idsOf = (numbers: ReadonlyArray<number>) => numbers.map((n) => ContactId.make(Sample.idOf(n)))

export const make = (gone: Gone): Effect.Effect<World, unknown, Store | Scope.Scope> =>
  Effect.gen(function*() {
    const store = yield* Store
    const lost = new Set<string>()
    let stock: Array<number> = []
    let next = 0
    let change: Effect.Effect<void, StoreError> = Effect.void

    const changing: typeof Store.Service = {
      ...store,
      page: (list, request) =>
        Effect.zipRight(
          change,
          Effect.suspend(() => {
            const cursor = request.after ?? request.before
            return gone === "404" && cursor !== undefined && lost.has(cursor)
              ? NotFound.ofCursor
              : store.page(list, request)
          })
        )
    }
    yield* store.insert(Resource.segments, [SampleData.segment(0)])
    const { baseUrl } = yield* Effect.provideService(Server.make({ apiKeys: [Mark.apiKey] }), Store, changing)

    const begin: World["begin"] = ({ changes, dice, inSegment, size }) =>
      Effect.gen(function*() {
        change = Effect.void
        yield* store.delete(Resource.contacts, idsOf(stock))
        lost.clear()
        const filter = inSegment ? { segment_id } : undefined
        const protectedNumbers = new Set<number>()
        const touched = new Set<number>()
        const all: Array<number> = []
        let present: Array<number> = []
        let near: Array<number> = []
        let newestAtFirst: number | undefined
        stock = []

        const insert = (count: number) =>
          Effect.suspend(() => {
            const numbers = Array.from({ length: count }, () => ++next)
            all.push(...numbers)
            stock.push(...numbers)
            present.push(...numbers)
            return store.insert(Resource.contacts, numbers.map((n) => decode(Sample.contact(n))), filter)
          })

        const remove = (numbers: ReadonlyArray<number>) =>
          Effect.suspend(() => {
            const victims = new Set(numbers.filter((n) => present.includes(n) && !protectedNumbers.has(n)))
            present = present.filter((n) => !victims.has(n))
            for (const n of victims) {
              touched.add(n)
              lost.add(Sample.idOf(n))
            }
            // A contact that leaves the segment is gone from its list, too.
            return inSegment && dice.chance(0.3)
              ? store.leave(segment_id, idsOf([...victims]))
              : store.delete(Resource.contacts, idsOf([...victims]))
          })

        yield* insert(size)
        let left = changes
        // Deletions hurt most near the position of the walk.
        change = Effect.suspend(() => {
          if (left <= 0 || dice.chance(0.3)) return Effect.void
          left--
          const victims = near.length > 0 && dice.chance(0.5)
            ? near.slice(-1 - dice.below(4))
            : dice.times(dice.below(4), () => dice.pick([0, ...present]))
          return Effect.zipRight(insert(dice.below(3)), remove(victims))
        }).pipe(Effect.tap(() =>
          Effect.sync(() => {
            newestAtFirst ??= next
          })
        ))

        return {
          filter,
          first: [...present],
          kept: () => all.filter((n) => !touched.has(n)),
          newestAtFirst: () => newestAtFirst ?? next,
          protect: (number) => void protectedNumbers.add(number),
          passed: (number) => {
            near = [...near, number].slice(-8)
          }
        }
      })

    return { baseUrl, gone, begin }
  })
