import { decide, explain, isText, maxBytes } from "@mailstream/kernel/BodyRules"
import { FastScanner } from "@mailstream/kernel/FastScanner"
import type { Failure } from "@mailstream/kernel/Scanner"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Stream from "effect/Stream"
import { type RequestError, UnexpectedResponse } from "../../core/index.ts"
import * as Page from "../../core/Page.ts"
import * as Wire from "../../core/Wire.ts"
import type { OpenResponse } from "../../http/ApiClient.ts"
import { watch } from "./progress.ts"

const checkEnvelope = Wire.check(Page.schema(Schema.Unknown))

/**
 * The items of a response, checked and emitted as soon as they are complete; at the end, whether the list has more. If
 * the response is invalid, it fails after all valid items before the error.
 */
export const decode = <Item>(
  response: OpenResponse,
  check: (item: unknown) => Result.Result<Item, Schema.SchemaError>
): Channel.Channel<NonEmptyReadonlyArray<Item>, RequestError, boolean> =>
  Channel.transformPull(Stream.toChannel(response.bytes), (pull) => Effect.sync(() => decoding(response, check, pull)))

type Reading = Pull.Pull<NonEmptyReadonlyArray<Uint8Array>, RequestError>

const decoding = <Item>(
  response: OpenResponse,
  check: (item: unknown) => Result.Result<Item, Schema.SchemaError>,
  pull: Reading
) => {
  type Decoding = Pull.Pull<NonEmptyReadonlyArray<Item>, RequestError, boolean>
  const scanner = new FastScanner(maxBytes)
  const progress = watch(response)
  let count = 0
  /** Why the response is invalid, once its valid items were emitted. */
  let invalid: UnexpectedResponse | undefined

  const issueOf = (item: unknown): SchemaIssue.Issue | undefined => {
    const checked = check(item)
    return Result.isFailure(checked) ? checked.failure.issue : undefined
  }

  /** The error for a failure, in the bytes that were read last. */
  const failed = (failure: Failure, bytes?: Uint8Array): UnexpectedResponse => {
    const { contentEncoding, contentType, from } = response
    const isTextual = bytes === undefined ? undefined : isText(bytes)
    const { expectsItem } = scanner
    const context = { contentEncoding, contentType, count, expectsItem, isText: isTextual }
    return new UnexpectedResponse({ ...from, ...explain(failure, context) })
  }

  const wrongShape = (error: Schema.SchemaError): UnexpectedResponse =>
    UnexpectedResponse.wrongShape(response.from, error)

  /** Emits the items that some bytes completed, in one chunk. */
  const emit = (chunks: ReadonlyArray<Uint8Array>): Decoding => {
    let items: ReadonlyArray<unknown> = []
    for (const bytes of chunks) {
      const decision = decide(scanner.push(bytes), issueOf)
      const { failure: fault } = decision
      items = items.length === 0 ? decision.items : items.concat(decision.items)
      count += decision.items.length
      if (fault === undefined) continue
      invalid = typeof fault === "string"
        ? failed(fault, bytes)
        : wrongShape(new Schema.SchemaError(new SchemaIssue.Pointer(["data", count], fault.issue)))
      break
    }
    // A check returns the value that it was given, and all of these are valid.
    const valid = items as ReadonlyArray<Item>
    if (!Array.isReadonlyArrayNonEmpty(valid)) return Effect.andThen(progress.awaited, next)
    progress.made()
    return Effect.succeed(valid)
  }

  const end = (): Decoding => {
    const envelope = scanner.end()
    if (typeof envelope === "string") return Effect.fail(failed(envelope))
    return Result.match(checkEnvelope(envelope), {
      onFailure: (error) => Effect.fail(wrongShape(error)),
      onSuccess: ({ has_more }) => Cause.done(has_more)
    })
  }

  const next: Decoding = Effect.suspend((): Decoding =>
    invalid === undefined
      ? Pull.matchEffect(pull, { onSuccess: emit, onFailure: Effect.failCause, onDone: end })
      : Effect.fail(invalid)
  )
  return next
}
