/**
 * Code that uses services of this library, tested with others in their place, which have only the functions it calls.
 *
 * node examples/replaced-services.ts
 */
import { InvalidApiKey } from "@mailstream/core"
import { Contacts } from "@mailstream/http"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"
import { strictEqual } from "node:assert"

/** The code under test. */
const count = contacts.items().pipe(
  Stream.runCount,
  Effect.catchTag("invalid_api_key", () => Effect.succeed("ask for another key"))
)

const goodbyes = Effect.gen(function*() {
  const mirror = yield* Mirror.Mirror
  const goodbyes: Array<string> = []
  yield* mirror.process(contacts, "goodbye", (change) =>
    Effect.sync(() => {
      if (change._tag === "Deleted") goodbyes.push(change.item.email)
    }))
  return goodbyes
})

/** A service whose `list` fails. Anything else of it that is called is a defect that names it. */
const ContactsTest = Layer.mock(Contacts, {
  list: () => Effect.fail(new InvalidApiKey({ message: "API key is invalid.", statusCode: 403 }))
})

/** A copy without changes. */
const MirrorTest = Layer.mock(Mirror.Mirror, { account: "default", process: () => Effect.void })

const test = Effect.gen(function*() {
  strictEqual(yield* count, "ask for another key")
  strictEqual((yield* goodbyes).length, 0)
  yield* Effect.log("an invalid key and an empty copy, as expected")
})

Effect.runPromise(Effect.provide(test, Layer.merge(ContactsTest, MirrorTest)))
