/**
 * The whole API at once: all services in one layer.
 *
 * @since 0.1.0
 */
import type {
  ApiKey,
  Broadcast,
  Contact,
  Domain,
  Email,
  ReceivedEmail,
  ReceivedEmailAttachment,
  Segment,
  Template,
  Topic
} from "@mailstream/core"
import type * as Resource from "@mailstream/core/Resource"
import type * as ConfigError from "effect/ConfigError"
import * as Layer from "effect/Layer"
import { ApiClient, type Options } from "./ApiClient.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { Contacts } from "./Contacts.ts"
import { Domains } from "./Domains.ts"
import { Emails } from "./Emails.ts"
import type * as List from "./List.ts"
import { ReceivedEmailAttachments } from "./ReceivedEmailAttachments.ts"
import { ReceivedEmails } from "./ReceivedEmails.ts"
import { Segments } from "./Segments.ts"
import { Templates } from "./Templates.ts"
import { Topics } from "./Topics.ts"
import type { Transport } from "./Transport.ts"

/**
 * The services of all resources.
 *
 * @since 0.1.0
 * @category models
 */
export type Mailstream =
  | ApiKeys
  | Broadcasts
  | Contacts
  | Domains
  | Emails
  | ReceivedEmailAttachments
  | ReceivedEmails
  | Segments
  | Templates
  | Topics

const services: Layer.Layer<Mailstream, never, ApiClient> = Layer.mergeAll(
  ApiKeys.layer,
  Broadcasts.layer,
  Contacts.layer,
  Domains.layer,
  Emails.layer,
  ReceivedEmailAttachments.layer,
  ReceivedEmails.layer,
  Segments.layer,
  Templates.layer,
  Topics.layer
)

/**
 * All services, and the client below them.
 *
 * @since 0.1.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/http"
 * import * as FetchTransport from "@mailstream/http/FetchTransport"
 * import { Layer, Redacted } from "effect"
 *
 * const MailstreamLive = Mailstream.layer({
 *   baseUrl: "https://api.example.com",
 *   apiKey: Redacted.make("…")
 * }).pipe(Layer.provide(FetchTransport.layer))
 * ```
 */
export const layer = (
  options: Options
): Layer.Layer<Mailstream | ApiClient, ConfigError.ConfigError, Transport> =>
  Layer.provideMerge(services, ApiClient.layer(options))

/**
 * All services; base URL and key come from the configuration: `MAILSTREAM_BASE_URL` and `MAILSTREAM_API_KEY`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options?: Omit<Options, "baseUrl" | "apiKey">
): Layer.Layer<Mailstream | ApiClient, ConfigError.ConfigError, Transport> =>
  Layer.provideMerge(services, ApiClient.layerConfig(options))

/**
 * What the lists answer with in a test, the newest item first; lists that are left out are empty.
 *
 * @since 0.1.0
 * @category models
 */
export interface TestItems {
  readonly apiKeys?: List.Items<ApiKey, Resource.NoFilter> | undefined
  readonly broadcasts?: List.Items<Broadcast, Resource.NoFilter> | undefined
  readonly contacts?: List.Items<Contact, Resource.SegmentFilter> | undefined
  readonly domains?: List.Items<Domain, Resource.NoFilter> | undefined
  readonly emails?: List.Items<Email, Resource.NoFilter> | undefined
  readonly receivedEmailAttachments?: List.Items<ReceivedEmailAttachment, Resource.EmailFilter> | undefined
  readonly receivedEmails?: List.Items<ReceivedEmail, Resource.NoFilter> | undefined
  readonly segments?: List.Items<Segment, Resource.NoFilter> | undefined
  readonly templates?: List.Items<Template, Resource.NoFilter> | undefined
  readonly topics?: ReadonlyArray<Topic> | undefined
}

/**
 * All services, answering from values: for tests without a network.
 *
 * @since 0.1.0
 * @category layers
 * @example
 * ```ts
 * import { Contacts, Mailstream } from "@mailstream/http"
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
export const layerTest = (items: TestItems = {}): Layer.Layer<Mailstream> =>
  Layer.mergeAll(
    ApiKeys.layerTest(items.apiKeys ?? []),
    Broadcasts.layerTest(items.broadcasts ?? []),
    Contacts.layerTest(items.contacts ?? []),
    Domains.layerTest(items.domains ?? []),
    Emails.layerTest(items.emails ?? []),
    ReceivedEmailAttachments.layerTest(items.receivedEmailAttachments ?? []),
    ReceivedEmails.layerTest(items.receivedEmails ?? []),
    Segments.layerTest(items.segments ?? []),
    Templates.layerTest(items.templates ?? []),
    Topics.layerTest(items.topics ?? [])
  )
