/**
 * A transport on `fetch`: for browsers, workers, Deno, Bun and Node. A page takes about two thirds of the time
 * it takes over `FetchHttpClient.layer`.
 *
 * Like `FetchHttpClient`, it reads two services for every request: `Fetch` replaces the platform's
 * `fetch`, and `RequestInit` holds options for it (`credentials`, `redirect`, `cache`, …). Both may be provided to the
 * layer or around a call; the latter wins. Unless `redirect` says otherwise, a redirect is an error that says where it
 * leads: the platform would follow it without the key.
 *
 * If the response is a 421, `fetch` itself repeats the request once on another connection, also a change, and no option
 * prevents that. HTTP allows it (RFC 9110, 15.5.20): what was sent to the wrong server was not processed. `UndiciTransport`
 * repeats nothing by itself.
 *
 * A request's `mayStart` is asked before `fetch` is called, which may then still wait for a connection.
 *
 * On Node, prefer `UndiciTransport`: it is faster. Before Node 26, `fetch` ends the process if a server closes its
 * connection while the response is read more slowly than it arrives (nodejs/undici#5360). This transport patches that for
 * the process, as undici 8.6 does. A program that loads undici also uses it for `fetch`; that of `@effect/platform-node`
 * has the same fault, and is patched as well.
 *
 * @since 1.0.0
 */
import { type Exchange, Exchanges } from "@mailstream/kernel/Exchange"
import { patch } from "@mailstream/kernel/Platform"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Fibers from "../internal/fibers.ts"
import { withdrawal } from "./internal/withdrawal.ts"
import {
  Failure,
  failureFromError,
  type Head,
  type Request,
  type Response as CompleteResponse,
  responseFromBytes,
  Transport
} from "./Transport.ts"

/**
 * A transport on `fetch`. The context holds the `Fetch` and `RequestInit` for calls that provide none themselves.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (context: Context.Context<never> = Context.empty()): typeof Transport.Service => {
  patch()
  const exchanges = new Exchanges()

  /** Calls `fetch`, and waits for what becomes of its response. */
  const start = <A>(
    request: Request,
    controller: AbortController,
    onResponse: OnResponse<A>
  ): Outcome<A> => {
    const exchange = exchanges.begin(request)
    return withdrawal(request) ?? wait(request, controller, exchange, (fiber) => {
      const { body = null, method, origin, path } = request
      const { headers } = exchange
      const fetch = lookUp(FetchHttpClient.Fetch, fiber.context, context) ?? globalThis.fetch
      const init = lookUp(FetchHttpClient.RequestInit, fiber.context, context)
      return fetch(`${origin}${path}`, {
        // Following one would drop the key, or turn a POST into a GET.
        redirect: "manual",
        ...init,
        method,
        headers: init === undefined ? headers : merged(init, headers),
        body,
        signal: controller.signal
      }).then((response) => {
        if (!isResponse(response)) return notAResponse
        const head = headOf(response)
        const refused = exchange.begin(head)
        if (refused === undefined) return onResponse(response, head, exchange)
        controller.abort()
        return Effect.fail(refused)
      })
    })
  }

  return {
    send: (request) => Effect.suspend(() => start(request, new AbortController(), read(request.maxBodySize))),
    open: (request) =>
      Effect.flatMap(
        Effect.acquireRelease(Effect.sync(() => new AbortController()), abort),
        (controller) =>
          start(request, controller, (response, head, exchange) =>
            Effect.succeed({ ...head, bytes: bytesOf(response, request, controller, exchange) }))
      )
  }
}

/**
 * A transport on the platform's `fetch`, or on the one provided as `FetchHttpClient.Fetch`.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { FetchHttpClient } from "effect/http"
 * import { Mailstream } from "@mailstream/effect4"
 * import * as FetchTransport from "@mailstream/effect4/FetchTransport"
 * import { Layer } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(
 *   Layer.provide(FetchTransport.layer),
 *   Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include" }))
 * )
 * ```
 */
export const layer: Layer.Layer<Transport> = Layer.fresh(
  // Layers are shared by reference: without this, two clients would share the options for `fetch` of the first.
  Layer.effect(Transport, Effect.map(Effect.context<never>(), make))
)

