import { type RequestError, UnexpectedResponse } from "@mailstream/core"
import * as Page from "@mailstream/core/Page"
import * as Wire from "@mailstream/core/Wire"
import type { OpenResponse } from "@mailstream/http/ApiClient"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { FastScanner } from "./fastScanner.ts"
import type { Failure } from "./scanner.ts"

/** The largest item that is accepted: an item is held in memory until its last byte has arrived. */
const maxBytes = 16 * 1024 * 1024

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
    const { contentEncoding: encoding } = response
    let count = 0

    const fail = (reason: UnexpectedResponse["reason"], description: string, field = ""): UnexpectedResponse =>
      new UnexpectedResponse({ ...response.from, reason, field, description })

    const notJson = (found: string): UnexpectedResponse => fail("NotJson", `expected JSON, found ${found}`)

    const explain = (failure: Failure): UnexpectedResponse => {
      switch (failure) {
        case "Empty":
          return notJson("an empty body")
        case "NotJson":
          return encoding === undefined
            ? notJson(response.contentType ?? "other content")
            : UnexpectedResponse.notText(response.from, `a body with content-encoding ${encoding}`)
        case "Malformed":
          return notJson(`truncated or malformed text after ${count} items`)
        case "NotUtf8":
          return UnexpectedResponse.notText(response.from, `bytes that are not UTF-8 after ${count} items`)
        case "NotObject":
          return fail("WrongShape", "expected list, found array")
        case "DuplicateData":
          return fail("WrongShape", "appears twice", "data")
        case "TooLarge":
          return fail("TooLarge", `a value exceeds ${maxBytes} bytes`, scanner.expectsItem ? `data[${count}]` : "")
      }
    }

    const wrongShape = (error: ParseResult.ParseError): UnexpectedResponse =>
      UnexpectedResponse.wrongShape(response.from, error)

    /** The valid items that a chunk of bytes completed, and the error in the bytes after them, if any. */
    const push = (bytes: Uint8Array): readonly [ReadonlyArray<Item>, UnexpectedResponse | undefined] => {
      const { failure, items } = scanner.push(bytes)
      for (let index = 0; index < items.length; index++, count++) {
        const checked = check(items[index])
        if (Either.isLeft(checked)) {
          const pointer = new ParseResult.Pointer(["data", count], items[index], checked.left.issue)
          return [items.slice(0, index) as ReadonlyArray<Item>, wrongShape(ParseResult.parseError(pointer))]
        }
      }
      // A check returns the value that it was given, so no second array is needed.
      return [items as ReadonlyArray<Item>, failure && explain(failure)]
    }

    const end = (): Either.Either<boolean, UnexpectedResponse> =>
      Either.flatMap(
        Either.mapLeft(scanner.end(), explain),
        (envelope) =>
          Either.mapBoth(checkEnvelope(envelope), { onLeft: wrongShape, onRight: ({ has_more }) => has_more })
      )

    type Loop = Channel.Channel<
      Chunk.Chunk<Item>,
      Chunk.Chunk<Uint8Array>,
      RequestError,
      RequestError,
      boolean,
      unknown
    >
    const pushFrom = (chunks: ReadonlyArray<Uint8Array>, from: number): Loop => {
      for (let index = from; index < chunks.length; index++) {
        const [items, failure] = push(chunks[index]!)
        const rest = () => failure === undefined ? pushFrom(chunks, index + 1) : Channel.fail(failure)
        if (items.length > 0) return Channel.flatMap(Channel.write(Chunk.unsafeFromArray(items)), rest)
        if (failure !== undefined) return Channel.fail(failure)
      }
      return loop
    }

    const loop: Loop = Channel.readWith({
      onInput: (chunks: Chunk.Chunk<Uint8Array>): Loop => pushFrom(Chunk.toReadonlyArray(chunks), 0),
      onFailure: Channel.fail,
      onDone: (): Loop => Either.match(end(), { onLeft: Channel.fail, onRight: Channel.succeed })
    })
    return Channel.pipeTo(Stream.toChannel(response.bytes), loop)
  })
