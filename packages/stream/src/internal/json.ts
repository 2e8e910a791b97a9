import { decode, isCutShort } from "@mailstream/kernel/Utf8"
import * as Option from "effect/Option"
import { closeArray, comma, concat, isSpace, openArray } from "./bytes.ts"
import { ValueEnd } from "./valueEnd.ts"

/** Bytes, in the chunks in which they arrived. */
export type Parts = ReadonlyArray<Uint8Array>

const beforeItems = /* #__PURE__ */ Uint8Array.of(openArray)
const afterItems = /* #__PURE__ */ Uint8Array.of(closeArray)

/** The bytes parsed as a JSON value; none if they are not one, or not UTF-8. */
export const parseValue = (parts: Parts): Option.Option<unknown> =>
  Option.flatMap(Option.fromNullable(decode(parts)), parseText)

const parseText = /* #__PURE__ */ Option.liftThrowable((text: string): unknown => JSON.parse(text))

export const isUtf8 = (parts: Parts): boolean => decode(parts) !== undefined

/** Whether bytes may be the beginning of a text, which compressed bytes are not. */
export const isText = (bytes: Uint8Array): boolean => isCutShort([bytes])

/** The JSON values in a comma-separated list; none if the bytes are not one. */
export const parseItems = (parts: Parts): Option.Option<ReadonlyArray<unknown>> =>
  Option.filter(parseValue([beforeItems, ...parts, afterItems]), Array.isArray)

/** The JSON values in a comma-separated list that come before the first one that is not JSON, and that one. */
export const parseItemsBeforeFault = (
  parts: Parts
): { readonly items: ReadonlyArray<unknown>; readonly fault: Uint8Array } => {
  const bytes = concat(parts)
  const valueEnd = new ValueEnd()
  const items: Array<unknown> = []
  let index = 0
  while (index < bytes.length) {
    const byte = bytes[index]!
    if (byte === comma || isSpace(byte)) {
      index++
      continue
    }
    valueEnd.start(byte)
    const end = valueEnd.find(bytes, index)
    const value = bytes.subarray(index, end === -1 ? bytes.length : end)
    const item = parseValue([value])
    if (Option.isNone(item)) return { items, fault: value }
    items.push(item.value)
    index += value.length
  }
  return { items, fault: bytes.subarray(index) }
}
