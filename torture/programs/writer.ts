/**
 * A writer in a separate process, which kills itself in the middle of a request: `KILL_DELAY` milliseconds after the line
 * with the number `KILL_AT`. `BASE_URL` is the service, `WRITER` the name of the writer. It prints what it
 * is about to do and what it was told, one line of JSON each.
 */
import { RetryPolicy } from "@mailstream/http"
import { Effect } from "effect"
import { writeSync } from "node:fs"
import { services } from "../support/clients.ts"
import * as Writers from "../support/writers.ts"

const { BASE_URL = "", KILL_AT = "1", KILL_DELAY = "0", WRITER = "" } = process.env

let lines = 0

const write: Writers.Write = (entry) => {
  writeSync(1, `${JSON.stringify(entry)}\n`)
  if (++lines === Number(KILL_AT)) setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(KILL_DELAY))
}

const retry = RetryPolicy.make({ times: 200, base: "10 millis", cap: "100 millis" })

/** More rounds than it lives. */
const rounds = Array.from({ length: 1000 }, (_, number) => Writers.nameOf(WRITER, number))

await Effect.forEach(rounds, (name) => Writers.round(name, write, retry), { discard: true }).pipe(
  Effect.provide(services(BASE_URL, { rateLimit: false })),
  Effect.runPromise
)
