/**
 * Mends a fault of undici before 8.6, which Node 22 and 24 use for `fetch` and `@effect/platform-node` for its client: it
 * ends the process with an assertion if a connection ends while its response is paused, because the consumer, or the
 * decompression, is slower than the network (nodejs/undici#5360).
 *
 * undici tells the parser of a response about the end of its connection with `finish`. As in undici 8.6, it now reads on
 * before: that brings no more than what has already arrived. Consuming responses at once instead would not help, since
 * undici also waits for its own decompression.
 */
import { attempt } from "./attempt.ts"

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

/** The prototypes of parsers, one for each copy of undici. */
const seen = /* #__PURE__ */ new WeakSet<Parser>()

const onSending = ({ socket }: Sending): void => {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "parser")
  const prototype: Parser = Object.getPrototypeOf(key && socket[key] || seen)
  if (seen.has(prototype)) return
  seen.add(prototype)
  const { finish } = prototype
  // Parsers with the fault assert that they are not paused.
  if (!/\(!this\.paused\)/.test(String(finish))) return
  prototype.finish = function(this: Parser) {
    // Without more data, a parser that pauses again waits for the end of the connection.
    for (let hasMore = true; this.paused;) {
      this.llhttp.llhttp_resume(this.ptr)
      this.paused = false
      if (hasMore) {
        const bytes = this.socket.read() ?? new Uint8Array()
        this.execute(bytes)
        hasMore = bytes.length > 0
      }
    }
    return finish.call(this)
  }
}

let isWatching = false

/** Mends every copy of undici that sends a request from now on. Other platforms have no channel to hear of them. */
export const patch = (): void => {
  if (isWatching) return
  isWatching = true
  attempt(() =>
    (globalThis as Partial<NodeGlobal>).process!.getBuiltinModule("node:diagnostics_channel")
      .subscribe("undici:client:sendHeaders", onSending)
  )
}
