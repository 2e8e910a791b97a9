import { Effect, FileSystem, Layer, Path, PlatformError } from "effect"
import { KeyValueStore } from "effect/persistence"
import { existsSync } from "node:fs"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"

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

/** As the `FileSystem` of `@effect/platform-node`. */
const files = FileSystem.layerNoop({
  exists: (path) => Effect.sync(() => existsSync(path)),
  makeDirectory: (path, options) => Effect.asVoid(promised("makeDirectory", path, () => mkdir(path, options))),
  readFileString: (path) => promised("readFileString", path, () => readFile(path, "utf8")),
  remove: (path, options) => promised("remove", path, () => rm(path, options)),
  writeFileString: (path, text) => promised("writeFileString", path, () => writeFile(path, text))
})

/** Effect's own `KeyValueStore` in the files of a directory. */
export const keyValueStore = (directory: string) =>
  Layer.provide(KeyValueStore.layerFileSystem(directory), Layer.merge(files, Path.layer))
