/** What users get with the published packages: what is installed with them, and what is bundled inside them. */
import * as Bundle from "@mailstream/testing/Bundle"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Effect } from "effect"
import { bundle } from "../../packages/cli/build/bundle.ts"
import { modules } from "../../packages/client/build/bundle.ts"
import * as Installed from "./Installed.ts"

/** The directories of the packages that are bundled inside a published package. */
const bundledIn = (name: string) =>
  Effect.gen(function*() {
    const directory = yield* Temporary.directory
    switch (name) {
      case "@mailstream/cli": {
        const metafile = yield* Effect.promise(() => bundle(directory, { drivers: "name", extension: ".js" }))
        return Bundle.packagesIn(metafile)
      }
      case "@mailstream/client": {
        const { metafile } = yield* Effect.promise(() => modules(directory))
        return Bundle.packagesIn(metafile)
      }
      default:
        return []
    }
  }).pipe(Effect.scoped)

/** A published package. */
export interface Shipped {
  readonly package: Installed.Installed
  /** The packages that are bundled inside it. */
  readonly bundled: ReadonlyArray<Installed.Installed>
  /** Which packages are installed with it, each with what it needs itself; without peers, which are the user's own. */
  readonly dependencies: ReadonlyArray<Dependency>
}

export interface Dependency {
  readonly package: Installed.Installed
  readonly needs: ReadonlyArray<Installed.Installed>
}

const dependenciesOf = (own: Installed.Installed) =>
  Effect.gen(function*() {
    const found = new Map<string, Dependency>()
    const open = [own]
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (found.has(each.directory)) continue
      const needs: ReadonlyArray<Installed.Installed> = yield* Installed.needed(each, { peers: false })
      found.set(each.directory, { package: each, needs })
      open.push(...needs)
    }
    return [...found.values()]
  })

/** Every published package of a root. */
export const all = (root: string) =>
  Effect.gen(function*() {
    const published = yield* Installed.published(root)
    return yield* Effect.forEach(published, (own) =>
      Effect.all({
        package: Effect.succeed(own),
        bundled: Effect.flatMap(bundledIn(own.name), Effect.forEach(Installed.load)),
        dependencies: dependenciesOf(own)
      }))
  })

/** Every package of others that users run: dependencies and peers, direct or not, and what is bundled. */
export const foreign = (root: string) =>
  Effect.gen(function*() {
    const shipped = yield* all(root)
    const own = shipped.map(({ package: { directory } }) => directory)
    const needed = yield* Installed.closure(own)
    const packages = [...needed, ...shipped.flatMap(({ bundled }) => bundled)]
    return Array.dedupeWith(packages, (one, other) => one.directory === other.directory)
      .filter(({ directory }) => !own.includes(directory))
  })
