/**
 * Processes all contacts, on Effect 4: prints each, and keeps its position in a directory, in Effect's own `KeyValueStore` of files, as the
 * program on Effect 3 does.
 */
import { contacts, Mailstream } from "@mailstream/effect4"
import * as Store from "@mailstream/effect4/KeyValueStore"
import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
import { Effect, Layer, Redacted } from "effect"
import { writeSync } from "node:fs"
import * as Files from "../support/files.ts"

const [baseUrl = "", directory = ""] = process.argv.slice(2)

const store = Layer.provide(Store.layer, Files.keyValueStore(directory))

const program = contacts.process(
  "everyone",
  ({ id }) => Effect.sync(() => void writeSync(1, `${id}\n`)),
  { pageSize: 10 }
)

const live = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(Layer.provide(UndiciTransport.layer))

await Effect.runPromise(Effect.provide(program, Layer.merge(live, store)))
