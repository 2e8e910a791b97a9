import * as Option from "effect/Option"
import { closeArray, comma, concat, isSpace, openArray } from "./bytes.ts"
import { ValueEnd } from "./valueEnd.ts"

/** Bytes, in the chunks in which they arrived. */
export type Parts = ReadonlyArray<ArrayLike<number>>

const decoder = /* #__PURE__ */ new TextDecoder("utf-8", { fatal: true })

/** The bytes parsed as a JSON value; none if they are not one, or not UTF-8. */
export const parseValue = /* #__PURE__ */ Option.liftThrowable((parts: Parts): unknown =>
  JSON.parse(decoder.decode(concat(parts)))
)

const decode = /* #__PURE__ */ Option.liftThrowable((parts: Parts): string => decoder.decode(concat(parts)))

/** Whether the bytes are UTF-8. */
export const isUtf8 = (parts: Parts): boolean => Option.isSome(decode(parts))

/** The JSON values in a comma-separated list; none if the bytes are not one. */
export const parseItems = (parts: Parts): Option.Option<ReadonlyArray<unknown>> =>
  Option.filter(parseValue([[openArray], ...parts, [closeArray]]), Array.isArray)

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
    const item = end === -1 ? Option.none() : parseValue([value])
    if (Option.isNone(item)) return { items, fault: value }
    items.push(item.value)
    index = end
  }
  return { items, fault: bytes.subarray(index) }
}
