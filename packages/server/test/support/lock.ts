/**
 * Another process that locks a SQLite file: `lock.ts <file>`. Prints a line once it holds the lock, and holds it until its
 * standard input ends.
 */
import { NodeRuntime, NodeStream } from "@effect/platform-node"
import { Console, Effect, Stream } from "effect"
import { DatabaseSync } from "node:sqlite"

const program = Effect.gen(function*() {
  const database = new DatabaseSync(process.argv[2] ?? "")
  database.exec("BEGIN EXCLUSIVE")
  yield* Console.log("locked")
  yield* Stream.runDrain(NodeStream.stdin)
  database.exec("COMMIT")
})

NodeRuntime.runMain(program)
