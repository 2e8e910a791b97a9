/** What is known about one request and its response, wherever they travel. */
import type { Failure } from "./Failure.ts"
import { describe, encodingOf, type Head } from "./Head.ts"

interface Headers {
  readonly [name: string]: string
}

/**
 * If a body is not compressed as declared, reading it may never end (Node's `fetch`), just as if the server were slow.
 * Then the next request asks for a body that is not compressed.
 */
export class Exchanges {
  asksForPlain = false

  begin(request: { readonly headers: Headers }): Exchange {
    return new Exchange(this, request)
  }
}

/** One request, and what is known about its response so far. */
export class Exchange {
  readonly headers: Headers
  head: Head | undefined
  /** Whether any of the body could be read. */
  isRead = false
  private readonly asksForPlain: boolean
  private readonly all: Exchanges

  constructor(all: Exchanges, { headers }: { readonly headers: Headers }) {
    this.all = all
    this.asksForPlain = all.asksForPlain
    this.headers = this.asksForPlain ? { ...headers, "accept-encoding": "identity" } : headers
  }

  /** Takes the head of the response. Fails if it is compressed although it must not be. */
  begin(head: Head): Failure | undefined {
    this.head = head
    if (!this.asksForPlain) return undefined
    this.all.asksForPlain = encodingOf(head) !== undefined
    return this.all.asksForPlain
      ? { _tag: "NotText", description: describe(head, "a body that cannot be decompressed"), head }
      : undefined
  }

  /** Ends an exchange that took too long. */
  expire(): Failure {
    if (this.head !== undefined && !this.isRead && encodingOf(this.head) !== undefined) this.all.asksForPlain = true
    return { _tag: "Timeout", head: this.head }
  }
}
