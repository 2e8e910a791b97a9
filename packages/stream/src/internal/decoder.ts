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
import * as Scanner from "./scanner.ts"

/** An item that is larger than this is refused: it would have to be kept in memory until its end. */
const maxBytes = 16 * 1024 * 1024

const checkEnvelope = Wire.check(Page.schema(Schema.Unknown))

/**
 * The items of an answer, each checked, as soon as they are whole; at the end, whether there are more. What is wrong
 * with the answer is said after the items before it.
 */
export const decode = <Item extends Encoded, Encoded>(
  answer: OpenResponse,
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

    /** The items that some bytes made whole, and what is wrong after them. */
    const read = (bytes: Uint8Array): readonly [ReadonlyArray<Item>, UnexpectedResponse | undefined] => {
      size += bytes.length
      const { failure, items } = scanner.push(bytes)
      for (let at = 0; at < items.length; at++, index++) {
        const checked = check(items[at])
        if (Either.isLeft(checked)) {
          return [items.slice(0, at) as ReadonlyArray<Item>, wrongItem(items[at], checked.left)]
        }
      }
      // They are all checked, and a check gives what it was given: a copy would only live as long as they do.
      return [items as ReadonlyArray<Item>, failure === undefined ? undefined : explain(failure)]
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
    const readAll = (pieces: ReadonlyArray<Uint8Array>, from: number): Loop => {
      for (let at = from; at < pieces.length; at++) {
        const [items, failure] = read(pieces[at]!)
        const then = () => failure === undefined ? readAll(pieces, at + 1) : Channel.fail(failure)
        if (items.length > 0) return Channel.flatMap(Channel.write(Chunk.unsafeFromArray(items)), then)
        if (failure !== undefined) return Channel.fail(failure)
      }
      return loop
    }

    const loop: Loop = Channel.readWith({
      onInput: (chunk: Chunk.Chunk<Uint8Array>): Loop => readAll(Chunk.toReadonlyArray(chunk), 0),
      onFailure: (error: RequestError): Loop => Channel.fail(error),
      onDone: (): Loop => Either.match(end(), { onLeft: Channel.fail, onRight: Channel.succeed })
    })
    return Channel.pipeTo(Stream.toChannel(answer.bytes), loop)
  })
