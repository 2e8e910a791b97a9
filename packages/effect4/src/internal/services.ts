/** All services at once. Generated from the table of lists by `npm run generate`. */
import type { Mailstream } from "@mailstream/client"
import * as Context from "effect/Context"
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
} from "../Lists.ts"
import * as List from "./list.ts"
import * as topics from "./topics.ts"

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

export const fromClient = (client: Mailstream): Context.Context<Services> =>
  Context.mergeAll(
    Domains.context(List.makeOptionalLimit(client.domains)),
    ApiKeys.context(List.makeOptionalLimit(client.apiKeys)),
    Broadcasts.context(List.makeOptionalLimit(client.broadcasts)),
    Segments.context(List.makeOptionalLimit(client.segments)),
    Contacts.context(List.makeOptionalLimit(client.contacts)),
    ReceivedEmails.context(List.makeOptionalLimit(client.receivedEmails)),
    ReceivedEmailAttachments.context(List.makeOptionalLimit(client.receivedEmailAttachments)),
    Emails.context(List.make(client.emails)),
    Templates.context(List.make(client.templates)),
    Topics.context(topics.make(client.topics))
  )
