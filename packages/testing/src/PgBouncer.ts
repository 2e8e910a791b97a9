/** PgBouncer in front of PostgreSQL, on loopback. */
import { Effect, Redacted, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { chownSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Port from "./Port.ts"
import { user } from "./Postgres.ts"
import * as Process from "./Process.ts"
import * as Proxy from "./Proxy.ts"
import * as Temporary from "./Temporary.ts"

/** When a session of PostgreSQL goes from one client to another. */
export type Mode = "session" | "transaction" | "statement"

const program = Proxy.find("pgbouncer")

/** Why it cannot be started, for the name of a test that is skipped. */
export const missing: string | undefined = program === undefined
  ? " (skipped: there is no PgBouncer on this machine)"
  : undefined

const config = (mode: Mode, host: string, upstream: string, port: number): string =>
  `[databases]
* = host=${host} port=${upstream}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = users
pool_mode = ${mode}
`

/** Waits until it listens. */
const listening = (child: ChildProcess): Effect.Effect<void> =>
  Effect.async((resume) => {
    let said = ""
    child.stderr?.on("data", (bytes: Buffer) => {
      said += bytes
      if (said.includes("process up")) resume(Effect.void)
    })
    child.once("exit", () => resume(Effect.dieMessage(`PgBouncer did not start: ${said}`)))
  })

/** Starts it, and returns the URL at which the database at this URL is found behind it. */
export const start = (mode: Mode, url: Redacted.Redacted): Effect.Effect<Redacted.Redacted, never, Scope.Scope> =>
  Effect.gen(function*() {
    const behind = new URL(Redacted.value(url))
    const directory = yield* Temporary.directory
    const [port = 0] = yield* Effect.promise(() => Port.free(1))
    writeFileSync(join(directory, "users"), `"${behind.username}" "${behind.password}"\n`)
    writeFileSync(join(directory, "config"), config(mode, behind.hostname, behind.port, port))
    const owner = user()
    // It refuses to run as root.
    if (owner !== undefined) chownSync(directory, owner.uid, owner.gid)
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(program ?? "pgbouncer", ["config"], { ...owner, cwd: directory })
        const kill = () => void child.kill("SIGKILL")
        process.once("exit", kill)
        child.once("exit", () => process.off("exit", kill))
        return child
      }),
      (child) => Effect.zipRight(Effect.sync(() => child.kill("SIGKILL")), Process.ended(child))
    )
    yield* listening(child)
    return Redacted.make(Object.assign(behind, { port: String(port) }).href)
  })
