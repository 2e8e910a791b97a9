import type * as Undici from "@effect/platform-node/Undici"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { textOf } from "./text.ts"
import {
  type Answer,
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

/**
 * A transport on a dispatcher of undici. What comes goes straight to the fiber that waits for it: no promise, no stream
 * and no abort signal is made for a request, and no fiber to watch the time.
 */
export const make = (dispatcher: Undici.Dispatcher) => ({ maxBytes, timeout: duration }: Limits): Transport => {
  /** Waits until a look at what has come finds what it looks for, no longer than a request may take. */
  const until = <A>(incoming: Incoming, look: Look<A>): Pending<A, Failure> =>
    wait(duration, timeout, (resume) => {
      incoming.onChange = () => {
        const there = look(incoming)
        if (there === undefined) return
        incoming.onChange = constVoid
        resume(there)
      }
      incoming.send()
      return () => incoming.abort()
    })

  /** The same for what may be there already. */
  const find = <A>(incoming: Incoming, look: Look<A>): Effect.Effect<A, Failure> =>
    Effect.suspend(() => look(incoming) ?? complete(until(incoming, look)))

  /** Looks for the end of the body, and makes something of the answer then. */
  const ended = <A>(make: (incoming: Incoming) => A): Look<A> => (incoming) =>
    incoming.size > maxBytes
      ? Effect.suspend(() => {
        incoming.abort()
        return Effect.fail({ reason: "TooLarge", status: incoming.status } as const)
      })
      : incoming.ended
      ? Effect.succeed(make(incoming))
      : incoming.failed

  const body = ended((incoming) => incoming.text())
  const answer = ended((incoming): Answer => ({
    status: incoming.status,
    headers: incoming.headers,
    body: incoming.text()
  }))

  return {
    exchange: (request) => until(new Incoming(dispatcher, request, Infinity), answer),
    open: (request) =>
      Effect.acquireRelease(
        Effect.sync(() => new Incoming(dispatcher, request, highWaterMark)),
        (incoming) => Effect.sync(() => incoming.abort())
      ).pipe(
        Effect.tap((incoming) => find(incoming, head)),
        Effect.map((incoming) => ({
          status: incoming.status,
          headers: incoming.headers,
          body: Effect.suspend(() => {
            incoming.flow()
            return find(incoming, body)
          }),
          bytes: Stream.repeatEffectChunkOption(
            find(incoming, next).pipe(Effect.mapError(Option.some), Effect.flatMap(orEnd))
          ).pipe(Stream.ensuring(Effect.sync(() => incoming.abort())))
        }))
      )
  }
}

/** Looks for something in what has come so far; `undefined` means that more must come. */
type Look<A> = (incoming: Incoming) => Effect.Effect<A, Failure> | undefined

const head: Look<void> = (incoming) => incoming.status > 0 ? Effect.void : incoming.failed

/** What came since the last look; nothing at the end. */
const next: Look<Chunk.Chunk<Uint8Array>> = (incoming) =>
  incoming.chunks.length > 0
    ? Effect.sync(() => Chunk.unsafeFromArray(incoming.take()))
    : incoming.ended
    ? Effect.succeed(Chunk.empty())
    : incoming.failed

const orEnd = <A>(chunk: Chunk.Chunk<A>): Effect.Effect<Chunk.Chunk<A>, Option.Option<never>> =>
  Chunk.isEmpty(chunk) ? Effect.fail(Option.none()) : Effect.succeed(chunk)

/** How many bytes may wait for a reader before the other side has to pause. */
const highWaterMark = 256 * 1024

/**
 * What has come of an answer so far.
 *
 * It lets go of everything as soon as it can: in a long walk V8 takes to allocating such objects where only a full
 * collection looks, and until then they would keep the bytes of their answer, which brings full collections about.
 */
class Incoming implements Undici.Dispatcher.DispatchHandler {
  status = 0
  headers: Head["headers"] = {}
  chunks: Array<Buffer> = []
  size = 0
  ended = false
  failed: Effect.Effect<never, Failure> | undefined
  onChange: () => void = constVoid
  private sent = false
  private aborted = false
  private controller: Undici.Dispatcher.DispatchController | undefined
  private readonly dispatcher: Undici.Dispatcher
  private readonly request: Outgoing
  private highWaterMark: number

  constructor(dispatcher: Undici.Dispatcher, request: Outgoing, highWaterMark: number) {
    this.dispatcher = dispatcher
    this.request = request
    this.highWaterMark = highWaterMark
  }

  /** Sends the request, once. */
  send(): void {
    if (this.sent) return
    this.sent = true
    const { body = null, headers, method, origin, path, search } = this.request
    const sent = Either.try(() =>
      // Its own limits would only be in the way of the one that there is.
      this.dispatcher.dispatch(
        { method, origin, path: path + search, headers, body, headersTimeout: 0, bodyTimeout: 0 },
        this
      )
    )
    if (Either.isLeft(sent)) this.fail(sent.left)
  }

  onRequestStart(controller: Undici.Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.aborted) this.abort()
  }

  onResponseStart(
    _: Undici.Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | Array<string> | undefined>
  ): void {
    if (status < 200) return
    this.status = status
    this.headers = joined(headers)
    this.onChange()
  }

  onResponseData(controller: Undici.Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk)
    this.size += chunk.length
    if (this.size > this.highWaterMark) controller.pause()
    this.onChange()
  }

  onResponseEnd(): void {
    this.ended = true
    this.controller = undefined
    this.onChange()
  }

  onResponseError(_: Undici.Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(error: unknown): void {
    this.controller = undefined
    this.failed = Effect.fail(fromError(error, this.status > 0))
    this.onChange()
  }

  /** What waits. There is room for more then. */
  take(): Array<Buffer> {
    const { chunks } = this
    this.chunks = []
    this.size = 0
    this.controller?.resume()
    return chunks
  }

  /** The text of all that has come. */
  text(): string {
    const text = textOf(this.chunks)
    this.chunks.length = 0
    return text
  }

  /** Lets all of it come. */
  flow(): void {
    this.highWaterMark = Infinity
    this.controller?.resume()
  }

  /** Nobody waits for it any more. */
  abort(): void {
    this.aborted = true
    this.onChange = constVoid
    this.controller?.abort(new Error("the answer is no longer needed"))
  }
}

const joined = (headers: Record<string, string | Array<string> | undefined>): Head["headers"] => {
  const texts: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(headers)) texts[name] = Array.isArray(value) ? value.join(", ") : value
  return texts
}
