/**
 * The complete API: all services in one layer.
 *
 * @since 1.0.0
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { uncapitalize } from "effect/String"
import type { InvalidOption } from "../core/index.ts"
import * as ApiClient from "./ApiClient.ts"
import * as Settings from "./internal/settings.ts"
import * as Services from "./Services.ts"
import type { Transport } from "./Transport.ts"

/**
 * The services of all lists.
 *
 * @since 1.0.0
 * @category models
 */
export type Mailstream = Context.Service.Identifier<(typeof Services)[keyof typeof Services]>

/** Merges layers, one for each service, which the type of an array cannot say. */
const merged = <R>(layers: ReadonlyArray<Layer.Layer<never, never, R>>): Layer.Layer<Mailstream, never, R> =>
  Layer.mergeAll(Layer.empty, ...layers) as Layer.Layer<Mailstream, never, R>

/** A client, and its services. */
const complete = (client: typeof ApiClient.ApiClient.Service): Context.Context<Mailstream | ApiClient.ApiClient> => {
  const services = new Map<string, unknown>([[ApiClient.ApiClient.key, client]])
  for (const service of Object.values(Services)) services.set(service.key, service.fromClient(client))
  // A context of all of them, which the type of a loop cannot say.
  return Context.makeUnsafe(services)
}

/**
 * All services, and the client they share, without a layer: for a program with a client for each of many accounts, which takes a fraction
 * of a millisecond and 25 KB.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (
  options: ApiClient.Options
): Effect.Effect<Context.Context<Mailstream | ApiClient.ApiClient>, InvalidOption, Transport> =>
  Effect.map(ApiClient.make(options), complete)

/**
 * All services, and the client they share.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import * as FetchTransport from "@mailstream/effect4/FetchTransport"
 * import { Layer, Redacted } from "effect"
 *
 * const MailstreamLive = Mailstream.layer({
 *   baseUrl: "https://api.example.com",
 *   apiKey: Redacted.make("…")
 * }).pipe(Layer.provide(FetchTransport.layer))
 * ```
 */
export const layer = (
  options: ApiClient.Options
): Layer.Layer<Mailstream | ApiClient.ApiClient, InvalidOption, Transport> => Layer.effectContext(make(options))

/**
 * All services, with options from the configuration: unless given, the base URL from `MAILSTREAM_BASE_URL`, and the key from
 * `MAILSTREAM_API_KEY`.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import { Config } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig({
 *   apiKey: Config.Redacted("NEWSLETTER_API_KEY"),
 *   timeout: Config.withDefault(Config.Duration("NEWSLETTER_TIMEOUT"), "30 seconds")
 * })
 * ```
 */
export const layerConfig = (
  options?: ApiClient.ConfigOptions
): Layer.Layer<Mailstream | ApiClient.ApiClient, Config.ConfigError | InvalidOption, Transport> =>
  Layer.effectContext(Effect.flatMap(Settings.fromConfig(options), make))

/**
 * What the lists return in a test, newest item first; lists that are omitted are empty.
 *
 * @since 1.0.0
 * @category models
 */
export type TestItems = {
  readonly [Name in keyof typeof Services as Uncapitalize<Name>]?:
    | Parameters<(typeof Services)[Name]["layerTest"]>[0]
    | undefined
}

/**
 * All services on given items, for tests without a network.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Contacts, Mailstream } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const count = Effect.gen(function*() {
 *   const contacts = yield* Contacts
 *   return (yield* contacts.list()).data.length
 * })
 *
 * count.pipe(Effect.provide(Mailstream.layerTest({ contacts: [] })), Effect.runSync) // 0
 * ```
 */
export const layerTest = (items: TestItems = {}): Layer.Layer<Mailstream> => {
  const given: { readonly [name: string]: unknown } = items
  return merged(
    Object.entries(Services).map(([name, { layerTest }]) => {
      // The items under the name of a service are its own: `TestItems` says so, a loop cannot.
      const make = layerTest as (items: unknown) => Layer.Layer<never>
      return make(given[uncapitalize(name)] ?? [])
    })
  )
}
