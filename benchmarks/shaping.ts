/** A slow link, and the compression that makes up for it. */
import type { IncomingMessage } from "node:http"
import { Writable } from "node:stream"
import * as Zlib from "node:zlib"

/** The quality that servers use for responses that are made on the fly. */
const brotli = { params: { [Zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Since Node 22.15. */
interface NewerZlib {
  readonly zstdCompressSync?: (bytes: Buffer) => Buffer
  readonly createZstdCompress?: () => Zlib.Gzip
}

const { createZstdCompress, zstdCompressSync }: typeof Zlib & NewerZlib = Zlib

export type Encoding = "zstd" | "br" | "gzip"

export const compress: Record<Encoding, (bytes: Buffer) => Buffer> = {
  zstd: (bytes) => zstdCompressSync!(bytes),
  br: (bytes) => Zlib.brotliCompressSync(bytes, brotli),
  gzip: (bytes) => Zlib.gzipSync(bytes)
}

const compressors: Record<Encoding, () => Zlib.Gzip | Zlib.BrotliCompress> = {
  zstd: () => createZstdCompress!(),
  br: () => Zlib.createBrotliCompress(brotli),
  gzip: () => Zlib.createGzip()
}

/** The first of these that a client accepts. */
export const choose = ({ headers }: IncomingMessage): Encoding | undefined => {
  const accepted = String(headers["accept-encoding"] ?? "").split(/\s*,\s*/)
  return (["br", "zstd", "gzip"] as const).find((encoding) => accepted.includes(encoding))
}

/** How many bytes go over the link at once. */
const piece = 4096

/** A link that delays bytes until those before them have been sent. */
export class Link {
  private free = 0
  private count = 0
  private readonly rate: number

  /** In bytes per millisecond. */
  constructor(rate: number) {
    this.rate = rate
  }

  /** The number of bytes sent since the last call. */
  sent(): number {
    const { count } = this
    this.count = 0
    return count
  }

  /** Sends a body. */
  send(body: Buffer, to: Writable): void {
    const out = this.through(to, undefined)
    out.end(body)
  }

  /** What is written to the result goes over the link, compressed on the way to it. */
  through(to: Writable, encoding: Encoding | undefined): Writable {
    const out = new Writable({
      highWaterMark: piece,
      write: (bytes: Buffer, _, done) => this.pass(bytes, to, done),
      final: (done) => {
        to.end()
        done()
      }
    })
    if (encoding === undefined) return out
    const compressor = compressors[encoding]()
    compressor.pipe(out)
    return compressor
  }

  private pass(bytes: Buffer, to: Writable, done: () => void): void {
    if (bytes.length === 0) return done()
    const part = bytes.subarray(0, piece)
    const now = performance.now()
    this.free = Math.max(now, this.free) + part.length / this.rate
    this.count += part.length
    setTimeout(() => {
      to.write(part)
      this.pass(bytes.subarray(part.length), to, done)
    }, this.free - now)
  }
}
