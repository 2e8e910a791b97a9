import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import { constVoid, identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { textOf } from "./text.ts"
import {
  type Failure,
  fromError,
  type Head,
  type Limits,
  type Outgoing,
  type Pending,
  timeout,
  type Transport
} from "./transport.ts"
import { complete, wait } from "./within.ts"

/** A transport on `fetch`, without a fiber to watch the time and without effects around its promises. */
export const make = (fetch: typeof globalThis.fetch) => ({ maxBytes, timeout: duration }: Limits): Transport => {
  const begin = ({ body, headers, method, origin, path, search }: Outgoing, signal: AbortSignal) =>
    fetch(`${origin}${path}${search}`, { method, headers, body: body ?? null, signal })

  /** Waits for a promise, no longer than a request may take. */
  const within = <A>(
    controller: AbortController,
    begun: () => boolean,
    promise: () => Promise<Effect.Effect<A, Failure>>
  ): Pending<A, Failure> =>
    wait(duration, timeout, (resume) => {
      promise().then(resume, (error) => resume(Effect.fail(fromError(error, begun()))))
      return () => controller.abort()
    })

  return {
    exchange: (request) => {
      const controller = new AbortController()
      let begun = false
      return within(controller, () => begun, () =>
        begin(request, controller.signal).then((response) => {
          begun = true
          return read(response, maxBytes, (body) => ({ ...headOf(response), body }))
        }))
    },
    open: (request) =>
      Effect.gen(function*() {
        const controller = yield* Effect.acquireRelease(
          Effect.sync(() => new AbortController()),
          (controller) => Effect.sync(() => controller.abort())
        )
        const response = yield* complete(within(
          controller,
          () => false,
          () => begin(request, controller.signal).then(Effect.succeed)
        ))
        const head = headOf(response)
        const bytes = Stream.suspend(() => {
          const reader = response.body?.getReader()
          if (reader === undefined) return Stream.empty
          const read = Effect.suspend(() =>
            complete(within(controller, () => true, () => reader.read().then(Effect.succeed)))
          ).pipe(
            Effect.mapError(Option.some),
            Effect.flatMap(({ done, value }) => done ? Effect.fail(Option.none()) : Effect.succeed(Chunk.of(value)))
          )
          return Stream.ensuring(Stream.repeatEffectChunkOption(read), Effect.sync(() => controller.abort()))
        })
        const body = complete(within(controller, () => true, () => read(response, maxBytes, identity)))
        return { ...head, body, bytes }
      })
  }
}

const headOf = (response: Response): Head => {
  const headers: Record<string, string> = {}
  response.headers.forEach((value, name) => {
    headers[name] = value
  })
  return { status: response.status, headers }
}

/** Reads a body to its end. A reader is quicker than `text`, and knows when it is too much. */
const read = <A>(
  response: Response,
  maxBytes: number,
  make: (text: string) => A
): Promise<Effect.Effect<A, Failure>> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return Promise.resolve(Effect.succeed(make("")))
  const pieces: Array<Uint8Array> = []
  let size = 0
  const more = (): Promise<Effect.Effect<A, Failure>> =>
    reader.read().then(({ done, value }) => {
      if (done) return Effect.succeed(make(textOf(pieces)))
      pieces.push(value)
      size += value.length
      if (size <= maxBytes) return more()
      reader.cancel().catch(constVoid)
      return Effect.fail({ reason: "TooLarge", status: response.status } as const)
    })
  return more()
}
