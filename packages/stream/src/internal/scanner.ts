import * as Either from "effect/Either"

/**
 * Reads the envelope of a list from its bytes, in whatever pieces they come, and gives the items of `data` as soon as
 * they are whole.
 *
 * Bytes are looked at once, to know where values begin and end: only brackets, quotes, backslashes and separators
 * matter for that, and in UTF-8 none of their bytes is ever a part of another character. What lies between is left to
 * `JSON.parse`, for all items that a piece completes at once. Nothing is kept but the value that is not yet whole.
 *
 * Most bytes need not even be looked at. What looks like the last end of an item in a piece is one if all up to it is
 * JSON: were it in the middle of a text or of another value, that would be cut off. Where the guess is wrong, the bytes
 * are looked at one by one, from then on.
 */
export interface Scanner {
  /** Takes the next bytes. After a failure there must be no further call. */
  readonly push: (bytes: Uint8Array) => Scanned
  /** Says that no more bytes come. */
  readonly end: () => Either.Either<Envelope, Failure>
}

export interface Scanned {
  /** The items that these bytes made whole, as JSON values. */
  readonly items: ReadonlyArray<unknown>
  /** What is wrong with the bytes after those items. */
  readonly failure: Failure | undefined
}

/**
 * - `Foreign`: it does not even begin as JSON.
 * - `NoObject`: it begins as JSON, but not as an object.
 * - `Malformed`: it began as an object, but went on as something that is no JSON, or was cut off.
 * - `Repeated`: the key `data` comes twice.
 * - `TooLarge`: one value is larger than anything that is kept.
 */
export type Failure = "Foreign" | "NoObject" | "Malformed" | "Repeated" | "TooLarge"

/** The fields of the envelope; the items of `data` have been given before. */
export interface Envelope {
  readonly object?: unknown
  readonly has_more?: unknown
  readonly data?: unknown
}

type Next =
  | "Start"
  | "KeyOrEnd"
  | "Key"
  | "Colon"
  | "Value"
  | "CommaOrEnd"
  | "ItemOrEnd"
  | "Item"
  | "ItemCommaOrEnd"
  | "Nothing"

/** What a value is that has begun and not ended. */
type Kind = "Nested" | "Text" | "Scalar"

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** One of the three bytes that some programs put in front of UTF-8. */
const isByteOrderMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf

/** Opening brackets are 1, closing ones -1. */
const nesting = new Int8Array(256)
nesting[openArray] = nesting[openObject] = 1
nesting[closeArray] = nesting[closeObject] = -1

/** The bytes with which a value can begin are 1. */
const beginnings = new Uint8Array(256)
for (const character of "\"{[-0123456789tfn") beginnings[character.charCodeAt(0)] = 1

const parse = (text: string): Either.Either<unknown, unknown> => Either.try((): unknown => JSON.parse(text))

