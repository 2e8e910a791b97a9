import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { statSync, truncateSync } from "node:fs"

/**
 * A file system that dies at the n-th change: after it, in the middle of a write, or by a power failure that loses
 * everything not synced to disk. Nothing works from then on.
 */
export const mortal = (
  at: number,
  how: "after" | "within" | "power"
): { readonly layer: Layer.Layer<FileSystem.FileSystem>; readonly died: () => boolean } => {
  let changes = 0
  const sizes = new Map<string, { written: number; synced: number }>()

  const loseUnsynced = Effect.sync(() => {
    if (how !== "power") return
    for (const [path, { synced, written }] of sizes) if (synced < written) truncateSync(path, synced)
  })
  const dying = <A, E, R>(change: Effect.Effect<A, E, R>, half: Effect.Effect<unknown, E, R> = Effect.void) =>
    Effect.suspend(() => {
      changes++
      if (changes < at) return change
      if (changes > at) return Effect.die("dead")
      return Effect.zipRight(how === "within" ? half : change, Effect.zipRight(loseUnsynced, Effect.die("killed")))
    })

  const openMortal = (fs: FileSystem.FileSystem): FileSystem.FileSystem["open"] => (path, options) => {
    if (options?.flag === "r") return fs.open(path, options)
    return Effect.map(dying(fs.open(path, options)), (file) => {
      const size = statSync(path).size
      const sized = { written: size, synced: size }
      sizes.set(path, sized)
      const write = (buffer: Uint8Array) =>
        Effect.tap(file.writeAll(buffer), () => {
          sized.written += buffer.length
        })
      return {
        [FileSystem.FileTypeId]: FileSystem.FileTypeId,
        fd: file.fd,
        stat: file.stat,
        seek: (offset, from) => file.seek(offset, from),
        read: (buffer) => file.read(buffer),
        readAlloc: (size) => file.readAlloc(size),
        write: (buffer) => file.write(buffer),
        truncate: (length) => dying(file.truncate(length)),
        writeAll: (buffer) => dying(write(buffer), write(buffer.subarray(0, buffer.length >> 1))),
        sync: dying(Effect.tap(file.sync, () => {
          sized.synced = sized.written
        }))
      } satisfies FileSystem.File
    })
  }
  const layer = Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => ({
      ...fs,
      open: openMortal(fs),
      rename: (from, to) =>
        dying(Effect.tap(fs.rename(from, to), () => {
          sizes.set(to, sizes.get(from) ?? { written: 0, synced: 0 })
          sizes.delete(from)
        }))
    }))
  ).pipe(Layer.provide(NodeFileSystem.layer))
  return { layer, died: () => changes >= at }
}
