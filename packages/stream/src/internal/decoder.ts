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
import { watch } from "./progress.ts"
import type { Failure } from "./scanner.ts"

/** The largest item that is accepted: an item is held in memory until its last byte has arrived. */
const maxBytes = 16 * 1024 * 1024

const noBytes = new Uint8Array(0)

/** Whether bytes may be the beginning of a text, which compressed bytes are not. */
const isText = (bytes: Uint8Array): boolean =>
  Either.isRight(Either.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })))

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
    const progress = watch(response)
    let count = 0

    const fail = (reason: UnexpectedResponse["reason"], description: string, field = ""): UnexpectedResponse =>
      new UnexpectedResponse({ ...response.from, reason, field, description })

    const notJson = (found: string): UnexpectedResponse => fail("NotJson", `expected JSON, found ${found}`)

    const notText = (found: string): UnexpectedResponse => UnexpectedResponse.notText(response.from, found)

    const unreadable = (): UnexpectedResponse => notText(`a damaged or unknown body, content-encoding ${encoding}`)

    /** The error for a failure, in the bytes that were read last. */
    const explain = (failure: Failure, bytes: Uint8Array): UnexpectedResponse => {
      switch (failure) {
        case "Empty":
          return notJson("an empty body")
        case "NotJson":
          return encoding === undefined || isText(bytes)
            ? notJson(response.contentType ?? "other content")
            : unreadable()
        case "Malformed":
          // What is malformed in the middle of a compressed body is damaged, and the items before it may be, too: they
          // arrive before the checksum does. So the walk must not continue after them.
          return encoding === undefined || bytes === noBytes
            ? notJson(`truncated or malformed text after ${count} items`)
            : unreadable()
        case "NotUtf8":
          return notText(`bytes that are not UTF-8 after ${count} items`)
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

    /** Counts valid items, up to the first one that is not: its error. */
    const countValid = (items: ReadonlyArray<unknown>): UnexpectedResponse | undefined => {
      for (const item of items) {
        const checked = check(item)
        if (Either.isLeft(checked)) {
          const pointer = new ParseResult.Pointer(["data", count], item, checked.left.issue)
          return wrongShape(ParseResult.parseError(pointer))
        }
        count++
      }
      return undefined
    }

    const end = (): Either.Either<boolean, UnexpectedResponse> =>
      Either.flatMap(
        Either.mapLeft(scanner.end(), (failure) => explain(failure, noBytes)),
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
    /** Emits the items that some bytes completed, in one chunk. */
    const emit = (chunks: Chunk.Chunk<Uint8Array>): Loop => {
      let items: ReadonlyArray<Item> = []
      let failure: UnexpectedResponse | undefined
      for (const bytes of Chunk.toReadonlyArray(chunks)) {
        const before = count
        const scanned = scanner.push(bytes)
        failure = countValid(scanned.items) ?? (scanned.failure && explain(scanned.failure, bytes))
        // A check returns the value that it was given. All of them are valid, unless there is a failure.
        const valid = (failure === undefined ? scanned.items : scanned.items.slice(0, count - before)) as ReadonlyArray<
          Item
        >
        items = items.length === 0 ? valid : items.concat(valid)
        if (failure !== undefined) break
      }
      const next = failure === undefined ? loop : Channel.fail(failure)
      if (items.length === 0) return Channel.zipRight(Channel.fromEffect(progress.awaited), next)
      progress.made()
      return Channel.zipRight(Channel.write(Chunk.unsafeFromArray(items)), next)
    }

    const loop: Loop = Channel.readWith({
      onInput: emit,
      onFailure: Channel.fail,
      onDone: (): Loop => Either.match(end(), { onLeft: Channel.fail, onRight: Channel.succeed })
    })
    return Channel.pipeTo(Stream.toChannel(response.bytes), loop)
  })
