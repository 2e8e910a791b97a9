/**
 * Splits the bytes of a file into records, however they are cut into chunks: the lines of NDJSON, or the records of CSV as
 * in RFC 4180, where a quoted cell may hold line breaks. Of a record, at most `limit` bytes are kept.
 */
import * as Cells from "./Cells.ts"

/** The largest record, in bytes. No contact is as large. */
export const limit: number = 1024 * 1024

export interface Record {
  /** The number of its first line. */
  readonly line: number
  /** Its bytes with the line break: the first ones, if it is too long. */
  readonly raw: Uint8Array
  /** The number of its bytes in the file. */
  readonly size: number
  /** Whether a quoted cell does not end within the limit, so that the rest of the file cannot be understood. */
  readonly isUnclosed: boolean
}

export interface Splitter {
  /** The records that end within a chunk. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<Record>
  /** What is left at the end of the file. */
  readonly end: () => ReadonlyArray<Record>
}

const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22
const mark = [0xef, 0xbb, 0xbf]

/** Where in a record of CSV the next byte is. */
type State = "CellStart" | "Unquoted" | "Quoted" | "AfterQuote"

/** Collects the bytes of a record. */
export const collector = (limit: number) => {
  let parts: Array<Uint8Array> = []
  let kept = 0
  let line = 1
  let size = 0
  return {
    size: () => size,
    add: (part: Uint8Array) => {
      const room = part.subarray(0, limit - kept)
      if (room.length > 0) parts.push(room)
      kept += room.length
      size += part.length
    },
    take: (lines: number, isUnclosed: boolean): Record => {
      const record = { line, raw: parts.length === 1 ? parts[0]! : Buffer.concat(parts), size, isUnclosed }
      line += lines
      parts = []
      kept = size = 0
      return record
    }
  }
}

/** The text of a record without its line break; undefined if it is not UTF-8. */
export const textOf = ({ raw }: Pick<Record, "raw">): string | undefined => {
  try {
    return strict.decode(raw).replace(/\r?\n$|\r$/, "")
  } catch {
    return undefined
  }
}

const strict = new TextDecoder("utf-8", { fatal: true })

/** The lines of a file. */
export const lines = (max: number = limit): Splitter => {
  const record = collector(max)
  return {
    push: (chunk) => {
      const found: Array<Record> = []
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        record.add(chunk.subarray(start, end + 1))
        start = end + 1
        found.push(record.take(1, false))
      }
      record.add(chunk.subarray(start))
      return found
    },
    end: () => record.size() === 0 ? [] : [record.take(1, false)]
  }
}

/** The state after a byte within a record of CSV. */
const after = (state: State, byte: number, isSeparator: (byte: number) => boolean): State => {
  if (state === "Quoted") return byte === quote ? "AfterQuote" : state
  if (isSeparator(byte)) return "CellStart"
  if (byte === quote && state !== "Unquoted") return "Quoted"
  return byte === space && state === "CellStart" ? state : "Unquoted"
}

/** The records of CSV. Without a separator, the header decides. */
export const csv = (given?: Cells.Separator, max: number = limit): Splitter => {
  const record = collector(max)
  const isOneOf = (known: ReadonlyArray<string>) => {
    const bytes = new Set(known.map((separator) => separator.charCodeAt(0)))
    return (byte: number) => bytes.has(byte)
  }
  let isSeparator = isOneOf(given === undefined ? Cells.separators : [given])
  let isKnown = given !== undefined
  let state: State = "CellStart"
  let total = 0
  let lines = 1
  let isReturned = false
  let isBroken = false

  const take = (isUnclosed: boolean): Record => {
    const taken = record.take(lines, isUnclosed)
    const text = isKnown ? "" : textOf(taken)?.trim() ?? ""
    if (text !== "") {
      isSeparator = isOneOf([Cells.separatorOf(text)])
      isKnown = true
    }
    state = "CellStart"
    lines = 1
    isReturned = false
    return taken
  }

  const push = (chunk: Uint8Array): ReadonlyArray<Record> => {
    const found: Array<Record> = []
    let start = 0
    const finish = (end: number, isUnclosed = false) => {
      record.add(chunk.subarray(start, end))
      start = end
      found.push(take(isUnclosed))
    }
    for (let index = 0; index < chunk.length && !isBroken; index++) {
      const byte = chunk[index]!
      if (isReturned) {
        const isPair = byte === newline
        finish(isPair ? index + 1 : index)
        if (isPair) continue
      }
      // A mark at the beginning of the file says that it is UTF-8.
      if (total + index < mark.length && byte === mark[total + index]) continue
      if (state === "Quoted") {
        if (byte === newline) lines++
        if (record.size() + index - start >= max) {
          isBroken = true
          finish(index + 1, true)
        }
      } else if (byte === newline) {
        finish(index + 1)
        continue
      } else if (byte === carriageReturn) {
        isReturned = true
        continue
      }
      state = after(state, byte, isSeparator)
    }
    if (!isBroken) record.add(chunk.subarray(start))
    total += chunk.length
    return found
  }
  return { push, end: () => record.size() === 0 || isBroken ? [] : [take(false)] }
}
