/** The installed packages, for supply chain checks. */
import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"

const Names = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) })

const Manifest = Schema.parseJson(Schema.Struct({
  name: Schema.String,
  version: Schema.String,
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

const load = (directory: string) =>
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

/** The directories of this repository's packages that are published. */
export const published = (root: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const packages = path.join(root, "packages")
    const all = yield* Effect.forEach(yield* fs.readDirectory(packages), (name) => load(path.join(packages, name)))
    return all.filter((each) => each.private !== true).map(({ directory }) => directory)
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

/** The runtime dependencies of a package, including peers. */
const needsOf = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Installed) => ({
  required: Object.keys(dependencies).filter((name) => !(name in optionalDependencies)),
  // Optional dependencies may be for another system.
  possible: [
    ...Object.keys(optionalDependencies),
    ...Object.keys(peerDependencies),
    ...Object.keys(peerDependenciesMeta)
  ]
})

/** The packages in these directories, and all their runtime dependencies, direct or not. */
export const closure = (directories: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const found = new Map<string, Installed>()
    const open = [...directories]
    for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
      if (found.has(directory)) continue
      const installed: Installed = yield* load(directory)
      found.set(directory, installed)
      const { possible, required } = needsOf(installed)
      for (const name of [...required, ...possible]) {
        const needed = yield* resolve(directory, name)
        if (Option.isSome(needed)) open.push(needed.value)
        else if (required.includes(name)) return yield* Effect.dieMessage(`${installed.name} cannot find ${name}`)
      }
    }
    return [...found.values()]
  })
