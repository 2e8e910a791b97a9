/**
 * A store in files, for `process` on Node.
 *
 * @since 1.0.0
 */
import * as Lock from "@mailstream/stream/Lock"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Checks from "./internal/checks.ts"
import { toError } from "./internal/errors.ts"
import * as Settings from "./internal/settings.ts"
import type { Store } from "./Store.ts"

/**
 * Keeps each text in a file of its own in a directory, which is created when it is needed. A file is replaced
 * atomically, and its contents are on the disk when `set` resolves.
 *
 * @since 1.0.0
 * @category stores
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/client"
 * import { fileStore } from "@mailstream/client/file-store"
 *
 * const mailstream = Mailstream.fromEnv()
 *
 * await mailstream.contacts.process("sync-2026-11", async (contact) => console.log(contact.email), {
 *   concurrency: 8,
 *   store: fileStore("state")
 * })
 * ```
 */
export const fileStore = (directory: string): Store => {
  const root = resolve(textOf(Settings.directory(directory)))
  const fileOf = (key: string): string => join(root, fileName(textOf(text(key, "key"))))
  let tidied: Promise<void> | undefined
  return {
    get: async (key) => readFile(fileOf(key), "utf8").catch(ifMissing(undefined)),
    set: async (key, value) => {
      const file = fileOf(key)
      const draft = join(root, `.${Lock.draftName()}.tmp`)
      const contents = textOf(text(value, "text"))
      return mkdir(root, { recursive: true })
        .then(() => tidied ??= tidy(root))
        .then(() => writeFile(draft, contents, { flush: true }))
        .then(() => rename(draft, file))
        .catch((error) => rm(draft, { force: true }).then(() => Promise.reject(error)))
    },
    remove: async (key) => rm(fileOf(key), { force: true }),
    has: async (key) => stat(fileOf(key)).then(() => true, ifMissing(false))
  }
}

/** Removes the drafts that killed processes have left. Those that are alive may still need theirs. */
const tidy = async (root: string): Promise<void> => {
  // A directory that cannot be listed can still be used.
  const names = await readdir(root).catch(() => [])
  const left = names.filter((name) => /^\..+\.tmp$/.test(name) && Lock.isAbandoned(name.slice(1, -4)))
  // Another process may be faster.
  await Promise.allSettled(left.map((name) => rm(join(root, name), { force: true })))
}

const text = Checks.make(Predicate.isString, "must be a string")

/** A text that was checked; throws its error. */
const textOf = (checked: Checks.Checked<string>): string => Either.getOrThrowWith(checked, toError)

/** Resolves to a value if there is no such file. */
const ifMissing = <A>(value: A) => (error: NodeJS.ErrnoException): A | Promise<never> =>
  error.code === "ENOENT" ? value : Promise.reject(error)

/**
 * A name of its own for every key, also where file names ignore case, may not have certain characters, or not be long. A dot is
 * in no other name.
 */
const fileName = (key: string): string => {
  const name = Array.from(
    Buffer.from(key),
    (byte) =>
      isPlain.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`
  ).join("")
  return name.length <= 200
    ? `${name}.txt`
    : `${name.slice(0, 100)}.${createHash("sha256").update(key).digest("hex")}.txt`
}

const isPlain = /[a-z0-9_-]/
