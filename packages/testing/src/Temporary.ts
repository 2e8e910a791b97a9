/** Temporary directories, removed when their scope closes. */
import { Effect, type Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Set in a process whose parent inspects and removes the files. */
export const keepVariable = "MAILSTREAM_KEEP_FILES"

/** A new directory that every user can enter: PostgreSQL does not run as root. */
export const make = (): string => {
  const path = mkdtempSync(join(tmpdir(), "mailstream-"))
  chmodSync(path, 0o755)
  return path
}

/** Removes a directory, also one in which a process that is just ending still writes. */
export const remove = (path: string): void => {
  if (process.env[keepVariable] !== undefined) return
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 })
}

export const directory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(make),
  (path) => Effect.sync(() => remove(path))
)

/** The path of a new file in its own directory. */
export const file = (name: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(directory, (path) => join(path, name))
