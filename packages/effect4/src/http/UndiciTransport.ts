/**
 * A transport for Node that calls the dispatcher of undici 8 directly: install `undici` beside this package. A page takes
 * a little more than half the time it takes over `NodeHttpClient.layerUndici`. It asks for compressed responses, and
 * decompresses them as they arrive.
 *
 * A request that is interrupted, or takes too long, is not delivered afterwards: on its own connections, this transport resets
 * the one that the request was sent on, so that the system does not send it again when the network recovers. HTTP/2 resets
 * the request's stream, and also the connection once no other request is in flight on any to that origin. Only the layer
 * does this: a dispatcher of your own closes its connections as it likes.
 *
 * Configure proxies, certificates and connection pools on the dispatcher. For middleware, use `HttpClientTransport.layer`
 * on top of `NodeHttpClient.layerUndici`.
 *
 * @since 1.0.0
 */
import { isFailure } from "@mailstream/kernel/Failure"
import { patch } from "@mailstream/kernel/Platform"
import { Incoming, type Network } from "@mailstream/kernel/undici/Incoming"
import * as Reset from "@mailstream/kernel/undici/Reset"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Undici from "undici"
import { InvalidOption } from "../core/InvalidOption.ts"
import * as Fibers from "../internal/fibers.ts"
import { Failure, type Request, type Response, Transport } from "./Transport.ts"

/**
 * The dispatcher of undici 8 that `layerWithoutDispatcher` sends requests with.
 *
 * @since 1.0.0
 * @category services
 */
export class Dispatcher extends Context.Service<Dispatcher, Undici.Dispatcher>()(
  "@mailstream/effect4/UndiciTransport/Dispatcher"
) {}

/**
 * A transport on a dispatcher of undici 8. Its connections are closed, not reset, when a request is given up.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (dispatcher: Undici.Dispatcher): typeof Transport.Service => {
  // That of undici 7, which `@effect/platform-node` exports, works just as well once its fault is patched.
  if (!(dispatcher instanceof Undici.Dispatcher)) patch()
  return on({ dispatcher, giveUp: Reset.politely })
}

const on = (network: Network): typeof Transport.Service => ({
  send: (request) => Effect.suspend(() => found(new Incoming(network, request, Infinity), ended)),
  open: (request) =>
    Effect.acquireRelease(
      Effect.sync(() => new Incoming(network, request, highWaterMark)),
      (incoming) => Effect.sync(() => incoming.abort())
    ).pipe(
      Effect.tap((incoming) => find(incoming, head)),
      Effect.map((incoming) => ({
        status: incoming.status,
        headers: incoming.headers,
        bytes: Stream.ensuring(
          Stream.fromPull(Effect.succeed(find(incoming, next))),
          Effect.sync(() => incoming.abort())
        )
      }))
    )
})

/** Whether this is a dispatcher that dispatches: Bun replaces undici with a module whose agents do not. */
const dispatches = (dispatcher: Partial<Undici.Dispatcher>): boolean => typeof dispatcher.dispatch === "function"

/**
 * Whether this runtime has undici. Where it has not, as on Bun, use `FetchTransport`.
 *
 * @since 1.0.0
 * @category predicates
 */
export const isSupported: boolean = dispatches(Undici.Agent.prototype)

const unsupported = /* #__PURE__ */ Effect.failSync(() =>
  new InvalidOption({
    option: "transport",
    description: "must be FetchTransport.layer of @mailstream/effect4/FetchTransport: this runtime has no undici"
  })
)

/**
 * A transport on a dispatcher that you provide, for example a proxy agent. Fails if the runtime has no undici. Its connections are
 * closed, not reset, when a request is given up: what has not arrived by then may still arrive.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
 * import { Effect, Layer } from "effect"
 * import { ProxyAgent } from "undici"
 *
 * const Proxy = Layer.effect(
 *   UndiciTransport.Dispatcher,
 *   Effect.acquireRelease(
 *     Effect.sync(() => new ProxyAgent("http://proxy.internal:3128")),
 *     (agent) => Effect.promise(() => agent.destroy())
 *   )
 * )
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(
 *   Layer.provide(UndiciTransport.layerWithoutDispatcher),
 *   Layer.provide(Proxy)
 * )
 * ```
 */
