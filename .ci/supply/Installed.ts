/** The installed packages, for supply chain checks. */
import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"

const Names = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) })

const Manifest = Schema.parseJson(Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  /** An SPDX expression; some old packages have something else. */
  license: Schema.optional(Schema.Unknown),
  private: Schema.optional(Schema.Boolean),
  scripts: Names,
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: Names
}))

/** A package on the disk. */
export interface Installed extends Schema.Schema.Type<typeof Manifest> {
  readonly directory: string
  /** Whether it has a `binding.gyp`, which npm builds even without a script. */
  readonly hasBindings: boolean
}

/** The package in a directory. */
export const load = (directory: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const manifest = yield* fs.readFileString(path.join(directory, "package.json"))
    const hasBindings = yield* fs.exists(path.join(directory, "binding.gyp"))
    return { ...yield* Schema.decode(Manifest)(manifest), directory, hasBindings } satisfies Installed
  })

/** The directories of packages in a `node_modules`, including scoped ones. */
const packagesIn = (modules: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const names = (yield* fs.readDirectory(modules)).filter((name) => !name.startsWith("."))
    const nested = yield* Effect.forEach(names, (name) =>
      name.startsWith("@")
        ? Effect.map(fs.readDirectory(path.join(modules, name)), (inner) => inner.map((other) => `${name}/${other}`))
        : Effect.succeed([name]))
    return nested.flat().map((name) => path.join(modules, name))
  })

/** Every package that pnpm has installed below a root, once for each version and set of peers. */
export const all = (root: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const store = path.join(root, "node_modules", ".pnpm")
    const homes = (yield* fs.readDirectory(store)).filter((name) => name.includes("@"))
    const directories = (yield* Effect.forEach(homes, (name) => packagesIn(path.join(store, name, "node_modules"))))
      .flat()
    // The dependencies of a package are links beside it.
    const own = yield* Effect.filter(
      directories,
      (directory) => Effect.map(fs.realPath(directory), (real) => real === directory)
    )
    return yield* Effect.forEach(own, load)
  })

/** The packages of this repository that are published. */
export const published = (root: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const packages = path.join(root, "packages")
    const all = yield* Effect.forEach(yield* fs.readDirectory(packages), (name) => load(path.join(packages, name)))
    return all.filter((each) => each.private !== true)
  })

/** Where a package finds another one, by Node's resolution. */
const resolve = (from: string, name: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    for (let directory = from;; directory = path.dirname(directory)) {
      const candidate = path.join(directory, "node_modules", name)
      if (yield* fs.exists(path.join(candidate, "package.json"))) return Option.some(yield* fs.realPath(candidate))
      if (directory === path.dirname(directory)) return Option.none()
    }
  })

/** What a package needs at run time, by name. */
const needsOf = (
  { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Installed,
  peers: boolean
) => ({
  required: Object.keys(dependencies).filter((name) => !(name in optionalDependencies)),
  // Optional dependencies may be for another system.
  possible: [
    ...Object.keys(optionalDependencies),
    ...(peers ? [...Object.keys(peerDependencies), ...Object.keys(peerDependenciesMeta)] : [])
  ]
})

/** The packages that a package needs directly: its dependencies and, unless told otherwise, its peers. */
export const needed = (installed: Installed, options: { readonly peers: boolean } = { peers: true }) =>
  Effect.gen(function*() {
    const { possible, required } = needsOf(installed, options.peers)
    const found: Array<Installed> = []
    for (const name of [...required, ...possible]) {
      const directory = yield* resolve(installed.directory, name)
      if (Option.isSome(directory)) found.push(yield* load(directory.value))
      else if (required.includes(name)) return yield* Effect.dieMessage(`${installed.name} cannot find ${name}`)
    }
    return found
  })

/** The packages in these directories, and everything that they need at run time, directly or not. */
export const closure = (directories: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const found = new Map<string, Installed>()
    const open = yield* Effect.forEach(directories, load)
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (found.has(each.directory)) continue
      found.set(each.directory, each)
      open.push(...yield* needed(each))
    }
    return [...found.values()]
  })
