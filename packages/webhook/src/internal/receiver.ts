/** Receives requests of a webhook, whatever they arrive through. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import type { WebhookEvent } from "@mailstream/core/WebhookEvent"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Deduplication, type DeduplicationError } from "../Deduplication.ts"
import { UnhandledEvent, UnreadableRequest, type VerificationError } from "../WebhookError.ts"
import * as Keys from "./keys.ts"
import * as Message from "./message.ts"

export interface Options {
  /** How far the time of a request may be from the time here; default: 5 minutes. */
  readonly tolerance?: Duration.DurationInput | undefined
  /** The secret of the webhook, or several while they are rotated; another webhook needs a handler of its own. */
  readonly secret: Keys.Secrets
  /** The largest body that is read, in bytes; default: 1 MiB. */
  readonly maxBodySize?: number | undefined
  /** How long a body may take to arrive; default: 10 seconds. */
  readonly readTimeout?: Duration.DurationInput | undefined
  /** How long your function may take; default: 30 seconds. Then it is interrupted, and the event is delivered again. */
  readonly timeout?: Duration.DurationInput | undefined
  /**
   * Lets your function finish what it has begun, even if its time is over or its request is gone; default: false. The next
   * delivery of the same message waits for it.
   */
  readonly uninterruptible?: boolean | undefined
}

/** How an event arrived. */
export interface Delivery {
  /** The id of the message: the same each time it is delivered. Store it with what you do, to do it once. */
  readonly id: string
}

export interface Incoming {
  readonly method: string
  readonly headers: Message.Headers
  readonly body: Stream.Stream<Uint8Array, unknown>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers each request. The scope must end after the answer was sent: what was not read of the request ends with it. */
export type Receiver<R> = (incoming: Incoming) => Effect.Effect<Answer, never, R | Scope.Scope>

type Refusal = VerificationError | UnreadableRequest | DeduplicationError | UnhandledEvent

/** Only a success may end the deliveries of a message. */
const statusOf = (refusal: Refusal): number => {
  switch (refusal._tag) {
    case "MissingHeader":
    case "InvalidTimestamp":
    case "InvalidEvent":
      return 400
    case "InvalidSignature":
      return 401
    case "UnreadableRequest":
      return { Method: 405, TooLarge: 413, Timeout: 408, Lost: 400 }[refusal.reason]
    case "UnhandledEvent":
      return refusal.reason === "Timeout" ? 503 : 500
    case "DeduplicationError":
      return 503
  }
}

const success: Answer = { status: 200, headers: {}, body: "" }

const refuse = (refusal: Refusal): Answer => ({
  status: statusOf(refusal),
  headers: {
    "content-type": "application/json",
    ...(refusal._tag === "UnreadableRequest" && refusal.reason === "Method" ? { allow: "POST" } : {})
  },
  // What a store says is for the log.
  body: JSON.stringify({
    name: refusal._tag,
    message: refusal._tag === "DeduplicationError" ? "Deliver it again" : refusal.message
  })
})

const tooLarge = (max: number) =>
  new UnreadableRequest({ reason: "TooLarge", description: `has a body of more than ${max} bytes` })

/** The body of a request, up to a number of bytes. */
const read = (
  { body, headers }: Incoming,
  max: number
): Effect.Effect<Uint8Array, UnreadableRequest, Scope.Scope> =>
  Effect.gen(function*() {
    if (Number(Message.valueOf(headers, "content-length") ?? 0) > max) return yield* tooLarge(max)
    const pull = yield* Stream.toPull(body)
    const pieces: Array<Uint8Array> = []
    let size = 0
    return yield* Effect.flatMap(pull, (chunk) => {
      for (const piece of chunk) {
        pieces.push(piece)
        size += piece.length
      }
      return size > max ? Effect.fail(Option.some(tooLarge(max))) : Effect.void
    }).pipe(
      Effect.forever,
      Effect.catchAll((end) =>
        Option.match(end, {
          onNone: () => Effect.succeed(concat(pieces, size)),
          onSome: (error) =>
            Effect.fail(
              error instanceof UnreadableRequest
                ? error
                : new UnreadableRequest({ reason: "Lost", description: "ended before its body was complete" })
            )
        })
      )
    )
  })

const concat = (pieces: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}

/**
 * Handles a message that is known by none of its keys; tells whether it was handled before. Then it is known by all of them, so that
 * a handler with only one of the secrets knows it later.
 */
const onceBy = <E, R>(
  deduplication: typeof Deduplication.Service,
  keys: ReadonlyArray<string>,
  handle: Effect.Effect<unknown, E, R>
): Effect.Effect<boolean, E | DeduplicationError, R> =>
  Effect.suspend(() => {
    let isDuplicate = true
    const first: Effect.Effect<unknown, E | DeduplicationError, R> = Effect.suspend(() => {
      isDuplicate = false
      return handle
    })
    return Effect.zipRight(
      keys.reduce((effect, key) => deduplication.once(key, effect), first),
      Effect.suspend(() =>
        Effect.as(
          // The one that knew it kept it from the others.
          Effect.forEach(isDuplicate && keys.length > 1 ? keys : [], (key) => deduplication.once(key, Effect.void)),
          isDuplicate
        )
      )
    )
  })

/** Makes what receives the requests of a webhook. */
export const make = <E, R>(
  handle: (event: WebhookEvent, delivery: Delivery) => Effect.Effect<unknown, E, R>,
  options: Options
): Effect.Effect<Receiver<R>, InvalidOption.InvalidOption, Deduplication> =>
  Effect.gen(function*() {
    const deduplication = yield* Deduplication
    const secrets = yield* Keys.make(options.secret)
    const tolerance = yield* Message.toleranceOf(options.tolerance)
    const maxBodySize = yield* InvalidOption.integer("maxBodySize", options.maxBodySize ?? 1024 * 1024, { min: 1 })
    const readTimeout = yield* InvalidOption.duration("readTimeout", options.readTimeout ?? "10 seconds")
    const timeout = yield* InvalidOption.duration("timeout", options.timeout ?? "30 seconds")

    /** Whatever ends the handling of a message but a success: an error, a defect, an interruption. */
    const failing = (id: string) => <A, E2, R2>(effect: Effect.Effect<A, E2, R2>) =>
      Effect.catchAllCause(effect, (cause) =>
        Effect.zipRight(
          Effect.logError(`Handling the message ${JSON.stringify(id)} of a webhook failed.`, cause),
          new UnhandledEvent({ reason: "Failed", messageId: id })
        ))

    const settle = ({ event, id, keys }: Message.Message) =>
      onceBy(deduplication, keys, failing(id)(Effect.suspend(() => handle(event, { id })))).pipe(
        options.uninterruptible === true ? Effect.uninterruptible : identity,
        // Nobody waits here for what cannot be interrupted.
        Effect.disconnect,
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () => new UnhandledEvent({ reason: "Timeout", messageId: id })
        }),
        Effect.catchAllCause((cause) =>
          Option.match(Cause.failureOption(cause), {
            onNone: () => failing(id)(Effect.failCause(cause)),
            onSome: (error) => Effect.fail(error)
          })
        )
      )

