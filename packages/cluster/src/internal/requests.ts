/** Counts the requests of a worker, for the status. */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Transport from "@mailstream/http/Transport"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** How often they are stored. */
const interval = Duration.seconds(5)

export interface Requests {
  /** A transport whose requests are counted. */
  readonly counted: (transport: typeof Transport.Transport.Service) => typeof Transport.Transport.Service
  /** Stores again and again how many there were. What cannot be stored is stored later. */
  readonly run: Effect.Effect<never>
}

export const make = (store: (count: number) => Effect.Effect<unknown, SqlError>): Requests => {
  let count = 0
  const add = (more: number) =>
    Effect.sync(() => {
      count += more
    })
  const step = Effect.suspend(() => {
    const now = count
    count = 0
    return now === 0 ? Effect.void : Effect.catchAll(store(now), () => add(now))
  })
  return {
    counted: ({ open, send }) => ({
      open: (request) => Effect.zipRight(add(1), open(request)),
      send: (request) => Effect.zipRight(add(1), send(request))
    }),
    run: Effect.zipRight(Effect.repeat(step, Schedule.spaced(interval)), Effect.never)
  }
}