const abort = (controller: AbortController): Effect.Effect<void> => Effect.sync(() => controller.abort())

type Outcome<A> = Effect.Effect<A, Failure>

type OnResponse<A> = (response: Response, head: Head, exchange: Exchange) => Outcome<A> | Promise<Outcome<A>>

/** Waits for a promise, no longer than a request may take. */
const wait = <A>(
  request: Request,
  controller: AbortController,
  exchange: Exchange,
  promise: (fiber: Fibers.Running) => Promise<Outcome<A>>
): Outcome<A> =>
  Fibers.callbackWithin({ duration: request.timeout, onTimeout: () => exchange.expire() }, (resume, fiber) => {
    const fail = (error: unknown) => resume(Effect.fail(failureFromError(error, { head: exchange.head })))
    const started = Result.try({ try: () => promise(fiber), catch: (error) => error })
    if (Result.isFailure(started)) fail(started.failure)
    else started.success.then(resume, fail)
    return () => controller.abort()
  })

const bytesOf = (
  response: Response,
  request: Request,
  controller: AbortController,
  exchange: Exchange
): Stream.Stream<Uint8Array, Failure> =>
  Stream.suspend(() => {
    const reader = readerOf(response)
    const read = Effect.flatMap(
      wait(request, controller, exchange, () => reader.read().then(Effect.succeed)),
      ({ done, value }) => {
        exchange.isRead = true
        return done ? Cause.done() : Effect.succeed([value] as const)
      }
    )
    return Stream.ensuring(Stream.fromPull(Effect.succeed(read)), abort(controller))
  })

/** What was provided, in the first of two contexts that has it: not the default of a reference, which `getOption` would return. */
const lookUp = <I, S>(
  key: Context.Key<I, S>,
  first: Context.Context<never>,
  second: Context.Context<never>
): S | undefined => Context.getOrUndefined(first, key) ?? Context.getOrUndefined(second, key)

/** The headers of the request, plus those of the options that it does not set itself. */
const merged = ({ headers }: RequestInit, own: Request["headers"]): Headers => {
  const all = new Headers(headers)
  for (const [name, value] of Object.entries(own)) all.set(name, value)
  return all
}

/** Whether a `fetch` of the caller's, a mock perhaps, keeps its promise. */
const isResponse = (response?: Partial<Response>): boolean => typeof response?.headers?.forEach === "function"

const notAResponse = /* #__PURE__ */ Effect.die(new Error("`fetch` did not return a Response with Headers"))

const headOf = (response: Response): Head => {
  const headers: Record<string, string> = {}
  response.headers.forEach((value, name) => {
    headers[name] = value
  })
  return { status: response.status, headers }
}

/** Reads a body as it arrives; at once, if the platform cannot stream it: React Native. */
const readerOf = (response: Response): Pick<ReadableStreamDefaultReader<Uint8Array>, "cancel" | "read"> => {
  const { body } = response
  if (typeof body?.getReader === "function") return body.getReader()
  let isEnded = body === null
  return {
    read: () => {
      if (isEnded) return Promise.resolve({ done: true, value: undefined })
      isEnded = true
      // Not every platform with a `text` has an `arrayBuffer` that works.
      return response.text().then((text) => ({ done: false, value: new TextEncoder().encode(text) }))
    },
    cancel: () => Promise.resolve()
  }
}

/** Reads a body to its end. A reader is faster than `text`, and can stop at the size limit. */
const read = (maxBodySize: number): OnResponse<CompleteResponse> => (response, head, exchange) => {
  const reader = readerOf(response)
  const pieces: Array<Uint8Array> = []
  let size = 0
  const more = (): Promise<Outcome<CompleteResponse>> =>
    reader.read().then(({ done, value }) => {
      exchange.isRead = true
      if (done) return Effect.fromResult(responseFromBytes(head, pieces))
      pieces.push(value)
      size += value.length
      if (size <= maxBodySize) return more()
      reader.cancel().catch(constVoid)
      return Effect.fail(Failure.TooLarge({ head }))
    })
  return more()
}
