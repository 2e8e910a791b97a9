/**
 * Code that uses the mirror, tested on a real one: a temporary SQLite file, and lists on given items.
 *
 * node examples/mirror-in-a-test.ts
 */
import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import { Mirror } from "@mailstream/mirror"
import * as SampleData from "@mailstream/server/SampleData"
import { Sqlite } from "@mailstream/sql"
import { contacts } from "@mailstream/stream"
import { Effect, Layer } from "effect"
import { deepStrictEqual } from "node:assert"

/** The code under test: the addresses of contacts that were deleted since its last run. */
const goodbyes = Effect.gen(function*() {
  const mirror = yield* Mirror.Mirror
  yield* mirror.sync({ lists: ["contacts"], maxDeleted: 1 })
  const emails: Array<string> = []
  yield* mirror.process(contacts, "goodbye", (change) =>
    Effect.sync(() => {
      if (change._tag === "Deleted") emails.push(change.item.email)
    }))
  return emails
})

/** A copy in a file of its own, which is deleted with the scope. */
const MirrorTest = Layer.unwrapScoped(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped()
  return Mirror.layer().pipe(Layer.provide(Sqlite.layer({ filename: `${directory}/mail.db` })))
})).pipe(Layer.provide(NodeFileSystem.layer))

const [ada, bob] = [SampleData.contact(1), SampleData.contact(0)]

const test = Effect.gen(function*() {
  deepStrictEqual(yield* Effect.provide(goodbyes, Mailstream.layerTest({ contacts: [ada, bob] })), [])
  deepStrictEqual(yield* Effect.provide(goodbyes, Mailstream.layerTest({ contacts: [ada] })), [bob.email])
  yield* Effect.log("one contact is gone, as expected")
})

Effect.runPromise(Effect.provide(test, MirrorTest))
