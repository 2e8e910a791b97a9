/**
 * What `npm run runtimes` runs once the packages are built: installs them and every runtime, runs one program on all of
 * them, and prints what worked. `.ci/scripts/runtimes.mjs` says more.
 */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import * as Results from "@mailstream/testing/Results"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Console, Data, Effect } from "effect"
import { availableParallelism } from "node:os"
import * as App from "./app.ts"
import { doors } from "./doors.ts"
import * as Raw from "./raw.ts"
import * as Registry from "./registry.ts"
import type { Row, Runtime } from "./Row.ts"
import * as Service from "./service.ts"
import { table } from "./table.ts"

class Misused extends Data.TaggedError("Misused")<{ readonly message: string }> {}

const selected = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Runtime>, Misused> => {
  const unknown = names.find((name) => !table.some((runtime) => runtime.name === name))
  return unknown === undefined
    ? Effect.succeed(names.length === 0 ? table : table.filter(({ name }) => names.includes(name)))
    : new Misused({ message: `unknown runtime ${unknown}: ${table.map(({ name }) => name).join(", ")}` })
}

const setting = Effect.gen(function*() {
  const tarballs = yield* Registry.tarballs
  const registry = yield* Registry.serve(tarballs)
  const apps = new Map<ReadonlyArray<string>, string>()
  for (const packages of new Set(doors.map(({ packages }) => packages))) {
    apps.set(packages, yield* App.folder(packages, tarballs, registry))
  }
  const pages = yield* Temporary.directory
  const otherOrigin = yield* Service.serve(pages)
  const origin = yield* Service.serve(pages, otherOrigin)
  const rawOrigin = yield* Raw.serve
  const app = (packages: ReadonlyArray<string>) => apps.get(packages)!
  return { tarballs, registry, app, pages, origin, otherOrigin, rawOrigin }
})

const words = (failure: string | null | undefined): string =>
  failure === undefined ? "–" : failure === null ? "ok" : "FAILED"

const printed = (rows: Array.NonEmptyReadonlyArray<Row>): string => {
  const columns = Array.dedupe(rows.flatMap(({ report }) => Object.keys(report)))
  return Results.table(
    ["runtime", rows[0].kind, ...columns],
    rows.map(({ report, runtime, what }) => [runtime, what, ...columns.map((column) => words(report[column]))])
  )
}

const program = Effect.gen(function*() {
  const chosen = yield* selected(process.argv.slice(2))
  const common = yield* setting
  const [unavailable, ran] = yield* Effect.partition(
    chosen,
    ({ rows, title }) =>
      Console.error(`${title} …`).pipe(
        Effect.zipRight(rows(common)),
        Effect.mapError(({ message }) => `${title} is not available on this machine: ${message}`)
      ),
    { concurrency: availableParallelism() }
  )
  const rows = ran.flat()
  for (const group of Object.values(Array.groupBy(rows, ({ kind }) => kind))) yield* Console.log(`${printed(group)}\n`)
  const cells = rows.flatMap(({ report, runtime, what }) =>
    Object.entries(report).map(([check, failure]) => ({ where: `${runtime}, ${what}, ${check}`, failure }))
  )
  const [passed, failed] = Array.partition(cells, ({ failure }) => failure !== null)
  for (const { failure, where } of failed) yield* Console.log(`${where}: ${failure?.split("\n")[0]}\n`)
  for (const message of unavailable) yield* Console.log(`${message}\n`)
  yield* Console.log(`${passed.length} passed, ${failed.length} failed`)
  if (failed.length > 0) yield* Effect.sync(() => void (process.exitCode = 1))
}).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

NodeRuntime.runMain(program)