export const layerWithoutDispatcher: Layer.Layer<Transport, InvalidOption, Dispatcher> = Layer.fresh(
  // Layers are shared by reference: without this, two clients would share the dispatcher of the first.
  Layer.effect(
    Transport,
    Effect.flatMap(
      Dispatcher,
      (dispatcher) => dispatches(dispatcher) ? Effect.succeed(make(dispatcher)) : unsupported
    )
  )
)

/**
 * A transport with its own connections, which are closed with the layer. Fails if the runtime has no undici.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
 * import { Layer } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))
 * ```
 */
export const layer: Layer.Layer<Transport, InvalidOption> = isSupported
  ? Layer.effect(
    Transport,
    Effect.gen(function*() {
      const { connect, giveUp } = Reset.make(Undici.buildConnector({}))
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Undici.Agent({ connect })),
        // `close` would wait for responses that nobody reads.
        (agent) => Effect.promise(() => agent.destroy())
      )
      return on({ dispatcher: agent, giveUp: giveUp(agent) })
    })
  )
  : Layer.effect(Transport, unsupported)

/** Looks for something in the data received so far; `undefined` means that more data is needed. */
type Look<A, E = never> = (incoming: Incoming<Request>) => Effect.Effect<A, E | Failure> | undefined

/** What a look finds later. Sends the request if necessary. */
const found = <A, E>(incoming: Incoming<Request>, look: Look<A, E>): Effect.Effect<A, E | Failure> =>
  Fibers.callbackWithin({
    duration: incoming.request.timeout,
    onTimeout: () => Failure.Timeout({ head: incoming.head })
  }, (resume) => {
    incoming.onChange = () => {
      const found = look(incoming)
      if (found === undefined) return
      incoming.onChange = constVoid
      // Resuming runs the fiber at once, but undici has to return from what it is doing first.
      queueMicrotask(() => resume(found))
    }
    incoming.send()
    return () => incoming.abort()
  })

/** What a look finds, now or later. */
const find = <A, E>(incoming: Incoming<Request>, look: Look<A, E>): Effect.Effect<A, E | Failure> =>
  Effect.suspend(() => look(incoming) ?? found(incoming, look))

const failed = ({ defect, failed }: Incoming<Request>): Effect.Effect<never, Failure> | undefined =>
  defect !== undefined ? Effect.die(defect.thrown) : failed === undefined ? undefined : Effect.fail(failed)

const head: Look<void> = (incoming) => incoming.status > 0 ? Effect.void : failed(incoming)

const ended: Look<Response> = (incoming) =>
  incoming.size > incoming.request.maxBodySize
    ? Effect.suspend(() => {
      incoming.abort()
      return Effect.fail(Failure.TooLarge({ head: { status: incoming.status, headers: incoming.headers } }))
    })
    : incoming.ended
    ? Effect.suspend(() => {
      const response = incoming.response()
      return isFailure(response) ? Effect.fail(response) : Effect.succeed(response)
    })
    : failed(incoming)

/** The data received since the last look. */
const next: Look<Array.NonEmptyReadonlyArray<Uint8Array>, Cause.Done> = (incoming) =>
  incoming.chunks.length > 0
    ? Effect.suspend(() => {
      const bytes: ReadonlyArray<Uint8Array> = incoming.take()
      return Array.isReadonlyArrayNonEmpty(bytes) ? Effect.succeed(bytes) : Cause.done()
    })
    : incoming.ended
    ? Cause.done()
    : failed(incoming)

/** How many bytes may wait for the consumer before the sender has to pause. */
const highWaterMark = 256 * 1024
