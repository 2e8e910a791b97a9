/**
 * Which rows a pass has seen, by ordinal: one bit per row, in blocks that are stored one by one. A pass over unchanged
 * items writes these bits instead of the rows.
 */
const bitsPerBlock = 4096

export interface Block {
  readonly number: number
  readonly bits: Uint8Array
}

/** Rows with ordinals from one to another one, including both. */
export type Range = readonly [from: number, to: number]

/** The ranges that ordinals form, in ascending order. */
export const toRanges = (ordinals: ReadonlyArray<number>): ReadonlyArray<Range> => {
  const ranges: Array<[from: number, to: number]> = []
  for (const ordinal of [...ordinals].sort((a, b) => a - b)) {
    const last = ranges[ranges.length - 1]
    if (last !== undefined && ordinal <= last[1] + 1) last[1] = ordinal
    else ranges.push([ordinal, ordinal])
  }
  return ranges
}

const blockOf = (ordinal: number): number => Math.floor(ordinal / bitsPerBlock)

const none = new Uint8Array()

export class Seen {
  readonly #blocks = new Map<number, Uint8Array>()
  #size = 0

  constructor(blocks: ReadonlyArray<Block> = []) {
    this.put(blocks)
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

  add(ranges: ReadonlyArray<Range>): void {
    this.put(this.with(ranges))
  }

  /** The blocks as they are with these rows, for `put` once they are stored. */
  with(ranges: ReadonlyArray<Range>): ReadonlyArray<Block> {
    const changed = new Map<number, Uint8Array>()
    for (const [number, from, to] of pieces(ranges)) {
      const bits = changed.get(number) ?? Uint8Array.from(this.#blocks.get(number) ?? new Uint8Array(bitsPerBlock / 8))
      changed.set(number, bits)
      for (let at = from; at <= to; at++) bits[at >> 3]! |= 1 << (at & 7)
    }
    return Array.from(changed, ([number, bits]) => ({ number, bits }))
  }

  /** How many rows have been seen with these blocks. */
  sizeWith(blocks: ReadonlyArray<Block>): number {
    return blocks.reduce((size, { bits, number }) => size + count(bits) - count(this.#bitsOf(number)), this.#size)
  }

  put(blocks: ReadonlyArray<Block>): void {
    this.#size = this.sizeWith(blocks)
    for (const { bits, number } of blocks) this.#blocks.set(number, bits)
  }

  /** The ordinals in these ranges that have not been seen, in ascending order. */
  missing(ranges: ReadonlyArray<Range>): ReadonlyArray<number> {
    const missing: Array<number> = []
    for (const [from, to] of ranges) {
      for (let ordinal = from; ordinal <= to; ordinal++) if (!this.has(ordinal)) missing.push(ordinal)
    }
    return missing.sort((a, b) => a - b)
  }

  #bitsOf(block: number): Uint8Array {
    return this.#blocks.get(block) ?? none
  }
}

/** The bits of each block that ranges consist of: from one to another one, including both. */
const pieces = (ranges: ReadonlyArray<Range>): ReadonlyArray<readonly [block: number, from: number, to: number]> =>
  ranges.flatMap(([from, to]) =>
    Array.from({ length: blockOf(to) - blockOf(from) + 1 }, (_, index) => {
      const block = blockOf(from) + index
      const [first, next] = boundsOf(block)
      return [block, Math.max(from, first) - first, Math.min(to, next - 1) - first] as const
    })
  )

const count = (bits: Uint8Array): number => {
  let sum = 0
  for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) sum++
  return sum
}

/** The ordinals of a block: from, and up to but without, these. */
const boundsOf = (block: number): readonly [from: number, to: number] => [
  block * bitsPerBlock,
  (block + 1) * bitsPerBlock
]
