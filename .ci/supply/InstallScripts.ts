/**
 * Which packages have install scripts, and whether each of them was reviewed: those that may run are listed in
 * `onlyBuiltDependencies` of `pnpm-workspace.yaml`, the others in `ignoredBuiltDependencies`.
 */
import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import * as Installed from "./Installed.ts"

const hooks = ["preinstall", "install", "postinstall"]

/** What a package would run on installation. npm builds bindings even without a script. */
export const scriptsOf = ({ hasBindings, scripts }: Installed.Installed): ReadonlyArray<string> => {
  const own = hooks.filter((hook) => hook in scripts)
  return hasBindings && !own.includes("install") && !own.includes("preinstall") ? [...own, "binding.gyp"] : own
}

/** The entries of a top-level list in a YAML file that has one entry per line. */
export const entriesOf = (yaml: string, name: string): ReadonlyArray<string> => {
  const lines = yaml.split("\n")
  const start = lines.indexOf(`${name}:`) + 1
  const end = lines.findIndex((line, index) => index >= start && !/^\s+- /.test(line))
  const entries = start === 0 ? [] : lines.slice(start, end === -1 ? undefined : end)
  return entries.map((line) => line.trim().slice(2).replace(/^"(.*)"$/, "$1"))
}

export interface Review {
  /** How many packages were checked. */
  readonly packages: number
  readonly reviewed: ReadonlyArray<string>
  /** `name: what it would run`, of those that were not reviewed. */
  readonly unreviewed: ReadonlyArray<string>
  /** Entries that are no longer needed. */
  readonly dead: ReadonlyArray<string>
}

/** Compares the packages installed below a root, and the root's own, with what its `pnpm-workspace.yaml` allows. */
export const review = (root: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const workspace = yield* fs.readFileString(path.join(root, "pnpm-workspace.yaml"))
    const lockfile = yield* fs.readFileString(path.join(root, "pnpm-lock.yaml"))
    const reviewed = ["onlyBuiltDependencies", "ignoredBuiltDependencies"].flatMap((list) => entriesOf(workspace, list))
    const installed = yield* Installed.all(root)
    const builders = installed.filter((each) => scriptsOf(each).length > 0)
    const isBuilder = new Set(builders.map(({ name }) => name))
    const isInstalled = new Set(installed.map(({ name }) => name))
    // Packages for other systems are in the lockfile, too.
    const isLocked = (name: string) => ["", "'"].some((quote) => lockfile.includes(`\n  ${quote}${name}@`))
    return {
      packages: installed.length,
      reviewed,
      unreviewed: builders
        .filter(({ name }) => !reviewed.includes(name))
        .map((each) => `${each.name}: ${scriptsOf(each).join(", ")}`),
      dead: reviewed.filter((name) => isInstalled.has(name) ? !isBuilder.has(name) : !isLocked(name))
    } satisfies Review
  })
