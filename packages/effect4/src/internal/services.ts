/** All services at once. Generated from the table of lists by `npm run generate`. */
import type { Mailstream } from "@mailstream/client"
import * as Context from "effect/Context"
import * as Lists from "../Lists.ts"
import * as List from "./list.ts"
import * as topics from "./topics.ts"

export const fromClient = (client: Mailstream) =>
  Context.mergeAll(
    Lists.Domains.context(List.makeOptionalLimit(client.domains)),
    Lists.ApiKeys.context(List.makeOptionalLimit(client.apiKeys)),
    Lists.Broadcasts.context(List.makeOptionalLimit(client.broadcasts)),
    Lists.Segments.context(List.makeOptionalLimit(client.segments)),
    Lists.Contacts.context(List.makeOptionalLimit(client.contacts)),
    Lists.ReceivedEmails.context(List.makeOptionalLimit(client.receivedEmails)),
    Lists.ReceivedEmailAttachments.context(List.makeOptionalLimit(client.receivedEmailAttachments)),
    Lists.Emails.context(List.make(client.emails)),
    Lists.Templates.context(List.make(client.templates)),
    Lists.Topics.context(topics.make(client.topics)),
    Lists.EmailAttachments.context(List.make(client.emailAttachments)),
    Lists.ContactTopics.context(List.makeUnordered(client.contactTopics)),
    Lists.ContactProperties.context(List.make(client.contactProperties)),
    Lists.BroadcastRecipients.context(List.makeUnordered(client.broadcastRecipients)),
    Lists.Suppressions.context(List.make(client.suppressions)),
    Lists.Webhooks.context(List.make(client.webhooks))
  )

export type Services = ReturnType<typeof fromClient> extends Context.Context<infer Services> ? Services : never
