import * as Either from "effect/Either"
import { Failure, type Head, type Request } from "../Transport.ts"
import { describe, encodingOf } from "./head.ts"

/**
 * If a body is not compressed as declared, reading it may never end (Node's `fetch`), just as if the server were slow.
 * Then the next request asks for a body that is not compressed.
 */
export class Exchanges {
  asksForPlain = false

  begin(request: Request): Exchange {
    return new Exchange(this, request)
  }
}

/** One request, and what is known about its response so far. */
export class Exchange {
  readonly headers: Request["headers"]
  head: Head | undefined
  /** Whether any of the body could be read. */
  isRead = false
  private readonly asksForPlain: boolean
  private readonly all: Exchanges

  constructor(all: Exchanges, { headers }: Request) {
    this.all = all
    this.asksForPlain = all.asksForPlain
    this.headers = this.asksForPlain ? { ...headers, "accept-encoding": "identity" } : headers
  }

  /** Takes the head of the response. Fails if it is compressed although it must not be. */
  begin(head: Head): Either.Either<Head, Failure> {
    this.head = head
    if (!this.asksForPlain) return Either.right(head)
    this.all.asksForPlain = encodingOf(head) !== undefined
    return this.all.asksForPlain
      ? Either.left(Failure.NotText({ description: describe(head, "a body that cannot be decompressed"), head }))
      : Either.right(head)
  }

  /** Ends an exchange that took too long. */
  expire(): Failure {
    if (this.head !== undefined && !this.isRead && encodingOf(this.head) !== undefined) this.all.asksForPlain = true
    return Failure.Timeout({ head: this.head })
  }
}
