/**
 * Mends a fault of undici before 8.6, which Node 22 and 24 use for `fetch` and `@effect/platform-node` for its client: it
 * ends the process with an assertion if a connection ends while its response is paused, because the consumer, or the
 * decompression, is slower than the network.
 *
 * undici tells the parser of a response about the end of its connection with `finish`. Like that of undici 8.6, it now
 * reads on beforehand: that brings the rest of what has arrived already. Reading everything at once instead would not help,
 * since undici also waits for its own decompression.
 */
import * as Either from "effect/Either"

interface Parser {
  paused: boolean
  readonly ptr: number
  readonly llhttp: { readonly llhttp_resume: (ptr: number) => void }
  readonly socket: { readonly read: () => Uint8Array | null }
  readonly execute: (bytes: Uint8Array) => void
  finish: () => unknown
}

/** What undici says before it sends a request. */
interface Sending {
  readonly socket: { readonly [key: symbol]: Parser | null | undefined }
}

interface NodeGlobal {
  readonly process: {
    readonly getBuiltinModule: (name: "node:diagnostics_channel") => {
      readonly subscribe: (name: "undici:client:sendHeaders", listener: (message: Sending) => void) => void
    }
  }
}

/** Parsers with the fault assert that they are not paused. */
const isFaulty = ({ finish }: Parser): boolean => /\(!this\.paused\)/.test(String(finish))

const read = (parser: Parser): boolean => {
  parser.llhttp.llhttp_resume(parser.ptr)
  parser.paused = false
  const bytes = parser.socket.read() ?? new Uint8Array()
  parser.execute(bytes)
  return bytes.length > 0
}

/** Changes the parsers of one copy of undici, by their prototype. */
const mendAll = (prototype: Parser): void => {
  const { finish } = prototype
  prototype.finish = function(this: Parser) {
    while (this.paused && read(this));
    if (this.paused) {
      // The end of a body without a length is the end of the connection.
      this.llhttp.llhttp_resume(this.ptr)
      this.paused = false
    }
    return finish.call(this)
  }
}

const seen = /* #__PURE__ */ new WeakSet<object>()

const onSending = ({ socket }: Sending): void => {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "parser")
  const prototype: Parser | null = Object.getPrototypeOf(key === undefined ? {} : socket[key] ?? {})
  if (prototype === null || seen.has(prototype)) return
  seen.add(prototype)
  if (isFaulty(prototype)) mendAll(prototype)
}

let isWatching = false

/** Mends every copy of undici that sends a request from now on. Other platforms have no channel to hear of them. */
export const mend = (): void => {
  if (isWatching) return
  isWatching = true
  Either.try(() =>
    (globalThis as Partial<NodeGlobal>).process!.getBuiltinModule("node:diagnostics_channel")
      .subscribe("undici:client:sendHeaders", onSending)
  )
}
