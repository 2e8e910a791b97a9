/** A message of a webhook: what its headers say, and what its body is worth. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import { decodeWebhookEvent, type WebhookEvent } from "@mailstream/core/WebhookEvent"
import * as Utf8 from "@mailstream/kernel/Utf8"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import {
  InvalidEvent,
  InvalidSignature,
  InvalidTimestamp,
  MissingHeader,
  type VerificationError
} from "../WebhookError.ts"
import * as Keys from "./keys.ts"

/** The headers of a request: those of `fetch`, of Node, or of `@effect/platform`. */
export type Headers =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

/** What the headers say. */
export interface Stamp {
  readonly id: string
  readonly timestamp: string
  readonly signatures: ReadonlyArray<string>
}

/** A message whose signature was right. */
export interface Message {
  readonly id: string
  /**
   * Names for the message that no other webhook has, although the service gives one id to the same event of two of them: one for
   * each secret, whichever it was signed with. Sorted, so that everybody takes them in the same order.
   */
  readonly keys: ReadonlyArray<string>
  readonly event: WebhookEvent
}

/** What spans say of a message. */
export const attributesOf = ({ event, id }: Pick<Message, "event" | "id">) => ({
  "mailstream.webhook.message_id": id,
  "mailstream.webhook.event": event.type
})

const isGetter = (headers: Headers): headers is { readonly get: (name: string) => string | null } =>
  Predicate.isFunction(headers["get"])

/** A header, whatever its case. */
export const valueOf = (headers: Headers, name: string): string | undefined => {
  if (isGetter(headers)) return headers.get(name) ?? undefined
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name)
  const value = found === undefined ? undefined : headers[found]
  return Predicate.isString(value) ? value : value?.join(" ")
}

const headerOf = (
  headers: Headers,
  header: MissingHeader["header"]
): Either.Either<string, MissingHeader> =>
  Either.fromNullable(
    valueOf(headers, `svix-${header}`) || valueOf(headers, `webhook-${header}`) || undefined,
    () => new MissingHeader({ header })
  )

/** How far the time of a message may be from the time here, checked. */
export const toleranceOf = (tolerance: Duration.DurationInput = "5 minutes") =>
  InvalidOption.duration("tolerance", tolerance)

/** Reads the headers, and refuses a message that is not of this time. */
export const stampOf = (
  headers: Headers,
  tolerance: Duration.Duration
): Effect.Effect<Stamp, MissingHeader | InvalidTimestamp> =>
  Effect.gen(function*() {
    const id = yield* headerOf(headers, "id")
    const timestamp = yield* headerOf(headers, "timestamp")
    const signature = yield* headerOf(headers, "signature")
    if (!/^\d{1,12}$/.test(timestamp)) return yield* new InvalidTimestamp({ reason: "Malformed" })
    // Of the time here, too, only whole seconds count: a message is not older than it says.
    const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000) - Number(timestamp)
    if (Math.abs(seconds) > Duration.toSeconds(tolerance)) {
      return yield* new InvalidTimestamp({ reason: seconds > 0 ? "TooOld" : "TooNew", seconds: Math.abs(seconds) })
    }
    return { id, timestamp, signatures: signature.split(/[\s]+/).filter((part) => part !== "") }
  })

/** Requires a signature by one of the keys. All are compared, so that the time does not tell which one it was. */
const verify = (
  keys: ReadonlyArray<Keys.Key>,
  { id, signatures, timestamp }: Stamp,
  body: Uint8Array
): Effect.Effect<void, InvalidSignature> =>
  Effect.gen(function*() {
    const given = signatures.filter((signature) => signature.startsWith("v1,"))
    if (given.length === 0) return yield* new InvalidSignature({ reason: "Unsupported" })
    const content = Keys.contentOf(id, timestamp, body)
    const matching = yield* Effect.filter(keys, (key) =>
      Effect.map(key.sign(content), (expected) =>
        given.map((signature) =>
          Keys.isEqual(signature, `v1,${expected}`)
        ).includes(true)))
    if (matching.length === 0) return yield* new InvalidSignature({ reason: "Mismatch" })
  })

const decode = (id: string, body: Uint8Array): Either.Either<WebhookEvent, InvalidEvent> => {
  const invalid = (description: string) => () => new InvalidEvent({ messageId: id, description })
  return Either.fromNullable(Utf8.decode([body]), invalid("is not UTF-8")).pipe(
    Either.flatMap((text) => Either.try({ try: (): unknown => JSON.parse(text), catch: invalid("is not JSON") })),
    Either.flatMap((json) =>
      Either.mapLeft(decodeWebhookEvent(json), invalid("is not an event: an object with a type"))
    )
  )
}

/** Not in any header: nothing that is signed for a request can begin with it. */
const purpose = "\0deduplication\0"

/** Verifies a message, and decodes what it reports. */
export const open = (
  keys: ReadonlyArray<Keys.Key>,
  stamp: Stamp,
  body: Uint8Array
): Effect.Effect<Message, VerificationError> =>
  Effect.gen(function*() {
    yield* verify(keys, stamp, body)
    const event = yield* decode(stamp.id, body)
    const marks = yield* Effect.forEach(keys, (key) =>
      Effect.map(
        key.sign(Keys.contentOf(purpose, stamp.id, new Uint8Array())),
        (mark) => mark.replace(/\W/g, (sign) => sign === "+" ? "-" : sign === "/" ? "_" : "")
      ))
    // A secret that is given twice is one.
    return { id: stamp.id, keys: [...new Set(marks)].sort(), event }
  })
