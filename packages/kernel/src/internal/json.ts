import { decode } from "../Utf8.ts"
import { attempt } from "./attempt.ts"
import { closeArray, comma, concat, isSpace, openArray } from "./bytes.ts"
import { ValueEnd } from "./valueEnd.ts"

/** Bytes, in the chunks in which they arrived. */
export type Parts = ReadonlyArray<Uint8Array>

const beforeItems = /* #__PURE__ */ Uint8Array.of(openArray)
const afterItems = /* #__PURE__ */ Uint8Array.of(closeArray)

/** The bytes parsed as a JSON value; undefined if they are not one, or not UTF-8. */
export const parseValue = (parts: Parts): unknown => {
  const text = decode(parts)
  return text === undefined ? undefined : attempt((): unknown => JSON.parse(text))
}

export const isUtf8 = (parts: Parts): boolean => decode(parts) !== undefined

/** The JSON values in a comma-separated list; undefined if the bytes are not one. */
export const parseItems = (parts: Parts): ReadonlyArray<unknown> | undefined => {
  const items = parseValue([beforeItems, ...parts, afterItems])
  return Array.isArray(items) ? items : undefined
}

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
    if (item === undefined) return { items, fault: value }
    items.push(item)
    index += value.length
  }
  return { items, fault: bytes.subarray(index) }
}
