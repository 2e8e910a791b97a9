/** Undoes `content-encoding` while the bytes arrive. Only `UndiciTransport` needs it: `fetch` does this by itself. */
import type { Transform } from "node:stream"
import * as Zlib from "node:zlib"

/** Not every runtime with Node's modules has it. */
const { createZstdDecompress }: Partial<Pick<typeof Zlib, "createZstdDecompress">> = Zlib

interface Step {
  (options: { readonly chunkSize: number }): Transform
}

const steps: ReadonlyMap<string, Step> = new Map<string, Step>([
  ["gzip", Zlib.createGunzip],
  ["x-gzip", Zlib.createGunzip],
  ["deflate", Zlib.createInflate],
  ["br", Zlib.createBrotliDecompress],
  ...createZstdDecompress === undefined ? [] : [["zstd", createZstdDecompress] as const]
])

/** What to ask for. Some servers send `deflate` without its header, so it is read, but not asked for. */
export const accepted: string = ["gzip", "br", "zstd"].filter((name) => steps.has(name)).join(", ")

/** A server that applies more than this many encodings wants to keep its clients busy. */
const maxSteps = 3

/** How to undo a `content-encoding`, from the last encoding to the first; `undefined` if that is not possible. */
export const stepsOf = (encoding: string): ReadonlyArray<Step> | undefined => {
  const found: Array<Step> = []
  for (const name of encoding.toLowerCase().split(",").map((name) => name.trim())) {
    if (name === "" || name === "identity") continue
    const step = steps.get(name)
    if (step === undefined || found.length === maxSteps) return undefined
    found.unshift(step)
  }
  return found
}

/** Where the decompressed bytes go. */
export interface Sink {
  readonly onBytes: (bytes: Buffer) => void
  readonly onEnd: () => void
  /** Nothing is called after this. */
  readonly onError: (error: unknown) => void
  /** There is room again, after `write` has returned `false`. */
  readonly onDrain: () => void
}

/** Decompresses in pieces of at most 64 KiB, and no more of them than the sink has room for. */
export class Decompressor {
  /** None before the first byte: a body that is empty is not compressed, whatever its headers say. */
  private streams: ReadonlyArray<Transform> = []
  private readonly steps: ReadonlyArray<Step>
  private readonly sink: Sink

  constructor(steps: ReadonlyArray<Step>, sink: Sink) {
    this.steps = steps
    this.sink = sink
  }

  /** Takes compressed bytes. Returns whether there is room for more. */
  write(bytes: Buffer): boolean {
    if (this.streams.length === 0) this.start()
    return this.streams[0]!.write(bytes)
  }

  end(): void {
    if (this.streams.length === 0) this.sink.onEnd()
    else this.streams[0]!.end()
  }

  pause(): void {
    this.streams.at(-1)?.pause()
  }

  resume(): void {
    this.streams.at(-1)?.resume()
  }

  destroy(): void {
    for (const stream of this.streams) stream.destroy()
  }

  private start(): void {
    const { onBytes, onDrain, onEnd, onError } = this.sink
    this.streams = this.steps.map((step) => step({ chunkSize: 64 * 1024 }))
    for (const [index, stream] of this.streams.entries()) {
      stream.on("error", (error) => {
        this.destroy()
        onError(error)
      })
      const next = this.streams[index + 1]
      if (next === undefined) stream.on("data", onBytes).on("end", onEnd)
      else stream.pipe(next)
    }
    this.streams[0]!.on("drain", onDrain)
  }
}
