/** How many accounts a worker copies at once. Long passes may use at most half of the places, so that they delay only each other. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"

export type Room = ReturnType<typeof make>

/** How many slices a long pass may take while others wait for its place. */
const longSlices = 10

/** Places, and those who wait for one. */
interface Places {
  readonly semaphore: Effect.Semaphore
  waiting: number
}

const places = (count: number): Places => ({ semaphore: Effect.unsafeMakeSemaphore(count), waiting: 0 })

/** Runs an effect in a place, when there is one. */
const within = <A, E, R>(places: Places, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      places.waiting++
      const enter = Effect.ensuring(
        restore(places.semaphore.take(1)),
        Effect.sync(() => {
          places.waiting--
        })
      )
      return Effect.zipRight(enter, Effect.ensuring(restore(effect), places.semaphore.release(1)))
    })
  )

/** Room for as many passes. One that takes longer than a slice is long. */
export const make = ({ size, slice }: { readonly size: number; readonly slice: Duration.Duration }) => {
  const all = places(size)
  /** Long passes need one of these, too. */
  const long = places(Math.max(1, Math.floor(size / 2)))
  const isAlone = size === 1
  const longSlice = isAlone ? slice : Duration.times(slice, longSlices)

  /** Unless it has just ended. */
  const giveWay = <A, E>(pass: Fiber.Fiber<A, E>): Effect.Effect<Option.Option<A>, E> =>
    Effect.flatMap(
      Fiber.interrupt(pass),
      Exit.matchEffect({
        onFailure: (cause) => Cause.isInterruptedOnly(cause) ? Effect.succeedNone : Effect.failCause(cause),
        onSuccess: Effect.succeedSome
      })
    )

  /** Continues until it is done, or until it has had its share and another one waits. */
  const asLong = <A, E>(pass: Fiber.Fiber<A, E>): Effect.Effect<Option.Option<A>, E> =>
    Effect.flatMap(Effect.timeoutOption(Fiber.join(pass), longSlice), (result) =>
      Option.isSome(result)
        ? Effect.succeed(result)
        : long.waiting > 0 || (isAlone && all.waiting > 0)
        ? giveWay(pass)
        : asLong(pass))

  /** Continues for a slice, and then as a long pass if there is a place for it. */
  const asShort = <A, E>(pass: Fiber.Fiber<A, E>): Effect.Effect<Option.Option<A>, E> =>
    Effect.gen(function*() {
      const result = yield* Effect.timeoutOption(Fiber.join(pass), slice)
      if (Option.isSome(result)) return result
      if (isAlone && all.waiting > 0) return yield* giveWay(pass)
      const moved = yield* long.semaphore.withPermitsIfAvailable(1)(asLong(pass))
      if (Option.isSome(moved)) return moved.value
      return yield* all.waiting > 0 ? giveWay(pass) : asShort(pass)
    })

  return {
    /** Runs a pass when there is room for it. None: it was interrupted to make room for others, and is to be continued. */
    run: <A, E, R>(
      pass: Effect.Effect<A, E, R>,
      { isLong }: { readonly isLong: boolean }
    ): Effect.Effect<Option.Option<A>, E, R> => {
      const run = within(
        all,
        Effect.scoped(Effect.flatMap(Effect.forkScoped(pass), (fiber) => isLong ? asLong(fiber) : asShort(fiber)))
      )
      return isLong ? within(long, run) : run
    }
  }
}
