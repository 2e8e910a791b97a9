/** The response to a request that was dispatched by undici, as it arrives. */
import type * as Undici from "undici"
import { complete, type Failure, fromError, type Response, withdrawn } from "../Failure.ts"
import { describe, encodingOf, type Head, isSuccess } from "../Head.ts"
import * as Decompression from "./Decompression.ts"
import type { GiveUp } from "./Reset.ts"

/** What is used of a request. */
export interface Request {
  readonly method: Undici.Dispatcher.HttpMethod
  readonly origin: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
  readonly mayStart?: (() => boolean) | undefined
}

const nothing = (): void => {}

const unknown = "a body that cannot be decompressed here"

const unneeded = (): Error => new Error("the response is no longer needed")

/** The way to the network. */
export interface Network {
  readonly dispatcher: Undici.Dispatcher
  readonly giveUp: GiveUp
}

/**
 * The part of a response that has been received so far.
 *
 * It releases everything as early as possible: in a long walk V8 starts to allocate such objects in the old generation,
 * where they would retain the bytes of their responses until the next full collection.
 */
export class Incoming<out R extends Request = Request> implements Undici.Dispatcher.DispatchHandler {
  status = 0
  headers: Head["headers"] = {}
  chunks: Array<Buffer> = []
  size = 0
  ended = false
  failed: Failure | undefined
  /** What `mayStart` has thrown. */
  defect: { readonly thrown: unknown } | undefined
  onChange: () => void = nothing
  readonly request: R
  private sent = false
  private aborted = false
  private controller: Undici.Dispatcher.DispatchController | undefined
  private decompressor: Decompression.Decompressor | undefined
  private readonly network: Network
  private readonly highWaterMark: number

  constructor(network: Network, request: R, highWaterMark: number) {
    this.network = network
    this.request = request
    this.highWaterMark = highWaterMark
  }

  /** Sends the request, once. */
  send(): void {
    if (this.sent) return
    this.sent = true
    const { body = null, method, origin, path } = this.request
    const headers = { "accept-encoding": Decompression.accepted, ...this.request.headers }
    try {
      // undici's own timeouts are disabled: the request's timeout is the only one.
      this.network.dispatcher.dispatch({ method, origin, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this)
    } catch (error) {
      this.fail(fromError(error))
    }
  }

  onRequestStart(controller: Undici.Dispatcher.DispatchController): void {
    this.controller = controller
    if (!this.aborted && this.request.mayStart !== undefined) this.ask()
    // There is a connection now, but nothing was written to it. undici sends nothing of a request that is aborted here.
    if (this.aborted) controller.abort(unneeded())
  }

  onResponseStart(
    _: Undici.Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | Array<string> | undefined>
  ): void {
    if (status < 200) return
    this.status = status
    this.headers = joined(headers)
    const encoding = encodingOf(this)
    if (encoding !== undefined) this.decompress(encoding)
    this.onChange()
  }

  onResponseData(controller: Undici.Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.decompressor !== undefined) {
      if (!this.decompressor.write(chunk)) controller.pause()
    } else if (this.receive(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.controller = undefined
    if (this.decompressor === undefined) this.end()
    else this.decompressor.end()
  }

  onResponseError(_: Undici.Dispatcher.DispatchController, error: Error): void {
    this.controller = undefined
    this.decompressor?.destroy()
    this.fail(fromError(error, this.head))
  }

  /** What has arrived before the body, if it has. */
  get head(): Head | undefined {
    return this.status > 0 ? { status: this.status, headers: this.headers } : undefined
  }

  /** Removes and returns the received data, which makes room for more. */
  take(): Array<Buffer> {
    const { chunks } = this
    this.chunks = []
    this.size = 0
    if (this.decompressor !== undefined) this.decompressor.resume()
    else this.controller?.resume()
    return chunks
  }

  response(): Response | Failure {
    const response = complete(this, this.chunks)
    this.chunks.length = 0
    return response
  }

  /** Cancels the request if it is still in flight. */
  abort(): void {
    this.aborted = true
    this.onChange = nothing
    this.decompressor?.destroy()
    const { controller } = this
    if (controller === undefined) return
    this.network.giveUp(this.request.origin, this.status === 0, () => controller.abort(unneeded()))
  }

  /** Gives the request up if it must not start. */
  private ask(): void {
    try {
      if (this.request.mayStart!()) return
    } catch (thrown) {
      this.defect = { thrown }
    }
    this.aborted = true
    this.fail(withdrawn)
  }

  private decompress(encoding: string): void {
    const steps = Decompression.stepsOf(encoding)
    if (steps === undefined) {
      // The status of an error response is of use without its body.
      if (isSuccess(this)) {
        this.reject(
          {
            _tag: "NotText",
            head: { status: this.status, headers: this.headers },
            description: describe(this, unknown)
          }
        )
      }
    } else if (steps.length > 0) {
      const decompressor = new Decompression.Decompressor(steps, {
        onBytes: (bytes) => {
          if (this.receive(bytes)) decompressor.pause()
        },
        onEnd: () => {
          this.end()
          // The compressed data is complete: whatever follows it is of no use.
          this.controller?.abort(unneeded())
        },
        onError: (error) => this.reject(fromError(error, this.head)),
        onDrain: () => this.controller?.resume()
      })
      this.decompressor = decompressor
    }
  }

  /** Takes data. Returns whether its source has to pause. */
  private receive(bytes: Buffer): boolean {
    append(this.chunks, bytes)
    this.size += bytes.length
    this.onChange()
    return this.size > this.highWaterMark
  }

  private end(): void {
    this.ended = true
    this.onChange()
  }

  /** Only the first failure counts: cancelling the rest of the request causes another. */
  private fail(failed: Failure): void {
    if (this.failed !== undefined) return
    this.failed = failed
    this.onChange()
  }

  private reject(failure: Failure): void {
    this.fail(failure)
    this.abort()
  }
}

const smallPiece = 4096

/** Adds a piece. A body that comes byte by byte would take a hundred times its size, if each were kept as it is. */
const append = (pieces: Array<Buffer>, piece: Buffer): void => {
  let merged = piece
  for (let last = pieces.at(-1); last !== undefined && last.length < smallPiece; last = pieces.at(-1)) {
    if (last.length > merged.length) break
    pieces.pop()
    merged = Buffer.concat([last, merged])
  }
  pieces.push(merged)
}

const joined = (headers: Record<string, string | Array<string> | undefined>): Head["headers"] => {
  const texts: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(headers)) texts[name] = Array.isArray(value) ? value.join(", ") : value
  return texts
}
