/** Splits the bytes of a JSON array into its elements, however they are cut into chunks. */
import * as Records from "../import/Records.ts"

const [newline, quote, backslash, comma] = [0x0a, 0x22, 0x5c, 0x2c]
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b])
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d])

export interface Elements extends Records.Splitter {
  /** Whether a record is what follows the array. */
  readonly isRest: (record: Records.Record) => boolean
}

/**
 * A record is an element with what is around it: the bracket before the first one, and the comma or the bracket after it. The
 * last record is what follows the array; if the array does not end, it `isUnclosed`.
 */
export const make = (max: number = Records.limit): Elements => {
  const record = Records.collector(max)
  const rest = new WeakSet<Records.Record>()
  let depth = 0
  let lines = 0
  let isText = false
  let isEscaped = false
  let hasEnded = false
  const ends = (byte: number): boolean => {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else isText = byte !== quote
      return false
    }
    if (byte === quote) isText = true
    else if (opening.has(byte)) depth++
    else if (closing.has(byte)) hasEnded = --depth <= 0
    return hasEnded || byte === comma && depth === 1
  }
  return {
    isRest: (record) => rest.has(record),
    push: (chunk) => {
      const found: Array<Records.Record> = []
      let start = 0
      for (let index = 0; index < chunk.length && !hasEnded; index++) {
        const byte = chunk[index]!
        if (byte === newline) lines++
        if (!ends(byte)) continue
        record.add(chunk.subarray(start, index + 1))
        start = index + 1
        found.push(record.take(lines, false))
        lines = 0
      }
      record.add(chunk.subarray(start))
      return found
    },
    end: () => {
      if (hasEnded && record.size() === 0) return []
      const last = record.take(0, !hasEnded)
      rest.add(last)
      return [last]
    }
  }
}
