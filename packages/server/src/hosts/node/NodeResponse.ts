/** Sends responses of the app through Node's HTTP server. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { transcode } from "node:buffer"
import type { OutgoingHttpHeaders, ServerResponse } from "node:http"
import type { Response } from "../../app/Response.ts"

/** Sends a response; without its body if the request was HEAD. */
export const send = (response: Response, target: ServerResponse, isHead: boolean): Effect.Effect<void> => {
  if (response.connectionFault === "reset") return Effect.sync(() => target.socket?.resetAndDestroy())
  if (response.body instanceof Uint8Array) return sendBytes(response, response.body, target, isHead)
  return typeof response.body === "string"
    ? sendBytes(response, bytesOf(response.body), target, isHead)
    : sendStream(response, response.body, target, isHead)
}

const sendBytes = (
  { connectionFault, headers, status }: Response,
  bytes: Uint8Array,
  target: ServerResponse,
  isHead: boolean
): Effect.Effect<void> =>
  Effect.sync(() => {
    // Head and body go out together.
    if (connectionFault === undefined) target.cork()
    sendHead(target, status, { ...headers, "content-length": bytes.length })
    if (connectionFault === undefined) target.end(isHead ? undefined : bytes)
    else truncate(target, bytes.subarray(0, bytes.length >> 1))
  })

const sendStream = (
  { connectionFault, headers, status }: Response,
  body: Stream.Stream<string, unknown>,
  target: ServerResponse,
  isHead: boolean
): Effect.Effect<void> =>
  Effect.suspend(() => {
    sendHead(target, status, headers)
    if (isHead) {
      target.end()
      return Effect.void
    }
    const texts = connectionFault === undefined ? body : Stream.take(body, 1)
    return Stream.runForEach(texts, (text) => write(target, text)).pipe(
      Effect.matchCauseEffect({
        onSuccess: () => Effect.sync(() => connectionFault === undefined ? target.end() : truncate(target, "")),
        // The status is already sent: only a broken connection can tell the client that the body is incomplete.
        onFailure: (cause) =>
          Effect.zipRight(
            Effect.logError("Failed to send a complete response.", cause),
            Effect.sync(() => target.destroy())
          )
      }),
      Effect.onInterrupt(() => Effect.sync(() => target.destroy()))
    )
  })

/**
 * Sends the head in its turn. If a body of bytes follows, Node would otherwise put the head in front of everything that
 * is still to be sent, including a "100 Continue".
 */
const sendHead = (target: ServerResponse, status: number, headers: OutgoingHttpHeaders): void => {
  target.writeHead(status, headers).flushHeaders()
}

/**
 * The same as `Buffer.from(text)` for text without lone surrogates, which JSON text never has, in a third of the time:
 * V8 encodes one character at a time, and ICU many.
 */
const bytesOf = (text: string): Buffer => transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8")

const write = (target: ServerResponse, text: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (target.write(bytesOf(text))) resume(Effect.void)
    else target.once("drain", () => resume(Effect.void))
  })

/** Closes the connection after these bytes, which do arrive. */
const truncate = (target: ServerResponse, bytes: Uint8Array | string): void => {
  target.write(bytes, () => target.socket?.destroySoon())
}
