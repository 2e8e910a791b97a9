/** Why there is no complete response: http's `Failure`, as data. */
import { explain, isMiscoded, isUnsent } from "#node"
import { describe, type Head, isSuccess } from "./Head.ts"
import type { Cause } from "./internal/tls.ts"
import { decode, decodeLeniently, isCutShort } from "./Utf8.ts"

export type Failure =
  | { readonly _tag: "Connect"; readonly description: string }
  | { readonly _tag: "Tls"; readonly description: string }
  | { readonly _tag: "Lost"; readonly description: string; readonly head?: Head | undefined }
  | { readonly _tag: "Timeout"; readonly head?: Head | undefined }
  | { readonly _tag: "NotText"; readonly description: string; readonly head: Head }
  | { readonly _tag: "TooLarge"; readonly head: Head }

/** A complete response, with any status. */
export interface Response extends Head {
  readonly body: string
}

export const isFailure = (result: Failure | Head): result is Failure => "_tag" in result

/** The failure of a request that must not start. */
export const withdrawn: Failure = { _tag: "Connect", description: "withdrawn before it was sent" }

/** What had arrived of the response, if anything. */
export const headOf = (failure: Failure): Head | undefined => "head" in failure ? failure.head : undefined

/**
 * A complete response, from the pieces of its body. Fails if it is a success and not UTF-8, or cut short within a character: the
 * items in it would silently be changed. Of an error response, at least the status is of use, so what is not UTF-8 is replaced.
 */
export const complete = (head: Head, pieces: ReadonlyArray<Uint8Array>): Response | Failure => {
  const { headers, status } = head
  const body = decode(pieces)
  return body !== undefined
    ? { status, headers, body }
    : !isSuccess(head)
    ? { status, headers, body: decodeLeniently(pieces) }
    : isCutShort(pieces)
    ? { _tag: "Lost", head, description: "the body ends within a character" }
    : { _tag: "NotText", head, description: describe(head, "bytes that are not UTF-8") }
}

/** The failure for an error of a network library, by its code. Only messages and codes of the error are kept. */
export const fromError = (error: unknown, head?: Head): Failure => {
  const causes = causesOf(error)
  const description = causes.map(({ code, message }) => message === "" ? code : message).join(": ") ||
    "the connection failed"
  if (head !== undefined) {
    return causes.some(isMiscoded)
      ? {
        _tag: "NotText",
        description: describe(head, `a body that cannot be decompressed (${description})`),
        head
      }
      : { _tag: "Lost", description, head }
  }
  const insecure = explain(causes)
  return insecure !== undefined
    ? { _tag: "Tls", description: insecure }
    : { _tag: causes.some(isUnsent) ? "Connect" : "Lost", description }
}

/** An error and its causes, outermost first. */
const causesOf = (error: unknown, depth = 0): ReadonlyArray<Cause> => {
  if (!(error instanceof Error) || depth > 4) return []
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  // As undici and Node report what is not HTTP.
  const received = "data" in error ? error.data : "rawPacket" in error ? error.rawPacket : ""
  // A host can become unreachable on a connection that exists: then something may have been sent.
  const isSent = "syscall" in error && (error.syscall === "read" || error.syscall === "write")
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return [{ message: error.message, code, received: String(received), isSent }, ...causesOf(inner, depth + 1)]
}

/** What is wrong, in words. `limits` are those of the request. */
export const descriptionOf = (
  failure: Failure,
  limits: { readonly timeout: () => string; readonly maxBodySize: number },
  redact: (text: string) => string
): string => {
  switch (failure._tag) {
    case "Timeout":
      return `no complete response within ${limits.timeout()}`
    case "TooLarge":
      return `the body exceeds ${limits.maxBodySize} bytes`
    case "NotText":
    case "Connect":
    case "Tls":
    case "Lost":
      return redact(failure.description)
  }
}

/** What a failure says about a response that arrived. */
export const expectation = (tag: "NotText" | "TooLarge", description: string): string =>
  tag === "NotText"
    ? `expected JSON, found ${description}`
    : `${description}: request fewer items, or raise \`maxBodySize\``
