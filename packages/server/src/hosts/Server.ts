/**
 * The service on Node's HTTP server, for development and tests.
 *
 * @since 1.0.0
 */
import { ServeError } from "@effect/platform/HttpServerError"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as KernelAddress from "@mailstream/kernel/Address"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import * as Token from "../app/inbox/Token.ts"
import type { Observation } from "../app/Observation.ts"
import * as Service from "../app/Service.ts"
import type { ServiceOptions } from "../app/ServiceOptions.ts"
import { Store, type StoreError } from "../stores/Store.ts"
import * as NodeServer from "./node/NodeServer.ts"

export type { InboxOptions } from "../app/inbox/Token.ts"
export type { Observation, ServiceOptions }

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends ServiceOptions {
  /** Default: 0, which picks a free port. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined
  /** How long responses in flight may take to finish at shutdown. Default: 10 seconds. */
  readonly shutdownTimeout?: Duration.DurationInput | undefined
}

/**
 * Where the server can be reached.
 *
 * @since 1.0.0
 * @category services
 */
export class Address extends Context.Tag("@mailstream/server/Address")<Address, {
  /** For example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly host: string
  readonly port: number
  /**
   * What opens the inbox of the default account in a browser, with its token; `undefined` if there is no inbox. Other accounts open
   * `/inbox` with their API keys.
   */
  readonly inboxUrl: Redacted.Redacted | undefined
}>() {}

/**
 * A server for tests, and an API key it accepts.
 *
 * @since 1.0.0
 * @category services
 */
export class TestServer extends Context.Tag("@mailstream/server/TestServer")<TestServer, {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}>() {}

/**
 * Serves until the scope is closed, then lets responses in flight finish.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (
  options: Options = {}
): Effect.Effect<typeof Address.Service, ServeError | StoreError | InvalidOption.InvalidOption, Store | Scope.Scope> =>
  Effect.gen(function*() {
    const settings = yield* check(options)
    const inboxToken = yield* Token.make(options.inbox)
    const stopping = yield* Deferred.make<void>()
    const app = yield* Service.serving(options, options.webhooks ?? {}, {
      inboxToken,
      stopping: Deferred.await(stopping)
    })
    const { host, port } = yield* Effect.mapError(
      NodeServer.serve(app, settings),
      (cause) => new ServeError({ cause })
    )
    // Before the server waits for its responses: some of them last until then.
    yield* Effect.addFinalizer(() => Deferred.succeed(stopping, undefined))
    const baseUrl = KernelAddress.url(host, port)
    const inboxUrl = inboxToken === undefined ? undefined : Redacted.make(baseUrl + Token.pathOf(inboxToken))
    return { host, port, baseUrl, inboxUrl }
  })

const check = ({ host = "127.0.0.1", port = 0, shutdownTimeout = "10 seconds" }: Options) =>
  Either.gen(function*() {
    // Node would listen on all addresses.
    yield* InvalidOption.unless(host !== "", "host", "must not be empty")
    yield* InvalidOption.integer("port", port, { min: 0, max: 65535 })
    const timeout = yield* InvalidOption.duration("shutdownTimeout", shutdownTimeout, { min: 0 })
    return { host, port, shutdownTimeout: Duration.toMillis(timeout) }
  })

/**
 * Serves the contents of the store.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { NodeRuntime } from "@effect/platform-node"
 * import { Server, SqlStore } from "@mailstream/server"
 * import { Layer, Redacted } from "effect"
 *
 * Server.layer({ port: 8080, apiKeys: [Redacted.make("re_local")] }).pipe(
 *   Layer.provide(SqlStore.layerSqlite({ filename: "mailstream.db" })),
 *   Layer.launch,
 *   NodeRuntime.runMain
 * )
 * ```
 */
export const layer = (
  options: Options = {}
): Layer.Layer<Address, ServeError | StoreError | InvalidOption.InvalidOption, Store> =>
  Layer.scoped(Address, make(options))

/**
 * @since 1.0.0
 * @category models
 */
export interface TestOptions<E = never> extends Omit<Options, "apiKeys"> {
  /** Default: in memory, empty. */
  readonly store?: Layer.Layer<Store, E> | undefined
  /** Default: a random one. */
  readonly apiKey?: Redacted.Redacted | undefined
}

/** A store of this server's own: a constant layer would be built once for all of them. */
const ownStore = (): Layer.Layer<Store> => Layer.scopedContext(Layer.build(Store.layerMemory))

/**
 * A server for tests on a free port of this machine, with its store and an API key it accepts.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Contacts, Mailstream } from "@mailstream/http"
 * import * as UndiciTransport from "@mailstream/http/UndiciTransport"
 * import { Server } from "@mailstream/server"
 * import * as SampleData from "@mailstream/server/SampleData"
 * import { Effect, Layer } from "effect"
 *
 * const count = Effect.gen(function*() {
 *   yield* SampleData.insert({ contacts: 250 })
 *   const contacts = yield* Contacts
 *   return (yield* contacts.list()).data.length // 250
 * })
 *
 * const client = Layer.unwrapEffect(Effect.map(Server.TestServer, Mailstream.layer))
 *
 * count.pipe(
 *   Effect.provide(client.pipe(Layer.provide(UndiciTransport.layer), Layer.provideMerge(Server.layerTest()))),
 *   Effect.runPromise
 * )
 * ```
 */
export const layerTest = <E = never>(
  { apiKey, store, ...options }: TestOptions<E> = {}
): Layer.Layer<TestServer | Address | Store, E> =>
  Layer.scopedContext(Effect.gen(function*() {
    const key = apiKey ?? Redacted.make(`re_test_${randomUUID().replaceAll("-", "")}`)
    const address = yield* Effect.orDie(make({ ...options, apiKeys: [key] }))
    return Context.make(TestServer, { baseUrl: address.baseUrl, apiKey: key }).pipe(Context.add(Address, address))
  })).pipe(Layer.provideMerge(store ?? ownStore()))
