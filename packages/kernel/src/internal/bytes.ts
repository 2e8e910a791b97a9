/** The punctuation of JSON. In UTF-8 none of these bytes is ever part of another character. */
export const quote = 0x22
export const backslash = 0x5c
export const comma = 0x2c
export const openArray = 0x5b
export const closeArray = 0x5d
export const openObject = 0x7b
export const closeObject = 0x7d

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** By how much a byte changes the depth of nesting: 1 for an opening bracket, -1 for a closing one, otherwise 0. */
export const nesting = new Int8Array(256)
nesting[openArray] = nesting[openObject] = 1
nesting[closeArray] = nesting[closeObject] = -1

export const sizeOf = (parts: ReadonlyArray<Uint8Array>): number => parts.reduce((size, { length }) => size + length, 0)

export const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(sizeOf(parts))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}
