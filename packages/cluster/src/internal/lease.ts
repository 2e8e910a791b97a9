/**
 * How long this worker may rely on the locks that it holds.
 *
 * The engine finds out that it has lost a lock when it refreshes it, and gives the work some time to end. A worker that was
 * paused could send requests until then, while another one already works for the same account. So the times at which
 * locks were refreshed are kept here, and every request looks at them first.
 */
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import type { ShardId } from "@effect/cluster/ShardId"
import type * as Transport from "@mailstream/http/Transport"
import { elapsed, type Moment, now } from "@mailstream/kernel/Moment"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class Lease extends Context.Tag("@mailstream/cluster/internal/Lease")<Lease, {
  /** Whether the lock of a shard has certainly not expired. */
  readonly isHeld: (shard: ShardId) => Effect.Effect<boolean>
  /** Whether the database has confirmed this worker recently. */
  readonly isAlive: Effect.Effect<boolean>
}>() {}

/** How often a request that has to wait looks again. */
const interval = Duration.millis(100)

/** A storage that also keeps the times at which locks were acquired and refreshed. */
export const layer = <E, R>(
  storage: Layer.Layer<RunnerStorage.RunnerStorage, E, R>,
  expiration: Duration.Duration
): Layer.Layer<RunnerStorage.RunnerStorage | Lease, E, R> =>
  Layer.effectContext(Effect.map(RunnerStorage.RunnerStorage, (inner) => {
    const since = new Map<string, Moment>()
    let confirmed: Moment | undefined
    const isRecent = (last: () => Moment | undefined): Effect.Effect<boolean> =>
      Effect.map(now, (now) => {
        const moment = last()
        return moment !== undefined && elapsed(moment, now) < Duration.toMillis(expiration)
      })
    /** The lock counts from the time before the statement was sent. */
    const keeping = (statement: typeof inner.acquire): typeof inner.acquire => (address, asked) =>
      Effect.flatMap(now, (began) => {
        const shards = [...asked]
        return Effect.tap(statement(address, shards), (held) => {
          confirmed = began
          for (const shard of shards) since.delete(shard.toString())
          for (const shard of held) since.set(shard.toString(), began)
        })
      })
    const outer: typeof RunnerStorage.RunnerStorage.Service = {
      ...inner,
      acquire: keeping(inner.acquire),
      refresh: keeping(inner.refresh),
      release: (address, shard) =>
        Effect.zipRight(Effect.sync(() => since.delete(shard.toString())), inner.release(address, shard)),
      releaseAll: (address) => Effect.zipRight(Effect.sync(() => since.clear()), inner.releaseAll(address))
    }
    const lease: typeof Lease.Service = {
      isHeld: (shard) => isRecent(() => since.get(shard.toString())),
      isAlive: isRecent(() => confirmed)
    }
    return Context.make(RunnerStorage.RunnerStorage, outer).pipe(Context.add(Lease, lease))
  })).pipe(Layer.provide(storage))

/**
 * A transport that sends nothing while the lock of a shard is not certain. Either the engine refreshes the lock, or it
 * interrupts the pass that waits here.
 */
export const guard = (
  transport: typeof Transport.Transport.Service,
  lease: typeof Lease.Service,
  shard: ShardId
): typeof Transport.Transport.Service => {
  const held: Effect.Effect<void> = Effect.flatMap(
    lease.isHeld(shard),
    (isHeld) => isHeld ? Effect.void : Effect.zipRight(Effect.sleep(interval), held)
  )
  return {
    send: (request) => Effect.zipRight(held, transport.send(request)),
    open: (request) => Effect.zipRight(held, transport.open(request))
  }
}
