/** Acquires the lock of a file, and is killed when it is about to do what its second argument names. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as FileSystem from "@effect/platform/FileSystem"
import * as LockFile from "@mailstream/cli/output/LockFile"
import * as Effect from "effect/Effect"

const [path = "", method = ""] = process.argv.slice(2)

const die = Effect.async<never>(() => {
  process.kill(process.pid, "SIGKILL")
})

const dying = Effect.map(FileSystem.FileSystem, (fs) => ({ ...fs, [method]: () => die }))

await Effect.gen(function*() {
  yield* LockFile.acquire("file", path)
  process.stdout.write("locked\n")
  yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provideServiceEffect(FileSystem.FileSystem, dying),
  Effect.provide(NodeFileSystem.layer),
  Effect.runPromise
)
