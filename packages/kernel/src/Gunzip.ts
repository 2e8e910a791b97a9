/**
 * Undoes gzip for an HTTP client that may not do so itself. Whether it does cannot be asked, but seen: what is
 * compressed begins with a byte that no text begins with. Other encodings cannot be told from text.
 */
import { attempt } from "./internal/attempt.ts"

/** The part of a stream of `node:zlib` that is used here. */
interface Transform {
  readonly on:
    & ((event: "data", listener: (bytes: Uint8Array) => void) => Transform)
    & ((event: "end", listener: () => void) => Transform)
    & ((event: "error", listener: (error: unknown) => void) => Transform)
  readonly write: (bytes: Uint8Array, onDone: () => void) => void
  readonly end: () => void
  readonly destroy: () => void
}

interface NodeGlobal {
  readonly process: {
    readonly getBuiltinModule: (name: "node:zlib") => { readonly createGunzip: () => Transform }
  }
}

/** Not every platform has the module. It is loaded when it is needed. */
const load = (): (() => Transform) | undefined =>
  attempt(() => (globalThis as Partial<NodeGlobal>).process!.getBuiltinModule("node:zlib").createGunzip)

/** What to ask for, where it can be undone. */
export const accepted = (): { readonly "accept-encoding"?: string } =>
  load() === undefined ? {} : { "accept-encoding": "gzip" }

/** Whether an encoding is gzip alone, by any of its names. */
const isGzip = (encoding: string): boolean => /^(x-)?gzip$/i.test(encoding)

/** The first byte of what is compressed. In JSON, it is not even white space. */
const magic = 0x1F

/** A few bytes become at most a thousand times as many: that many are decompressed before the consumer can stop. */
const maxInput = 4096

/** What undoes an encoding, if it can be undone here. */
export const makerOf = (encoding: string | undefined): (() => Transform) | undefined =>
  encoding !== undefined && isGzip(encoding) ? load() : undefined

/** Bytes in pieces that are small enough for `push`. */
export const piecesOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from(
    { length: Math.ceil(bytes.length / maxInput) },
    (_, index) => bytes.subarray(index * maxInput, (index + 1) * maxInput)
  )

/** What becomes of a piece. */
export interface Settle {
  readonly onBytes: (bytes: ReadonlyArray<Uint8Array>) => void
  readonly onError: (error: unknown) => void
}

const nobody: Settle = { onBytes: () => {}, onError: () => {} }

export class Gunzip {
  /** Null if the first byte was not that of compressed data. */
  private stream: Transform | null | undefined
  private output: Array<Uint8Array> = []
  /** Padding may follow the end. */
  private isEnded = false
  private settle: Settle = nobody
  private readonly make: () => Transform

  constructor(make: () => Transform) {
    this.make = make
  }

  /** Says what bytes become; at the end, which is undefined, the rest. One piece at a time. */
  push(piece: Uint8Array | undefined, settle: Settle): void {
    if (this.stream === undefined) this.stream = piece?.[0] === magic ? this.start() : null
    if (this.stream === null) settle.onBytes(piece === undefined ? [] : [piece])
    else if (this.isEnded) settle.onBytes([])
    else {
      this.settle = settle
      this.output = []
      if (piece === undefined) this.stream.end()
      else this.stream.write(piece, () => this.succeed())
    }
  }

  destroy(): void {
    this.stream?.destroy()
  }

  private succeed(): void {
    this.settle.onBytes(this.output)
  }

  private start(): Transform {
    return this.make()
      .on("data", (bytes) => void this.output.push(bytes))
      .on("end", () => {
        this.isEnded = true
        this.succeed()
      })
      .on("error", (error) => this.settle.onError(error))
  }
}
