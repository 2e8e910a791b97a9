/** Reads a list from its bytes, as they arrive. Nothing is imported but what is beside it. */
import { concat, isSpace, openArray, sizeOf } from "./internal/bytes.ts"
import { isUtf8, parseItems, parseItemsBeforeFault, parseValue, type Parts } from "./internal/json.ts"
import { ValueEnd } from "./internal/valueEnd.ts"

// The states, as numbers: a bundle is smaller with them.
const Start = 0
const Mark2 = 1
const Mark3 = 2
const Begin = 3
const FirstKey = 4
const Key = 5
const Colon = 6
const Value = 7
const Data = 8
const FirstItem = 9
const Item = 10
const AfterItem = 11
const AfterValue = 12
const End = 13

const InKey = 14
const InValue = 15
const InItem = 16

/**
 * The result of a chunk of bytes. It is a class, because V8 starts to allocate object literals in the old generation if
 * there are many: they would retain the items until the next full collection.
 */
export class Scanned<out Fault = Failure> {
  /** The items that the chunk completed, as JSON values. */
  declare readonly items: ReadonlyArray<unknown>
  /** The failure after those items. */
  declare readonly failure: Fault | undefined

  constructor(items: ReadonlyArray<unknown>, failure: Fault | undefined) {
    this.items = items
    this.failure = failure
  }
}

/**
 * - `Empty`: the body is blank.
 * - `NotJson`: the body does not begin with a bracket.
 * - `NotObject`: the body is an array.
 * - `Malformed`: the body begins as an object, but is truncated or not JSON.
 * - `NotUtf8`: a key or a value is not UTF-8.
 * - `DuplicateData`: the key `data` appears twice.
 * - `TooLarge`: an item, or another key or value, is larger than the memory limit.
 */
export type Failure = "Empty" | "NotJson" | "NotObject" | "Malformed" | "NotUtf8" | "DuplicateData" | "TooLarge"

/** The known fields of the envelope; `data` is empty if it is an array, because its items were returned one by one. */
export interface Envelope {
  readonly object?: unknown
  readonly has_more?: unknown
  readonly data?: unknown
}

/** Between values: named after what is expected next. */
type Between =
  | typeof Start
  | typeof Mark2
  | typeof Mark3
  | typeof Begin
  | typeof FirstKey
  | typeof Key
  | typeof Colon
  | typeof Value
  | typeof Data
  | typeof FirstItem
  | typeof Item
  | typeof AfterItem
  | typeof AfterValue
  | typeof End

/** Within a key, a value of the envelope, or an item. */
type Within = typeof InKey | typeof InValue | typeof InItem

type State = Between | Within

/**
 * The bytes that may come between values, besides whitespace, and the state that each leads to. `value` stands for
 * every byte with which a JSON value can begin. A byte order mark, which has three bytes, may precede everything else.
 */
const grammar: { readonly [S in Between]: { readonly [byte: string]: State } } = {
  [Start]: { "\xef": Mark2, "{": FirstKey },
  [Mark2]: { "\xbb": Mark3 },
  [Mark3]: { "\xbf": Begin },
  [Begin]: { "{": FirstKey },
  [FirstKey]: { "\"": InKey, "}": End },
  [Key]: { "\"": InKey },
  [Colon]: { ":": Value },
  [Value]: { value: InValue },
  [Data]: { "[": FirstItem, value: InValue },
  [FirstItem]: { value: InItem, "]": AfterValue },
  [Item]: { value: InItem },
  [AfterItem]: { ",": Item, "]": AfterValue },
  [AfterValue]: { ",": Key, "}": End },
  [End]: {}
}

/** By state and byte. */
const transitions = /* #__PURE__ */ Object.values(grammar).map(
  (row): ReadonlyArray<State | undefined> =>
    Array.from({ length: 256 }, (_, byte) => {
      const character = String.fromCharCode(byte)
      return row[character] ?? ("\"{[-0123456789tfn".includes(character) ? row.value : undefined)
    })
)

/** Whether a byte order mark has begun. Whitespace cannot interrupt it. */
const isInMark = (state: State): boolean => state === Mark2 || state === Mark3

const isBeforeEnvelope = (state: State): boolean => state === Start || state === Begin || isInMark(state)

const isWithin = (state: State): state is Within => state === InItem || state === InValue || state === InKey

const faultOf = (parts: Parts): Failure => isUtf8(parts) ? "Malformed" : "NotUtf8"

/**
 * Reads a list from its bytes, however they are chunked, and returns the items of `data` as they become complete. It
 * only finds where values begin and end, and leaves the rest to `JSON.parse`. Only the value that is still incomplete
 * is held in memory.
 */
