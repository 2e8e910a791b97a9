/**
 * UTF-8 that arrives in pieces. Nothing is imported: it also serves programs without Effect.
 */
import { attempt } from "./internal/attempt.ts"

/** Decodes UTF-8 that came in pieces, without a byte order mark; `undefined` if it is not UTF-8. */
export interface Decode {
  (pieces: ReadonlyArray<Uint8Array>): string | undefined
}

/** The part of `node:buffer` that is used here. Not every platform has the module. */
interface NodeBuffer {
  readonly Buffer: {
    readonly from: (buffer: ArrayBufferLike, offset: number, length: number) => Bytes
    readonly concat: (pieces: ReadonlyArray<Uint8Array>) => Bytes
  }
  readonly isAscii: (bytes: Uint8Array) => boolean
  readonly isUtf8: (bytes: Uint8Array) => boolean
  readonly transcode: (bytes: Uint8Array, from: "utf8", to: "utf16le") => Bytes
}

interface Bytes extends Uint8Array {
  readonly toString: (encoding?: "latin1" | "utf16le") => string
}

const decodeWith = (decoder: TextDecoder, pieces: ReadonlyArray<Uint8Array>): string =>
  pieces.map((piece) => decoder.decode(piece, { stream: true })).join("")

const strict = (): TextDecoder => new TextDecoder("utf-8", { fatal: true })

const decodeAnywhere: Decode = (pieces) =>
  attempt(() => {
    const decoder = strict()
    return decodeWith(decoder, pieces) + decoder.decode()
  })

/**
 * V8 decodes UTF-8 byte by byte after the first non-ASCII letter, which takes as long as parsing; Node's `transcode`
 * decodes many bytes at a time, but only valid UTF-8.
 */
const decodeOnNode = ({ Buffer, isAscii, isUtf8, transcode }: NodeBuffer): Decode => (pieces) => {
  const [first] = pieces
  const bytes = first !== undefined && pieces.length === 1
    ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    : Buffer.concat(pieces)
  if (isAscii(bytes)) return bytes.toString("latin1")
  if (!isUtf8(bytes)) return undefined
  const text = transcode(bytes, "utf8", "utf16le").toString("utf16le")
  return text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text
}

interface NodeGlobal {
  readonly process: { readonly getBuiltinModule: (name: "node:buffer") => NodeBuffer }
}

/** The fastest way that works on a platform. */
export const decodeOn = ({ process }: Partial<NodeGlobal>): Decode =>
  attempt(() => {
    const onNode = decodeOnNode(process!.getBuiltinModule("node:buffer"))
    // Other runtimes may implement only part of the module.
    return onNode([new Uint8Array([0xC3, 0xA9])]) === "é" ? onNode : undefined
  }) ?? decodeAnywhere

export const decode: Decode = /* #__PURE__ */ decodeOn(globalThis as Partial<NodeGlobal>)

/** Whether bytes are UTF-8 but for their end, which is in the middle of a character. */
export const isCutShort = (pieces: ReadonlyArray<Uint8Array>): boolean =>
  attempt(() => decodeWith(strict(), pieces)) !== undefined

/** The same as `decode`, for any bytes: what is not UTF-8 is replaced. */
export const decodeLeniently = (pieces: ReadonlyArray<Uint8Array>): string => {
  const decoder = new TextDecoder()
  return decodeWith(decoder, pieces) + decoder.decode()
}
