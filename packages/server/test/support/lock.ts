/**
 * Another process that locks a SQLite file: `lock.ts <file>`. Prints a line once it holds the lock, and holds it until its
 * standard input ends.
 */
import { NodeRuntime, NodeStream } from "@effect/platform-node"
import { LibsqlClient } from "@effect/sql-libsql"
import { Console, Effect, Stream } from "effect"
import { pathToFileURL } from "node:url"

const program = Effect.gen(function*() {
  const libsql = yield* LibsqlClient.LibsqlClient
  const connection = yield* libsql.reserve
  yield* connection.executeRaw("BEGIN EXCLUSIVE", [])
  yield* Console.log("locked")
  yield* Stream.runDrain(NodeStream.stdin)
  yield* connection.executeRaw("COMMIT", [])
})

program.pipe(
  Effect.scoped,
  Effect.provide(LibsqlClient.layer({ url: pathToFileURL(process.argv[2] ?? "").href })),
  NodeRuntime.runMain
)