export class Scanner {
  readonly #maxBytes: number
  readonly #envelope: { object?: unknown; has_more?: unknown; data?: unknown } = {}
  readonly #valueEnd = new ValueEnd()
  #state: State = Start
  #key = ""
  #pending: Array<Uint8Array> = []

  /** Values that take more than `maxBytes`, and more than one chunk, are rejected. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Reads the next chunk. Must not be called again after a failure. */
  push(bytes: Uint8Array): Scanned {
    let index = 0
    // Where the current value begins in this chunk.
    let valueFrom = 0
    // The items that end in this chunk, from the first to the last: they are parsed together.
    let firstParts: Parts = []
    let itemsFrom = 0
    let itemsTo = -1
    let failure: Failure | undefined

    while (index < bytes.length && failure === undefined) {
      const state = this.#state
      if (isWithin(state)) {
        const end = this.#valueEnd.find(bytes, index)
        if (end === -1) break
        index = end
        if (state === InItem) {
          if (itemsTo === -1) {
            firstParts = this.#takePending()
            itemsFrom = valueFrom
          }
          itemsTo = end
          this.#state = AfterItem
        } else {
          failure = this.#complete(state, [...this.#takePending(), bytes.subarray(valueFrom, end)])
        }
      } else {
        const byte = bytes[index]!
        if (!isSpace(byte) || isInMark(state)) failure = this.#advance(state, byte)
        if (isWithin(this.#state)) {
          this.#valueEnd.start(byte)
          valueFrom = index
        } else {
          index++
        }
      }
    }

    let items: ReadonlyArray<unknown> = []
    if (itemsTo !== -1) {
      const parts = [...firstParts, bytes.subarray(itemsFrom, itemsTo)]
      const parsed = parseItems(parts)
      if (parsed === undefined) {
        const { fault, items } = parseItemsBeforeFault(parts)
        return new Scanned(items, faultOf([fault]))
      }
      items = parsed
    }
    return new Scanned(items, failure ?? this.#keep(bytes, valueFrom))
  }

  /** The fields beside the items, or why there are none. */
  end(): Envelope | Failure {
    return this.#state === End
      ? this.#envelope
      : isBeforeEnvelope(this.#state) && !isInMark(this.#state)
      ? "Empty"
      : "Malformed"
  }

  /** Whether the next bytes begin an item, or continue one. */
  get expectsItem(): boolean {
    const state = this.#state
    return state === InItem || state === Item || state === FirstItem
  }

  /** The beginning of the value that is still incomplete, as left by earlier chunks. */
  get pending(): Parts {
    return this.#pending
  }

  /** Continues after an item, although the bytes up to its end have not been pushed. */
  skipItems(): void {
    this.#takePending()
    this.#state = AfterItem
  }

  /** Takes a byte between values. */
  #advance(state: Between, byte: number): Failure | undefined {
    if (state === Data && "data" in this.#envelope) return "DuplicateData"
    const next = transitions[state]?.[byte]
    if (next === undefined) return !isBeforeEnvelope(state) ? "Malformed" : byte === openArray ? "NotObject" : "NotJson"
    if (next === FirstItem) this.#envelope.data = []
    this.#state = next === Value && this.#key === "data" ? Data : next
    return undefined
  }

  /** Takes a complete key or value of the envelope. */
  #complete(state: typeof InKey | typeof InValue, parts: Parts): Failure | undefined {
    const parsed = parseValue(parts)
    if (parsed === undefined) return faultOf(parts)
    const key = this.#key
    if (state === InKey) this.#key = String(parsed)
    else if (key === "object" || key === "has_more" || key === "data") this.#envelope[key] = parsed
    this.#state = state === InKey ? Colon : AfterValue
    return undefined
  }

  /** Keeps the value that does not end in these bytes, if there is one. */
  #keep(bytes: Uint8Array, from: number): Failure | undefined {
    if (!isWithin(this.#state)) return undefined
    // Merged with earlier parts that are no larger: one that comes byte by byte would take a hundred times its size.
    const parts = [bytes.subarray(from)]
    for (let last; (last = this.#pending.at(-1)) !== undefined && last.length <= sizeOf(parts); this.#pending.pop()) {
      parts.unshift(last)
    }
    // A copy, so that the rest of the chunk can be freed.
    this.#pending.push(concat(parts))
    return sizeOf(this.#pending) > this.#maxBytes ? "TooLarge" : undefined
  }

  #takePending(): Parts {
    const pending = this.#pending
    this.#pending = []
    return pending
  }
}
