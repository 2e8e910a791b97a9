import { describe, it } from "@effect/vitest"
import * as Tcp from "@mailstream/testing/Tcp"
import { Cause, Effect, Exit, Fiber, Random, Redacted, Scope } from "effect"
import * as Inside from "../support/inside.ts"
import * as Processes from "../support/processes.ts"
import { until } from "../support/waiting.ts"

/** A cluster with an account that is copied again and again, and a way to its database that can fall silent. */
const setup = Effect.gen(function*() {
  const cluster = yield* Processes.make
  cluster.service.add("acme")
  yield* cluster.writeAccounts
  const url = new URL(Redacted.value(cluster.url))
  const tcp = yield* Tcp.make(url.hostname, Number(url.port))
  const way = Redacted.make(Object.assign(new URL(url), { port: String(tcp.port) }).href)
  return { cluster, tcp, way }
})

/** A connection that has locked tables until its scope closes. */
const locked = (cluster: Processes.Cluster, ...tables: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const connection = yield* cluster.sql.reserve
    yield* connection.executeUnprepared(
      `BEGIN; LOCK TABLE ${tables.join(", ")} IN ACCESS EXCLUSIVE MODE`,
      [],
      undefined
    )
    yield* Effect.addFinalizer(() => Effect.orDie(connection.executeUnprepared("ROLLBACK", [], undefined)))
  })

const waiting = ({ sql }: Processes.Cluster) =>
  Effect.map(
    sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM pg_locks
      WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    ([row]) => row?.count ?? 0
  )

/** Dies if a worker takes longer to stop than this: a supervisor waits for 10 seconds. */
const inTime = <A, E, R>(stopping: Effect.Effect<A, E, R>) =>
  Effect.timeoutFailCause(Effect.disconnect(stopping), {
    duration: "8 seconds",
    onTimeout: () => Cause.die("The worker does not stop.")
  })

/** Closes a scope, as a signal does: what is closed cannot be interrupted. */
const closed = (scope: Scope.CloseableScope) => inTime(Effect.uninterruptible(Scope.close(scope, Exit.void)))

/** Sleeps for a random part of a time. */
const sleepUpTo = (millis: number) => Effect.flatMap(Random.nextIntBetween(0, millis), (part) => Effect.sleep(part))

describe("a worker on a database that does not respond", () => {
  it.scopedLive.each([0, 300, 2000])(
    "stops when it is told to after %i ms",
    (silence) =>
      Effect.gen(function*() {
        const { cluster, tcp, way } = yield* setup
        const scope = yield* Scope.make()
        const health = yield* Scope.extend(Inside.start({ ...cluster, url: way }, { every: "1 second" }), scope)
        yield* until("it is copied", Processes.status(cluster), ({ accounts }) => accounts.neverCopied === 0)
        yield* sleepUpTo(1200)
        yield* tcp.freeze
        yield* Effect.sleep(silence)
        yield* Effect.forEach(["/health/ready", "/status.json"], (path) =>
          Effect.fork(Effect.tryPromise(() => fetch(`${health}${path}`))))
        yield* Effect.sleep("20 millis")
        yield* closed(scope)
      }),
    60_000
  )

  it.scopedLive("stops if that happens while it stops", () =>
    Effect.gen(function*() {
      const { cluster, tcp, way } = yield* setup
      const scope = yield* Scope.make()
      yield* Scope.extend(Inside.start({ ...cluster, url: way }, { every: "1 second" }), scope)
      yield* until("it is copied", Processes.status(cluster), ({ accounts }) => accounts.neverCopied === 0)
      yield* Effect.fork(Effect.zipRight(sleepUpTo(50), tcp.freeze))
      yield* closed(scope)
    }), 60_000)

  it.scopedLive.each([300, 1500])(
    "can be interrupted if that happens within its first %i ms",
    (millis) =>
      Effect.gen(function*() {
        const { cluster, tcp, way } = yield* setup
        const starting = yield* Effect.fork(
          Effect.scoped(Effect.zipRight(Inside.start({ ...cluster, url: way }), Effect.never))
        )
        yield* sleepUpTo(millis)
        yield* tcp.freeze
        yield* sleepUpTo(500)
        yield* inTime(Fiber.interrupt(starting))
      }),
    30_000
  )

  it.scopedLive("stops when its tables are locked", () =>
    Effect.gen(function*() {
      const { cluster } = yield* setup
      const scope = yield* Scope.make()
      yield* Scope.extend(Inside.start(cluster, { every: "1 second" }), scope)
      yield* until("it is copied", Processes.status(cluster), ({ accounts }) => accounts.neverCopied === 0)
      yield* locked(cluster, "cluster_accounts", "cluster_workers", "cluster_passes", "mirror_lists")
      yield* until("it waits for the locks", waiting(cluster), (count) => count >= 2)
      yield* closed(scope)
    }), 60_000)

  it.scopedLive("can be interrupted while it starts", () =>
    Effect.gen(function*() {
      const { cluster, tcp, way } = yield* setup
      yield* Effect.scoped(Inside.start(cluster))
      yield* locked(cluster, "cluster_accounts_migrations")
      const starting = yield* Effect.fork(Effect.scoped(Inside.start(cluster)))
      yield* until("it waits for the lock", waiting(cluster), (count) => count >= 1)
      yield* Fiber.interrupt(starting)
      yield* tcp.freeze
      const connecting = yield* Effect.fork(Effect.scoped(Inside.start({ ...cluster, url: way })))
      yield* Effect.sleep("200 millis")
      yield* Fiber.interrupt(connecting)
    }), 30_000)
})
