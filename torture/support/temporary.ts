/** Files that go away with the scope, unless somebody wants to look at them afterwards. */
import { Effect, type Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Whoever sets this cleans up himself. */
export const keepVariable = "TORTURE_KEEP"

export const isKept = (): boolean => process.env[keepVariable] !== undefined

/** A new directory that everybody may enter: PostgreSQL, which does not run as root, has to. */
export const directory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "torture-"))
    chmodSync(path, 0o755)
    return path
  }),
  (path) => Effect.sync(() => isKept() ? undefined : rmSync(path, { recursive: true, force: true }))
)
