import { type RequestError, UnexpectedResponse } from "@mailstream/core"
import * as Page from "@mailstream/core/Page"
import * as Wire from "@mailstream/core/Wire"
import type { OpenResponse } from "@mailstream/http/ApiClient"
import { decide, explain, isText, maxBytes } from "@mailstream/kernel/BodyRules"
import { FastScanner } from "@mailstream/kernel/FastScanner"
import type { Failure } from "@mailstream/kernel/Scanner"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { watch } from "./progress.ts"

const checkEnvelope = Wire.check(Page.schema(Schema.Unknown))

/**
 * The items of a response, checked and emitted as soon as they are complete; at the end, whether the list has more. If
 * the response is invalid, it fails after all valid items before the error.
 */
export const decode = <Item>(
  response: OpenResponse,
  check: (item: unknown) => Either.Either<Item, ParseResult.ParseError>
): Channel.Channel<Chunk.Chunk<Item>, unknown, RequestError, unknown, boolean> =>
  Channel.suspend(() => {
    const scanner = new FastScanner(maxBytes)
    const progress = watch(response)
    let count = 0

    const issueOf = (item: unknown): ParseResult.ParseIssue | undefined => {
      const checked = check(item)
      return Either.isLeft(checked) ? checked.left.issue : undefined
    }

    /** The error for a failure, in the bytes that were read last. */
    const failed = (failure: Failure, bytes?: Uint8Array): UnexpectedResponse => {
      const { contentEncoding, contentType, from } = response
      const isTextual = bytes === undefined ? undefined : isText(bytes)
      const { expectsItem } = scanner
      const context = { contentEncoding, contentType, count, expectsItem, isText: isTextual }
      return new UnexpectedResponse({ ...from, ...explain(failure, context) })
    }

    const wrongShape = (error: ParseResult.ParseError): UnexpectedResponse =>
      UnexpectedResponse.wrongShape(response.from, error)

    type Loop = Channel.Channel<
      Chunk.Chunk<Item>,
      Chunk.Chunk<Uint8Array>,
      RequestError,
      RequestError,
      boolean,
      unknown
    >
    /** Emits the items that some bytes completed, in one chunk. */
    const emit = (chunks: Chunk.Chunk<Uint8Array>): Loop => {
      let items: ReadonlyArray<unknown> = []
      let next = loop
      for (const bytes of Chunk.toReadonlyArray(chunks)) {
        const decision = decide(scanner.push(bytes), issueOf)
        const { failure: fault } = decision
        items = items.length === 0 ? decision.items : items.concat(decision.items)
        count += decision.items.length
        if (fault === undefined) continue
        next = Channel.fail(
          typeof fault === "string"
            ? failed(fault, bytes)
            : wrongShape(ParseResult.parseError(new ParseResult.Pointer(["data", count], fault.item, fault.issue)))
        )
        break
      }
      if (items.length === 0) return Channel.zipRight(Channel.fromEffect(progress.awaited), next)
      progress.made()
      // A check returns the value that it was given, and all of these are valid.
      return Channel.zipRight(Channel.write(Chunk.unsafeFromArray(items as ReadonlyArray<Item>)), next)
    }

    const end = (): Either.Either<boolean, UnexpectedResponse> => {
      const envelope = scanner.end()
      return typeof envelope === "string"
        ? Either.left(failed(envelope))
        : Either.mapBoth(checkEnvelope(envelope), { onLeft: wrongShape, onRight: ({ has_more }) => has_more })
    }

    const loop: Loop = Channel.readWith({
      onInput: emit,
      onFailure: Channel.fail,
      onDone: (): Loop => Either.match(end(), { onLeft: Channel.fail, onRight: Channel.succeed })
    })
    return Channel.pipeTo(Stream.toChannel(response.bytes), loop)
  })