export const make = (maxBytes: number): Scanner => {
  const decoder = new TextDecoder()
  const envelope: { object?: unknown; has_more?: unknown; data?: unknown } = {}
  let next: Next = "Start"
  let key = ""
  let itemsBegun = false

  // The value that has begun, where one has, and what earlier bytes hold of it.
  let kind: Kind | undefined
  let depth = 0
  let inText = false
  let escaped = false
  let kept: Array<Uint8Array> = []
  let keptBytes = 0

  /** Begins a value: the index from which its end is looked for. */
  const begin = (byte: number, index: number): number => {
    inText = byte === quote
    escaped = false
    depth = nesting[byte] === 1 ? 1 : 0
    kind = inText ? "Text" : depth === 1 ? "Nested" : "Scalar"
    return kind === "Scalar" ? index : index + 1
  }

  /** The index after the value that has begun, or -1 where it does not end in these bytes. */
  const skip = (bytes: Uint8Array, from: number): number => {
    const length = bytes.length
    let index = from
    while (index < length) {
      if (inText) {
        if (escaped) {
          escaped = false
          index++
          continue
        }
        let byte = bytes[index]
        while (byte !== quote && byte !== backslash && ++index < length) byte = bytes[index]
        if (index === length) return -1
        index++
        if (byte === backslash) escaped = true
        else {
          inText = false
          if (kind === "Text") return index
        }
      } else if (kind === "Nested") {
        const byte = bytes[index++]!
        if (byte === quote) inText = true
        else {
          depth += nesting[byte]!
          if (depth === 0) return index
        }
      } else {
        const byte = bytes[index]!
        if (byte === comma || nesting[byte] === -1 || isSpace(byte)) return index
        index++
      }
    }
    return -1
  }

  /**
   * Where an object seems to end and the next one to begin, for the last time in these bytes: the index after the end,
   * or -1.
   */
  const guessEnd = (bytes: Uint8Array): number => {
    for (let index = bytes.length - 1; index > 0; index--) {
      if (bytes[index] !== openObject) continue
      let before = index - 1
      while (before > 0 && isSpace(bytes[before]!)) before--
      if (bytes[before] !== comma) continue
      before--
      while (before > 0 && isSpace(bytes[before]!)) before--
      if (bytes[before] === closeObject) return before + 1
    }
    return -1
  }

  /** The items up to a guessed end, behind what was kept; `undefined` where the guess is wrong. */
  const parseUpTo = (bytes: Uint8Array, end: number): ReadonlyArray<unknown> | undefined => {
    const all = new Uint8Array(keptBytes + end + 2)
    all[0] = openArray
    let offset = 1
    for (const part of kept) {
      all.set(part, offset)
      offset += part.length
    }
    all.set(bytes.subarray(0, end), offset)
    all[all.length - 1] = closeArray
    const parsed = parse(decoder.decode(all))
    return Either.isRight(parsed) && Array.isArray(parsed.right) ? parsed.right : undefined
  }

  /** The given bytes, behind those that were kept. */
  const take = (bytes: Uint8Array): Uint8Array => {
    if (keptBytes === 0) return bytes
    const all = new Uint8Array(keptBytes + bytes.length)
    let offset = 0
    for (const part of kept) {
      all.set(part, offset)
      offset += part.length
    }
    all.set(bytes, offset)
    kept = []
    keptBytes = 0
    return all
  }

  const keep = (bytes: Uint8Array): Failure | undefined => {
    // A copy, so that it does not hold on to more than itself; `slice` would be none for a Buffer.
    kept.push(new Uint8Array(bytes))
    keptBytes += bytes.length
    return keptBytes > maxBytes ? "TooLarge" : undefined
  }

  /** What a byte means that is not within a value. */
  const advance = (byte: number): Failure | "Begins" | undefined => {
    switch (next) {
      case "Start":
        next = "KeyOrEnd"
        return byte === openObject ? undefined : byte === openArray ? "NoObject" : "Foreign"
      case "KeyOrEnd":
      case "Key":
        if (byte === closeObject && next === "KeyOrEnd") {
          next = "Nothing"
          return undefined
        }
        next = "Key"
        return byte === quote ? "Begins" : "Malformed"
      case "Colon":
        next = "Value"
        return byte === colon ? undefined : "Malformed"
      case "Value":
        if (key === "data" && (itemsBegun || "data" in envelope)) return "Repeated"
        if (key !== "data" || byte !== openArray) return beginnings[byte] === 1 ? "Begins" : "Malformed"
        itemsBegun = true
        next = "ItemOrEnd"
        return undefined
      case "CommaOrEnd":
        next = byte === comma ? "Key" : "Nothing"
        return byte === comma || byte === closeObject ? undefined : "Malformed"
      case "ItemOrEnd":
      case "Item":
        if (byte === closeArray && next === "ItemOrEnd") {
          envelope.data = []
          next = "CommaOrEnd"
          return undefined
        }
        next = "Item"
        return beginnings[byte] === 1 ? "Begins" : "Malformed"
      case "ItemCommaOrEnd":
        if (byte === closeArray) envelope.data = []
        next = byte === comma ? "Item" : "CommaOrEnd"
        return byte === comma || byte === closeArray ? undefined : "Malformed"
      case "Nothing":
        return "Malformed"
    }
  }

  /** Takes a key or a value of the envelope that is whole. */
  const complete = (bytes: Uint8Array): Failure | undefined => {
    const parsed = parse(decoder.decode(bytes))
    if (Either.isLeft(parsed)) return "Malformed"
    if (next === "Key") {
      key = String(parsed.right)
      next = "Colon"
      return undefined
    }
    if (key === "object" || key === "has_more" || key === "data") envelope[key] = parsed.right
    next = "CommaOrEnd"
    return undefined
  }

  /** Items that are whole, with the commas between them. */
  const parseItems = (bytes: Uint8Array): Scanned => {
    const parsed = parse(`[${decoder.decode(bytes)}]`)
    return Either.isRight(parsed) && Array.isArray(parsed.right)
      ? { items: parsed.right, failure: undefined }
      : { items: upToFault(bytes), failure: "Malformed" }
  }

  /** The items before the first one that is no JSON. Nothing comes after it, so what has begun may be forgotten. */
  const upToFault = (bytes: Uint8Array): ReadonlyArray<unknown> => {
    const items: Array<unknown> = []
    let index = 0
    while (index < bytes.length) {
      const byte = bytes[index]!
      if (byte === comma || isSpace(byte)) {
        index++
        continue
      }
      const end = skip(bytes, begin(byte, index))
      const parsed = parse(decoder.decode(bytes.subarray(index, end === -1 ? bytes.length : end)))
      if (end === -1 || Either.isLeft(parsed)) return items
      items.push(parsed.right)
      index = end
    }
    return items
  }

  let guessing = true

  const push = (bytes: Uint8Array): Scanned => {
    const isWithinItems = kind === undefined ? next === "Item" || next === "ItemOrEnd" : next === "Item"
    if (!guessing || !isWithinItems) return look(bytes)
    const end = guessEnd(bytes)
    if (end === -1) return look(bytes)
    const items = parseUpTo(bytes, end)
    if (items === undefined) {
      guessing = false
      return look(bytes)
    }
    kind = undefined
    next = "ItemCommaOrEnd"
    kept = []
    keptBytes = 0
    const rest = look(bytes.subarray(end))
    return rest.items.length === 0 ? { ...rest, items } : { ...rest, items: [...items, ...rest.items] }
  }

  /** Looks at the bytes one by one. */
  const look = (bytes: Uint8Array): Scanned => {
    let index = 0
    // Where the value begins that has not ended; with what was kept, where it began before these bytes.
    let valueFrom = 0
    // The items that have ended in these bytes.
    let itemsFrom = 0
    let itemsTo = -1
    let scanned = nothing
    let failure: Failure | undefined

    const parseEnded = (): void => {
      if (itemsTo === -1) return
      scanned = parseItems(take(bytes.subarray(itemsFrom, itemsTo)))
      itemsTo = -1
    }

    while (index < bytes.length && failure === undefined) {
      if (kind === undefined) {
        const byte = bytes[index]!
        if (isSpace(byte) || (next === "Start" && isByteOrderMark(byte))) {
          index++
          continue
        }
        const step = advance(byte)
        if (step === "Begins") {
          valueFrom = index
          index = begin(byte, index)
        } else {
          failure = step
          index++
        }
        continue
      }
      const end = skip(bytes, index)
      if (end === -1) break
      kind = undefined
      index = end
      if (next === "Item") {
        if (itemsTo === -1) itemsFrom = valueFrom
        itemsTo = end
        next = "ItemCommaOrEnd"
      } else {
        // What was kept may belong to the items.
        parseEnded()
        failure = complete(take(bytes.subarray(valueFrom, end)))
      }
    }

    const open = kind === undefined ? undefined : bytes.subarray(valueFrom)
    parseEnded()
    if (scanned.failure !== undefined) return scanned
    return { items: scanned.items, failure: failure ?? (open === undefined ? undefined : keep(open)) }
  }

  return {
    push,
    end: () => next === "Nothing" ? Either.right(envelope) : Either.left(next === "Start" ? "Foreign" : "Malformed")
  }
}

const nothing: Scanned = { items: [], failure: undefined }
