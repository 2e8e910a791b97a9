/**
 * A store in files, for `process` on Node.
 *
 * @since 1.0.0
 */
import * as Processes from "@mailstream/kernel/Processes"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { type InvalidOption, unless } from "../core/InvalidOption.ts"
import { Store } from "./Store.ts"

/**
 * Keeps each text in a file of its own in a directory, which is created when it is needed. A file is replaced
 * atomically, and its contents are on the disk when `set` ends.
 *
 * What Effect's `KeyValueStore.layerFileSystem` has kept in the directory, of Effect 3 or 4, has other names: reading a key that is
 * only there fails, so that nothing that has been processed is processed again by mistake.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { contacts } from "@mailstream/effect4"
 * import * as FileStore from "@mailstream/effect4/FileStore"
 * import { Effect } from "effect"
 *
 * const program = contacts.process("sync-2026-11", (contact) => Effect.log(contact.email), { concurrency: 8 }).pipe(
 *   Effect.provide(FileStore.layer("state"))
 * )
 * ```
 */
export const layer = (directory: string): Layer.Layer<Store, InvalidOption> =>
  Layer.effect(
    Store,
    Effect.map(
      Effect.fromResult(
        unless(directory !== "" && !directory.includes("\0"), "directory", "must be the path of a directory")
      ),
      () => make(resolve(directory))
    )
  )

const make = (root: string): typeof Store.Service => {
  const fileOf = (key: string): string => join(root, fileName(key))
  let isTidy = false
  /** Removes the drafts that killed processes have left. Those that are alive may still need theirs. */
  const tidied = Effect.suspend(() => {
    if (isTidy) return Effect.void
    isTidy = true
    return reading(() => readdir(root)).pipe(
      Effect.map((names) =>
        names.filter((name) => /^\..+\.tmp$/.test(name) && Processes.isAbandoned(name.slice(1, -4)))
      ),
      Effect.flatMap(Effect.forEach((name) => Effect.ignore(removing(join(root, name))), { discard: true })),
      // A directory that cannot be listed can still be used.
      Effect.ignore
    )
  })
  /** Fails if `KeyValueStore.layerFileSystem` has kept a text under this key. */
  const refuseForeign = (key: string) => {
    // A name like ours may be the file of another key; a lone surrogate is in no file name of theirs.
    if (key.endsWith(suffix) || !isWellFormed(key)) return Effect.void
    const file = join(root, encodeURIComponent(key))
    return orMissing(reading(() => stat(file)), undefined).pipe(
      Effect.flatMap((found) =>
        found?.isFile() === true
          ? Effect.fail(new FileStoreError({ cause: new Error(foreign(file)) }))
          : Effect.void
      )
    )
  }
  return {
    get: (key) =>
      orMissing(reading(() => readFile(fileOf(key), "utf8")), undefined).pipe(
        Effect.tap((text) => text === undefined ? refuseForeign(key) : Effect.void)
      ),
    set: (key, text) =>
      Effect.suspend(() => {
        const draft = join(root, `.${Processes.draftName()}.tmp`)
        return reading(() => mkdir(root, { recursive: true })).pipe(
          Effect.andThen(tidied),
          Effect.andThen(reading(() => writeFile(draft, text, { flush: true }))),
          Effect.andThen(reading(() => rename(draft, fileOf(key)))),
          Effect.tapError(() => Effect.ignore(removing(draft))),
          // Half a file must not be left behind.
          Effect.uninterruptible
        )
      }),
    remove: (key) => removing(fileOf(key)),
    has: (key) => orMissing(Effect.as(reading(() => stat(fileOf(key))), true), false)
  }
}

const reading = <A>(run: () => Promise<A>): Effect.Effect<A, FileStoreError> =>
  Effect.tryPromise({ try: run, catch: (cause) => new FileStoreError({ cause }) })

const removing = (file: string): Effect.Effect<void, FileStoreError> => reading(() => rm(file, { force: true }))

/** A value in place of what is in a file that does not exist. */
const orMissing = <A, B>(effect: Effect.Effect<A, FileStoreError>, value: B): Effect.Effect<A | B, FileStoreError> =>
  Effect.catchIf(effect, ({ code }) => code === "ENOENT", () => Effect.succeed(value))

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

const foreign = (file: string) =>
  `${file} was stored by KeyValueStore.layerFileSystem: provide that, with @mailstream/effect4/KeyValueStore, to go on from it; or, to begin anew, use another directory.`

/** What the file system says: `process` fails with a `LockError` or a `CheckpointError` that repeats it. */
class FileStoreError extends Data.TaggedError("FileStoreError")<{ readonly cause: unknown }> {
  get code(): unknown {
    return this.cause instanceof Error && "code" in this.cause ? this.cause.code : undefined
  }
  override get message(): string {
    return this.cause instanceof Error ? this.cause.message : String(this.cause)
  }
}

/**
 * A name of its own for every key, also where file names ignore case, may not have certain characters, or not be long. A dot is
 * in no other name.
 */
const fileName = (key: string): string => {
  const name = Array.from(
    new TextEncoder().encode(key),
    (byte) =>
      isPlain.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`
  ).join("")
  return name.length <= 200
    ? `${name}${suffix}`
    : `${name.slice(0, 100)}.${createHash("sha256").update(key).digest("hex")}${suffix}`
}

const suffix = ".txt"

const isPlain = /[a-z0-9_-]/
