/** A list that changes while somebody walks through it, and what is known of it. */
import { ContactId, NotFound, Resource, SegmentId } from "@mailstream/core"
import { SampleData, Server, Store, type StoreError } from "@mailstream/server"
import { Effect, type Scope } from "effect"
import type { Dice } from "../../support/dice.ts"
import * as Mark from "../../support/mark.ts"
import { contact, idOf } from "../../support/sample.ts"

/** What the service does with a cursor whose item was deleted: it knows its place still, or does not know it. */
export type Gone = "stands" | "404"

/** A service whose list changes before every page that it answers with. Contacts have numbers: a newer one a higher. */
export interface World {
  readonly baseUrl: string
  readonly gone: Gone
  /** Empties the list, and fills it with so many contacts. */
  readonly begin: (options: Beginning) => Effect.Effect<Round, StoreError>
}

export interface Beginning {
  readonly dice: Dice
  readonly size: number
  /** Whether it is the list of a segment, or that of all contacts. */
  readonly inSegment: boolean
  /** How often it changes, at the most. */
  readonly changes: number
}

/** One list, from its beginning on. */
export interface Round {
  readonly filter: Resource.SegmentFilter
  /** What was there at the beginning, the oldest first. */
  readonly first: ReadonlyArray<number>
  /** What is there, the oldest first. */
  readonly present: () => ReadonlyArray<number>
  /** What was there from its creation on, or from the beginning, until now. */
  readonly kept: () => ReadonlyArray<number>
  /** The newest number when the first page was answered. */
  readonly newestAtFirst: () => number
  /** Is never deleted. */
  readonly protect: (number: number) => void
  /** Has come to the walker: it stands near it. */
  readonly passed: (number: number) => void
}

const segment_id = SegmentId.make(SampleData.segment(0).id)

const idsOf = (numbers: ReadonlyArray<number>) => numbers.map((n) => ContactId.make(idOf(n)))

/** On the store that is there. */
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
        const filter = inSegment ? { segment_id } : {}
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
            return store.insert(Resource.contacts, numbers.map(contact), filter)
          })

        const remove = (numbers: ReadonlyArray<number>) =>
          Effect.suspend(() => {
            const victims = new Set(numbers.filter((n) => present.includes(n) && !protectedNumbers.has(n)))
            present = present.filter((n) => !victims.has(n))
            for (const n of victims) {
              touched.add(n)
              lost.add(idOf(n))
            }
            // To leave a segment is not to be there, either.
            return inSegment && dice.chance(0.3)
              ? store.leave(segment_id, idsOf([...victims]))
              : store.delete(Resource.contacts, idsOf([...victims]))
          })

        yield* insert(size)
        let left = changes
        // Where the walker stands is where it hurts.
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
          present: () => present,
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
