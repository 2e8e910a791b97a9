/** One reading for all who want to read at the same time. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Who comes while it is being read gets the same. It goes on if one of them is interrupted. */
export const make = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    let current: Fiber.Fiber<A, E> | undefined
    const end = Effect.sync(() => {
      current = undefined
    })
    const begin = Effect.map(Effect.forkDaemon(Effect.ensuring(Effect.provide(read, context), end)), (fiber) => {
      current = fiber
      return fiber
    })
    return Effect.flatMap(
      Effect.uninterruptible(Effect.suspend(() => current === undefined ? begin : Effect.succeed(current))),
      Fiber.join
    )
  })
