/** Calls with options that were checked. */
import type { Tracker } from "@mailstream/stream/Progress"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Cancelable } from "../List.ts"
import type * as Progress from "../Progress.ts"
import type { Walk } from "../Walk.ts"
import { type Callee, capture } from "./caller.ts"
import type { Change } from "./change.ts"
import type * as Checks from "./checks.ts"
import type { Call, Connection, Services } from "./connection.ts"
import type { Failure } from "./errors.ts"
import * as Observing from "./observing.ts"

/** Runs a call with options that were checked, which fails if they are invalid. */
export const run = <Given extends Cancelable, A>(
  connection: Connection,
  callee: Callee,
  checked: Checks.Checked<Given>,
  effect: (options: Given, call: Call) => Effect.Effect<A, Failure, Services>,
  change?: Change
): Promise<A> => {
  const call = { signal: signalOf(checked), caller: capture(callee), change }
  return connection.run(Effect.flatMap(checked, (options) => effect(options, call)), call)
}

const signalOf = (checked: Checks.Checked<Cancelable>): AbortSignal | undefined =>
  Either.isRight(checked) ? checked.right.signal : undefined

interface Observed extends Cancelable, Progress.Observed {}

type Begin<Given, A> = (options: Given, progress: Tracker | undefined) => Stream.Stream<A, Failure, Services>

/** A walk with options that were checked, which fails at its first step if they are invalid. */
export const walk = <Given extends Observed, A>(
  connection: Connection,
  callee: Callee,
  checked: Checks.Checked<Given>,
  stream: Begin<Given, A>,
  first?: (limit: number) => Stream.Stream<A, Failure, Services>
): Walk<A> => connection.walk(begin(checked, stream), { signal: signalOf(checked), caller: capture(callee) }, first)

/** Every run has a progress of its own. */
export const begin = <Given extends Observed, A>(
  checked: Checks.Checked<Given>,
  stream: Begin<Given, A>
): Stream.Stream<A, Failure, Services> => {
  if (Either.isLeft(checked)) return Stream.fail(checked.left)
  const options = checked.right
  return options.progress === undefined
    ? stream(options, undefined)
    : Stream.unwrap(Effect.map(Observing.tracker(options.progress), (progress) => stream(options, progress)))
}
