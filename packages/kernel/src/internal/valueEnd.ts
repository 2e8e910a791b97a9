import { backslash, comma, isSpace, nesting, quote } from "./bytes.ts"

/**
 * Finds the end of a JSON value whose bytes may arrive in chunks. It only looks at quotes, backslashes, brackets and
 * separators: whether the bytes between them are JSON is left to `JSON.parse`.
 */
export class ValueEnd {
  #isScalar = false
  #depth = 0
  #isInString = false
  #isEscaped = false

  /** Prepares to find the end of a value that begins with this byte. */
  start(first: number): void {
    this.#isScalar = first !== quote && nesting[first] !== 1
    this.#depth = 0
    this.#isInString = this.#isEscaped = false
  }

  /**
   * The index after the value, or -1 if it does not end in these bytes. `from` is where the value begins, or 0 in the
   * chunks after the one in which it began.
   */
  find(bytes: Uint8Array, from: number): number {
    if (this.#isScalar) return findScalarEnd(bytes, from)
    let index = from
    while (index < bytes.length) {
      if (this.#isInString) {
        index = this.#findStringEnd(bytes, index)
        if (index === -1 || this.#depth === 0) return index
      } else {
        const byte = bytes[index++]!
        if (byte === quote) this.#isInString = true
        else {
          this.#depth += nesting[byte]!
          if (this.#depth === 0) return index
        }
      }
    }
    return -1
  }

  #findStringEnd(bytes: Uint8Array, from: number): number {
    let isEscaped = this.#isEscaped
    for (let index = from; index < bytes.length; index++) {
      const byte = bytes[index]
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) {
        this.#isInString = this.#isEscaped = false
        return index + 1
      }
    }
    this.#isEscaped = isEscaped
    return -1
  }
}

const findScalarEnd = (bytes: Uint8Array, from: number): number => {
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index]!
    if (byte === comma || nesting[byte] === -1 || isSpace(byte)) return index
  }
  return -1
}
