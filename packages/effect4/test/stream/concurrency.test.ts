import { KeyValueStore as KeyValueStore3 } from "@effect/platform"
import * as Commit3 from "@mailstream/stream/Commit"
import { Effect, Schedule, Schema } from "effect"
import { Effect as Effect3, Schedule as Schedule3, Schema as Schema3 } from "effect3"
import { assert, describe, it } from "vitest"
import * as Commit from "../../src/stream/Commit.ts"
import { Store } from "../../src/stream/Store.ts"
import { run3, run4, Service, source3, source4, type Turn } from "./support.ts"

/** A response takes a turn of the event loop, as every one does that comes from elsewhere. */
const turn = () => new Promise<void>((resolve) => void setImmediate(() => setImmediate(resolve)))

const late3 = (source: ReturnType<typeof source3>) => ({
  ...source,
  id: Schema3.String,
  page: (request: Parameters<typeof source.page>[0]) => Effect3.zipRight(Effect3.promise(turn), source.page(request))
})

const late4 = (source: ReturnType<typeof source4>) => ({
  ...source,
  id: Schema.String,
  page: (request: Parameters<typeof source.page>[0]) => Effect.andThen(Effect.promise(turn), source.page(request))
})

const storeOf = (texts: Map<string, string>): typeof Store.Service => ({
  get: (key) => Effect.sync(() => texts.get(key)),
  set: (key, text) => Effect.sync(() => texts.set(key, text)),
  remove: (key) => Effect.sync(() => texts.delete(key)),
  has: (key) => Effect.sync(() => texts.has(key))
})

const fine: Turn = { _tag: "Page", insert: 0, deletes: [] }
const refused: Turn = { _tag: "Api", name: "validation_error", statusCode: 422 }

/** Two pages of two, of which the second one fails; what is handled never ends. */
const lines: ReadonlyArray<readonly [string, (service: Service, begun: Array<string>) => Promise<unknown>]> = [
  ["Effect 3", (service, begun) =>
    run3(
      Commit3.process(
        late3(source3(service)),
        "key",
        ({ id }) => Effect3.zipRight(Effect3.sync(() => begun.push(id)), Effect3.never),
        { pageSize: 2, concurrency: 2, retry: Schedule3.stop }
      ).pipe(Effect3.provide(KeyValueStore3.layerMemory)) as Effect3.Effect<unknown, unknown>
    )],
  ["Effect 4", (service, begun) =>
    run4(
      Commit.process(
        late4(source4(service)),
        "key",
        ({ id }) => Effect.andThen(Effect.sync(() => begun.push(id)), Effect.never),
        { pageSize: 2, concurrency: 2, retry: Schedule.recurs(0) }
      ).pipe(Effect.provideService(Store, storeOf(new Map())))
    )]
]

describe.each(lines)("items that are handled concurrently, on %s", (_, process) => {
  it("let the next page be requested when the last one of a page begins, and its failure ends the run at once", async () => {
    const service = new Service(6, [fine, refused])
    const begun: Array<string> = []
    assert.nestedPropertyVal(await process(service, begun), "error._tag", "validation_error")
    assert.deepStrictEqual(begun, ["item-6", "item-5"])
    assert.strictEqual(service.requests.length, 2)
  })
})
