/**
 * The algorithm, tried at random: passes and polls of two processes at once, on a list that changes with every request,
 * interrupted at any request or statement.
 */
import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import type { InvalidOption } from "@mailstream/core"
import { type Change, Mirror } from "@mailstream/mirror"
import { contacts, topics } from "@mailstream/stream"
import { Dice } from "@mailstream/testing/Dice"
import { Chunk, Effect, Either, Fiber, identity, Layer, Stream } from "effect"
import { changes } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, type Item, make, type Service, topic } from "./support/service.ts"

const runs = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? 60 : 6

const kinds = [
  { name: "contacts", path: "/contacts", item: contact, changes: changes(contacts) },
  { name: "topics", path: "/topics", item: topic, changes: changes(topics) }
] as const

type Kind = (typeof kinds)[number]

/** A list that changes at random. */
class World {
  readonly #dice: Dice
  readonly #service: Service
  readonly #kind: Kind
  readonly #created = new Map<string, number>()
  readonly #deleted = new Map<string, Item>()
  /** The ids of all items that were ever deleted, in order. */
  readonly deletions: Array<string> = []
  /** Those that came back, perhaps to a place that a pass has walked already: the next pass finds them. */
  readonly restored = new Set<string>()
  #next = 1

  constructor(dice: Dice, service: Service, kind: Kind) {
    this.#dice = dice
    this.#service = service
    this.#kind = kind
    service.lists.set(kind.path, [])
  }

  get items(): ReadonlyArray<Item> {
    return this.#service.lists.get(this.#kind.path)!
  }

  create(count: number): void {
    for (let index = 0; index < count; index++) {
      const item = this.#kind.item(this.#next)
      this.#created.set(item.id, this.#next++)
      this.#set([item, ...this.items])
    }
  }

  #set(items: ReadonlyArray<Item>): void {
    const left = new Set(items.map(({ id }) => id))
    for (const item of this.items) {
      if (left.has(item.id)) continue
      this.#deleted.set(item.id, item)
      this.deletions.push(item.id)
    }
    this.#service.lists.set(this.#kind.path, items)
  }

  /** Puts an item back to where it was. */
  #restore(): void {
    const [item] = this.#deleted.values()
    if (item === undefined) return
    this.#deleted.delete(item.id)
    this.restored.add(item.id)
    const age = (item: Item) => this.#created.get(item.id) ?? 0
    this.#set([...this.items, item].sort((a, b) => age(b) - age(a)))
  }

  change(): void {
    const at = this.#dice.below(Math.max(1, this.items.length))
    this.#dice.weigh<void>([
      [2, () => this.create(1)],
      [2, () => this.#set(this.items.filter((_, index) => index !== at))],
      // The newest ones, whose ids tell where to look for newer ones.
      [1, () => this.#set(this.items.slice(this.#dice.below(3)))],
      [1, () => this.#restore()],
      [2, () => {
        const note = `note ${this.#dice.below(5)}`
        this.#set(this.items.map((item, index) => index === at ? { ...item, note } : item))
      }]
    ])
  }
}

const byId = (items: ReadonlyArray<Item>) => new Map(items.map((item) => [item.id, item]))

describe.each(databases)("the copy of a changing list in %s", (_, open) => {
  it.scopedLive.each(
    kinds.flatMap((kind) => Array.from({ length: runs }, (_, seed) => ({ name: kind.name, seed, kind })))
  )("$name, seed $seed", ({ kind, seed }) =>
    Effect.gen(function*() {
      const dice = new Dice(seed, 1)
      const service = yield* make
      service.acceptsDeleted = dice.chance(0.5)
      const world = new World(dice, service, kind)
      const layer = yield* Layer.build(Layer.orDie(Layer.merge(
        service.client,
        Layer.provideMerge(Mirror.layer(), Layer.succeedContext(yield* open))
      )))
      const options: Mirror.SyncOptions = {
        lists: [kind.name],
        pageSize: 3,
        lanes: dice.pick([1, 3]),
        maxDeleted: 1,
        patience: "300 millis"
      }
      const live = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql.unsafe<{ json: string }>(`SELECT CAST(json AS text) AS json FROM current_${kind.name}`)
      ).pipe(Effect.map((rows) => byId(rows.map(({ json }): Item => JSON.parse(json)))))

      /** A pass or a poll, whose end may never come. */
      const step = Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const before = world.items
        const deletions = world.deletions.length
        const isPass = dice.chance(0.6)
        const work = isPass ? mirror.syncEither(options) : mirror.pollEither(options)
        const fiber = yield* Effect.fork(work)
        if (dice.chance(0.4)) {
          yield* Effect.repeatN(
            Effect.zipRight(Effect.yieldNow(), Effect.promise(() => new Promise(setImmediate))),
            dice.below(40)
          )
          yield* Fiber.interrupt(fiber)
          return
        }
        const [report] = yield* Fiber.join(fiber)
        Either.getOrThrowWith(report!.result, identity)
        if (!isPass) return
        // What was there throughout is there.
        const deleted = new Set(world.deletions.slice(deletions))
        const copy = yield* live
        for (const { id } of before) {
          if (!deleted.has(id) && !world.restored.has(id)) assert.isTrue(copy.has(id), `lost ${id}`)
        }
      })

      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        world.create(dice.below(30))
        service.onRequest = () => {
          if (dice.chance(0.5)) world.change()
        }
        for (let round = 0; round < 6; round++) {
          yield* dice.chance(0.4) ? Effect.all([step, step], { concurrency: 2 }) : step
          dice.times(dice.below(4), () => world.change())
        }
        service.onRequest = () => {}
        for (let pass = 0; pass < 2; pass++) {
          const [report] = yield* mirror.syncEither(options)
          Either.getOrThrowWith(report!.result, identity)
        }
        const copy = yield* live
        assert.deepStrictEqual(copy, byId(world.items))
        const log = Chunk.toReadonlyArray(
          yield* Stream.runCollect<Change.Change<Item>, SqlError | InvalidOption, Mirror.Mirror>(kind.changes)
        )
        assert.deepStrictEqual(log.map(({ seq }) => seq), log.map((_, index) => index + 1))
        const replayed = new Map<string, Item>()
        for (const change of log) {
          const { item } = change
          // Each change begins where the last one ended.
          const before = change._tag === "Created" ? undefined : change._tag === "Updated" ? change.before : item
          assert.deepStrictEqual(replayed.get(item.id), before, `${change._tag} ${item.id}`)
          if (change._tag === "Deleted") replayed.delete(item.id)
          else replayed.set(item.id, item)
        }
        assert.deepStrictEqual(replayed, copy)
      }).pipe(Effect.provide(layer))
    }), 60_000)
})
