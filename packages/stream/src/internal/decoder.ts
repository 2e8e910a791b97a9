import { type RequestError, UnexpectedResponse } from "@mailstream/core"
import * as Page from "@mailstream/core/Page"
import * as Wire from "@mailstream/core/Wire"
import type { OpenAnswer } from "@mailstream/http/ApiClient"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Scanner from "./scanner.ts"

/** An item that is larger than this is refused: it would have to be kept in memory until its end. */
const maxBytes = 16 * 1024 * 1024

const checkEnvelope = Wire.check(Page.schema(Schema.Unknown))

/**
 * The items of an answer, each checked, as soon as they are whole; at the end, whether there are more. What is wrong
 * with the answer is said after the items before it.
 */
export const decode = <Item extends Encoded, Encoded>(
  answer: OpenAnswer,
  item: Schema.Schema<Item, Encoded>
): Channel.Channel<Chunk.Chunk<Item>, unknown, RequestError, unknown, boolean> =>
  Channel.suspend(() => {
    const check = Wire.check(item)
    const scanner = Scanner.make(maxBytes)
    let index = 0
    let size = 0

    const fail = (reason: UnexpectedResponse["reason"], field: string, description: string): UnexpectedResponse =>
      new UnexpectedResponse({ ...answer.from, reason, field, description })

    const explain = (failure: Scanner.Failure): UnexpectedResponse => {
      switch (failure) {
        case "Foreign":
          return fail(
            "NotJson",
            "",
            `expected JSON, found ${size === 0 ? "an empty body" : answer.contentType ?? "other content"}`
          )
        case "NoObject":
          return fail("WrongShape", "", "expected list, found array")
        case "Malformed":
          return fail("NotJson", "", `expected JSON, found text that is cut off or malformed, after ${index} items`)
        case "Repeated":
          return fail("WrongShape", "data", "is there twice")
        case "TooLarge":
          return fail("TooLarge", `data[${index}]`, `is larger than ${maxBytes} bytes`)
      }
    }

    const wrongItem = (value: unknown, { issue }: ParseResult.ParseError): UnexpectedResponse =>
      UnexpectedResponse.wrongShape(
        answer.from,
        ParseResult.parseError(new ParseResult.Pointer(["data", index], value, issue))
      )

    const read = (bytes: Uint8Array, into: Array<Item>): UnexpectedResponse | undefined => {
      size += bytes.length
      const { failure, items } = scanner.push(bytes)
      for (const value of items) {
        const checked = check(value)
        if (Either.isLeft(checked)) return wrongItem(value, checked.left)
        into.push(checked.right)
        index++
      }
      return failure === undefined ? undefined : explain(failure)
    }

    const end = (): Either.Either<boolean, UnexpectedResponse> =>
      Either.flatMap(
        Either.mapLeft(scanner.end(), explain),
        (envelope) =>
          Either.mapBoth(checkEnvelope(envelope), {
            onLeft: (error) => UnexpectedResponse.wrongShape(answer.from, error),
            onRight: ({ has_more }) => has_more
          })
      )

    type Loop = Channel.Channel<
      Chunk.Chunk<Item>,
      Chunk.Chunk<Uint8Array>,
      RequestError,
      RequestError,
      boolean,
      unknown
    >
    const loop: Loop = Channel.readWith({
      onInput: (chunk: Chunk.Chunk<Uint8Array>): Loop => {
        const items: Array<Item> = []
        let failure: UnexpectedResponse | undefined
        for (const bytes of chunk) {
          failure = read(bytes, items)
          if (failure !== undefined) break
        }
        const then = failure === undefined ? loop : Channel.fail(failure)
        return items.length === 0
          ? then
          : Channel.flatMap(Channel.write(Chunk.unsafeFromArray(items)), () => then)
      },
      onFailure: (error: RequestError): Loop => Channel.fail(error),
      onDone: (): Loop => Either.match(end(), { onLeft: Channel.fail, onRight: Channel.succeed })
    })
    return Channel.pipeTo(Stream.toChannel(answer.bytes), loop)
  })
