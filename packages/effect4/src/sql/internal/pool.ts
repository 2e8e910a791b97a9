/** A pool of sessions of `pg`. */
import * as Driver from "@mailstream/kernel/postgres/Driver"
import * as Rules from "@mailstream/kernel/postgres/Limits"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { Socket } from "node:net"
import { ofPostgres } from "./errors.ts"
import { type Session, timeout } from "./postgres.ts"

export interface Options {
  readonly url: Redacted.Redacted
  readonly maxConnections?: number | undefined
  /** In milliseconds. */
  readonly connectTimeout: number
  readonly applicationName?: string | undefined
}

/** A session that is taken from the pool. */
export interface Pooled extends Session {
  readonly release: (isBroken?: boolean) => void
  readonly off: (event: "error", listener: (error?: unknown) => void) => void
}

export interface Pool {
  readonly connect: () => Promise<Pooled>
  readonly end: () => Promise<void>
  readonly on: (event: "error", listener: () => void) => void
}

/** A pool of sessions, and the sockets that they run over. It is given a second to say goodbye. */
export const make = (
  { applicationName = "mailstream", connectTimeout, maxConnections, url }: Options
): Effect.Effect<Pool, SqlError, Scope.Scope> =>
  Effect.gen(function*() {
    const { default: pg } = yield* Effect.tryPromise({
      try: () => import("pg"),
      catch: (cause) => ofPostgres(cause, "PostgreSQL needs the package `pg`: install it")
    })
    const open = new Set<Socket>()
    return yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          const pool: Pool = new pg.Pool({
            connectionString: Redacted.value(url),
            application_name: applicationName,
            ...(maxConnections === undefined ? {} : { max: maxConnections }),
            stream: () => {
              // A vanished server does not say so. A limit of the pool would also be one for those who wait for a session.
              const socket = Driver.connectingWithin(new Socket().setKeepAlive(true, 10_000), connectTimeout)
              open.add(socket)
              socket.once("close", () => open.delete(socket))
              return socket
            }
          }) as unknown as Pool
          // A connection that ends while nobody uses it is replaced when it is needed.
          pool.on("error", () => {})
          return pool
        },
        catch: (cause) => ofPostgres(cause, "The URL of PostgreSQL cannot be used")
      }),
      (pool) =>
        Effect.promise(async () => {
          await Promise.race([
            pool.end().catch(() => {}),
            new Promise((resolve) => setTimeout(resolve, 1000).unref())
          ])
          for (const socket of open) socket.destroy()
        })
    )
  })

/** A session of the pool, until the scope closes. One that broke is not used again. */
export const take = (pool: Pool, patience: number): Effect.Effect<Pooled, SqlError, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) =>
    Effect.callback<Pooled, SqlError>((resume) => {
      let isWanted = true
      const timer = setTimeout(() => {
        isWanted = false
        resume(
          Effect.fail(
            timeout(
              "Silent",
              `No connection to PostgreSQL within ${Duration.format(Duration.millis(patience))}`,
              patience
            )
          )
        )
      }, Math.min(patience, Rules.longestWait))
      const connected = (session: Pooled) => {
        clearTimeout(timer)
        // One that comes too late, or after an interruption, goes back.
        if (!isWanted) return session.release()
        isWanted = false
        let isBroken = false
        const onError = () => {
          isBroken = true
        }
        session.on("error", onError)
        const giveBack = Effect.sync(() => {
          session.off("error", onError)
          session.release(isBroken)
        })
        resume(Effect.as(Effect.uninterruptible(Scope.addFinalizer(scope, giveBack)), session))
      }
      // It throws for a URL that it cannot read.
      new Promise<Pooled>((resolve) => resolve(pool.connect())).then(connected, (cause: unknown) => {
        clearTimeout(timer)
        resume(Effect.fail(ofPostgres(cause, "Failed to connect to PostgreSQL")))
      })
      return Effect.sync(() => {
        clearTimeout(timer)
        isWanted = false
      })
    }))
