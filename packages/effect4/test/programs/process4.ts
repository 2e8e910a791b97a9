/**
 * Processes all contacts, on Effect 4: prints each, and keeps its position in a directory, in Effect's own `KeyValueStore` of files, as the
 * program on Effect 3 does.
 */
import { contacts, Mailstream } from "@mailstream/effect4"
import * as Store from "@mailstream/effect4/KeyValueStore"
import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
import { Effect, FileSystem, Layer, Path, PlatformError, Redacted } from "effect"
import { KeyValueStore } from "effect/persistence"
import { existsSync, writeSync } from "node:fs"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"

const [baseUrl = "", directory = ""] = process.argv.slice(2)

const promised = <A>(method: string, path: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      PlatformError.systemError({
        _tag: existsSync(path) ? "Unknown" : "NotFound",
        module: "FileSystem",
        method,
        pathOrDescriptor: path,
        cause
      })
  })

/** As that of `@effect/platform-node`. */
const files = FileSystem.layerNoop({
  exists: (path) => Effect.sync(() => existsSync(path)),
  makeDirectory: (path, options) => Effect.asVoid(promised("makeDirectory", path, () => mkdir(path, options))),
  readFileString: (path) => promised("readFileString", path, () => readFile(path, "utf8")),
  remove: (path, options) => promised("remove", path, () => rm(path, options)),
  writeFileString: (path, text) => promised("writeFileString", path, () => writeFile(path, text))
})

const store = Store.layer.pipe(
  Layer.provide(KeyValueStore.layerFileSystem(directory)),
  Layer.provide(Layer.merge(files, Path.layer))
)

const program = contacts.process(
  "everyone",
  ({ id }) => Effect.sync(() => void writeSync(1, `${id}\n`)),
  { pageSize: 10 }
)

const live = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(Layer.provide(UndiciTransport.layer))

await Effect.runPromise(Effect.provide(program, Layer.merge(live, store)))