    const accept = (incoming: Incoming) =>
      Effect.gen(function*() {
        if (incoming.method !== "POST") {
          return yield* new UnreadableRequest({ reason: "Method", description: "is not a POST" })
        }
        const stamp = yield* Message.stampOf(incoming.headers, tolerance)
        const body = yield* read(incoming, maxBodySize).pipe(
          Effect.timeoutFail({
            duration: readTimeout,
            onTimeout: () =>
              new UnreadableRequest({
                reason: "Timeout",
                description: `took longer than ${Duration.format(readTimeout)} to arrive`
              })
          })
        )
        const message = yield* Message.open(secrets, stamp, body)
        yield* Effect.annotateCurrentSpan(Message.attributesOf(message))
        yield* Effect.annotateCurrentSpan("mailstream.webhook.duplicate", yield* settle(message))
      })

    // `withSpan` removes `ParentSpan` from the requirements, which cannot be expressed for an unknown `R`. It only ever
    // removes requirements, so the cast is safe.
    return (incoming) =>
      accept(incoming).pipe(
        Effect.as(success),
        Effect.catchAll((refusal) =>
          Effect.gen(function*() {
            yield* Effect.annotateCurrentSpan("error.type", refusal._tag)
            const isOurs = refusal._tag === "UnhandledEvent" || refusal._tag === "DeduplicationError"
            yield* (isOurs ? Effect.logWarning : Effect.logDebug)(`${refusal._tag}: ${refusal.message}`)
            return refuse(refusal)
          })
        ),
        Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
        Effect.withSpan("Webhook.receive", { captureStackTrace: false })
      ) as Effect.Effect<Answer, never, R | Scope.Scope>
  })
