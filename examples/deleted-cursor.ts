/**
 * A walk whose cursor is deleted while it is stopped: it continues after the nearest item that still exists.
 *
 * node examples/deleted-cursor.ts
 */
import { Contacts } from "@mailstream/http"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, Progress } from "@mailstream/stream"
import { Console, Effect, Option, Stream } from "effect"

const all = Array.from({ length: 30 }, (_, index) => SampleData.contact(29 - index))

const program = Effect.gen(function*() {
  const page = yield* contacts.pages({ pageSize: 10 }).pipe(
    Stream.runHead,
    Effect.map(Option.getOrThrow),
    Effect.provide(Contacts.layerTest(all))
  )
  // The last two contacts of the page are deleted; the last one is the cursor.
  const left = all.filter(({ id }) => !page.data.slice(-2).some((deleted) => deleted.id === id))

  const progress = yield* Progress.make
  const rest = yield* contacts.items({ from: page.next, pageSize: 10, progress }).pipe(
    Stream.runCollect,
    Effect.provide(Contacts.layerTest(left))
  )
  const { requests } = yield* progress.get
  yield* Console.log(`${page.data.length} + ${rest.length} contacts, ${requests} requests for the rest`)
})

Effect.runPromise(program)
