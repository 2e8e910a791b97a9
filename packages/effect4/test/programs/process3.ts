/** Processes all contacts, on Effect 3: prints each, and keeps its position in a directory. */
import { NodeKeyValueStore } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Redacted } from "effect3"
import { writeSync } from "node:fs"

const [baseUrl = "", directory = ""] = process.argv.slice(2)

const program = contacts.process(
  "everyone",
  ({ id }) => Effect.sync(() => void writeSync(1, `${id}\n`)),
  { pageSize: 10 }
)

const live = Layer.merge(
  Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(Layer.provide(UndiciTransport.layer)),
  NodeKeyValueStore.layerFileSystem(directory)
)

// One version of Effect beside another: the types of layers from packages are those of the other copy.
await Effect.runPromise(Effect.provide(program as never, live as never))
