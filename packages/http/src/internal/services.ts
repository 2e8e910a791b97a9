/** All services at once. Generated from the table of lists by `npm run generate`. */
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
import * as Layer from "effect/Layer"
import type { ApiClient } from "../ApiClient.ts"
import type { Items } from "../ListService.ts"
import {
  ApiKeys,
  Broadcasts,
  Contacts,
  Domains,
  Emails,
  ReceivedEmailAttachments,
  ReceivedEmails,
  Segments,
  Templates,
  Topics
} from "../Services.ts"

export type Services =
  | Domains
  | ApiKeys
  | Broadcasts
  | Segments
  | Contacts
  | ReceivedEmails
  | ReceivedEmailAttachments
  | Emails
  | Templates
  | Topics

/** Fresh: every client has services of its own. */
export const layer: Layer.Layer<Services, never, ApiClient> = Layer.fresh(Layer.mergeAll(
  Domains.layer,
  ApiKeys.layer,
  Broadcasts.layer,
  Segments.layer,
  Contacts.layer,
  ReceivedEmails.layer,
  ReceivedEmailAttachments.layer,
  Emails.layer,
  Templates.layer,
  Topics.layer
))

export interface TestItems {
  readonly domains?: Items<Domain, undefined> | undefined
  readonly apiKeys?: Items<ApiKey, undefined> | undefined
  readonly broadcasts?: Items<Broadcast, undefined> | undefined
  readonly segments?: Items<Segment, undefined> | undefined
  readonly contacts?: Items<Contact, Resource.SegmentFilter | undefined> | undefined
  readonly receivedEmails?: Items<ReceivedEmail, undefined> | undefined
  readonly receivedEmailAttachments?: Items<ReceivedEmailAttachment, Resource.EmailFilter> | undefined
  readonly emails?: Items<Email, undefined> | undefined
  readonly templates?: Items<Template, undefined> | undefined
  readonly topics?: Items<Topic, undefined> | undefined
}

export const layerTest = (items: TestItems): Layer.Layer<Services> =>
  Layer.mergeAll(
    Domains.layerTest(items.domains ?? []),
    ApiKeys.layerTest(items.apiKeys ?? []),
    Broadcasts.layerTest(items.broadcasts ?? []),
    Segments.layerTest(items.segments ?? []),
    Contacts.layerTest(items.contacts ?? []),
    ReceivedEmails.layerTest(items.receivedEmails ?? []),
    ReceivedEmailAttachments.layerTest(items.receivedEmailAttachments ?? []),
    Emails.layerTest(items.emails ?? []),
    Templates.layerTest(items.templates ?? []),
    Topics.layerTest(items.topics ?? [])
  )
