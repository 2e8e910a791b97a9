/**
 * How many accounts a worker copies at once. Long passes have a part of the room to themselves, so that they delay only each
 * other.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"

export interface Options {
  /** How many passes may be in progress. */
  readonly size: number
  /** A pass that takes longer than this is long. */
  readonly slice: Duration.Duration
}

export interface Room {
  /** Runs a pass when there is room for it. None: it was interrupted to make room for others, and is to be continued. */
  readonly run: <A, E, R>(
    pass: Effect.Effect<A, E, R>,
    options: { readonly isLong: boolean }
  ) => Effect.Effect<Option.Option<A>, E, R>
}

/** How many slices a long pass may take while others wait for its place. */
const longSlices = 10

/** Places, and those who wait for one. */
interface Places {
  readonly semaphore: Effect.Semaphore
  waiting: number
}

const places = (count: number): Places => ({ semaphore: Effect.unsafeMakeSemaphore(count), waiting: 0 })

/** Runs an effect in a place, with another one that gives the place back early. */
const within = <A, E, R>(
  places: Places,
  use: (leave: Effect.Effect<void>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      let isInside = true
      const leave = Effect.suspend(() => {
        if (!isInside) return Effect.void
        isInside = false
        return places.semaphore.release(1)
      })
      places.waiting++
      const enter = Effect.ensuring(
        restore(places.semaphore.take(1)),
        Effect.sync(() => {
          places.waiting--
        })
      )
      return Effect.zipRight(enter, Effect.ensuring(restore(use(leave)), leave))
    })
  )

export const make = ({ size, slice }: Options): Room => {
  const longSize = Math.max(1, Math.floor(size / 2))
  const long = places(longSize)
  // With room for one only, they take turns in it.
  const short = size === 1 ? long : places(size - longSize)
  const longSlice = Duration.times(slice, longSlices)

  const giveWay = <A, E>(pass: Fiber.Fiber<A, E>): Effect.Effect<Option.Option<A>> =>
    Effect.as(Fiber.interrupt(pass), Option.none())

  /** Continues until it is done, or until it has had its share and another one waits. */
  const asLong = <A, E>(pass: Fiber.Fiber<A, E>): Effect.Effect<Option.Option<A>, E> =>
    Effect.flatMap(
      Effect.timeoutOption(Fiber.join(pass), longSlice),
      (result) => Option.isSome(result) ? Effect.succeed(result) : long.waiting > 0 ? giveWay(pass) : asLong(pass)
    )

  /** Continues for a slice, and then as a long pass if there is a place for it. */
  const asShort = <A, E>(
    pass: Fiber.Fiber<A, E>,
    leave: Effect.Effect<void>
  ): Effect.Effect<Option.Option<A>, E> =>
    Effect.gen(function*() {
      const result = yield* Effect.timeoutOption(Fiber.join(pass), slice)
      if (Option.isSome(result)) return result
      const moved = yield* long.semaphore.withPermitsIfAvailable(1)(Effect.zipRight(leave, asLong(pass)))
      if (Option.isSome(moved)) return moved.value
      return yield* short.waiting > 0 ? giveWay(pass) : asShort(pass, leave)
    })

  return {
    run: (pass, { isLong }) =>
      within(
        isLong ? long : short,
        (leave) =>
          Effect.scoped(
            Effect.flatMap(Effect.forkScoped(pass), (fiber) => isLong ? asLong(fiber) : asShort(fiber, leave))
          )
      )
  }
}
