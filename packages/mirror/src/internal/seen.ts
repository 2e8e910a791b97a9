/**
 * Which rows a pass has seen, by ordinal: one bit per row, in blocks that are stored one by one. A pass over unchanged
 * items writes these bits instead of the rows.
 */
const bitsPerBlock = 4096

export interface Block {
  readonly number: number
  readonly bits: Uint8Array
}

export const blockOf = (ordinal: number): number => Math.floor(ordinal / bitsPerBlock)

export class Seen {
  readonly #blocks = new Map<number, Uint8Array>()
  #size = 0

  constructor(blocks: ReadonlyArray<Block> = []) {
    for (const { bits, number } of blocks) {
      this.#blocks.set(number, Uint8Array.from(bits))
      this.#size += count(bits)
    }
  }

  /** How many rows have been seen. */
  get size(): number {
    return this.#size
  }

  has(ordinal: number): boolean {
    const bits = this.#blocks.get(blockOf(ordinal))
    const at = ordinal % bitsPerBlock
    return bits !== undefined && (bits[at >> 3]! & (1 << (at & 7))) !== 0
  }

  /** Adds rows, and returns the blocks that changed. */
  add(ordinals: Iterable<number>): ReadonlyArray<Block> {
    const changed = new Set<number>()
    for (const ordinal of ordinals) {
      if (this.has(ordinal)) continue
      const number = blockOf(ordinal)
      const bits = this.#blocks.get(number) ?? new Uint8Array(bitsPerBlock / 8)
      const at = ordinal % bitsPerBlock
      bits[at >> 3]! |= 1 << (at & 7)
      this.#blocks.set(number, bits)
      this.#size++
      changed.add(number)
    }
    return Array.from(changed, (number) => ({ number, bits: this.#blocks.get(number)! }))
  }

  /** How many rows of a block have been seen. */
  countIn(block: number): number {
    const bits = this.#blocks.get(block)
    return bits === undefined ? 0 : count(bits)
  }
}

const count = (bits: Uint8Array): number => {
  let sum = 0
  for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) sum++
  return sum
}

/** The ordinals of a block: from, and up to but without, these. */
export const boundsOf = (block: number): readonly [from: number, to: number] => [
  block * bitsPerBlock,
  (block + 1) * bitsPerBlock
]

export { bitsPerBlock }
