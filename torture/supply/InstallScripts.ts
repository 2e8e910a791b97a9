/**
 * Which packages want to run something when they are installed, and whether somebody has looked at each of them: those
 * that may are in `onlyBuiltDependencies` of `pnpm-workspace.yaml`, those that may not in `ignoredBuiltDependencies`.
 */
import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import * as Installed from "./Installed.ts"

const hooks = ["preinstall", "install", "postinstall"]

/** What a package would run. npm builds bindings where no script says how. */
export const scriptsOf = ({ hasBindings, scripts }: Installed.Installed): ReadonlyArray<string> => {
  const own = hooks.filter((hook) => hook in scripts)
  return hasBindings && !own.includes("install") && !own.includes("preinstall") ? [...own, "binding.gyp"] : own
}

/** The entries of a list at the top level of a YAML file that is written one entry a line. */
export const entriesOf = (yaml: string, name: string): ReadonlyArray<string> => {
  const lines = yaml.split("\n")
  const start = lines.indexOf(`${name}:`) + 1
  const end = lines.findIndex((line, index) => index >= start && !/^\s+- /.test(line))
  const entries = start === 0 ? [] : lines.slice(start, end === -1 ? undefined : end)
  return entries.map((line) => line.trim().slice(2).replace(/^"(.*)"$/, "$1"))
}

export interface Review {
  /** How many packages were looked at. */
  readonly packages: number
  readonly reviewed: ReadonlyArray<string>
  /** `name: what it would run`, of those that nobody has looked at. */
  readonly unreviewed: ReadonlyArray<string>
  /** Entries that stand for nothing any more. */
  readonly dead: ReadonlyArray<string>
}

/** Compares what is installed below a root, and the root's own packages, with what its `pnpm-workspace.yaml` allows. */
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
    // What is for another system is in the lockfile all the same.
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
