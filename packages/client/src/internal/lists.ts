/** The lists on a connection. Generated from the table of lists by `npm run generate`. */
import * as apiKeys from "@mailstream/stream/apiKeys"
import * as broadcasts from "@mailstream/stream/broadcasts"
import * as contacts from "@mailstream/stream/contacts"
import * as domains from "@mailstream/stream/domains"
import * as emails from "@mailstream/stream/emails"
import * as receivedEmailAttachments from "@mailstream/stream/receivedEmailAttachments"
import * as receivedEmails from "@mailstream/stream/receivedEmails"
import * as segments from "@mailstream/stream/segments"
import * as templates from "@mailstream/stream/templates"
import * as topics from "@mailstream/stream/topics"
import type { Lists } from "../Lists.ts"
import type { Connection } from "./connection.ts"
import * as List from "./list.ts"
import * as Topics from "./topics.ts"

export abstract class AllLists implements Lists {
  readonly domains: Lists["domains"]
  readonly apiKeys: Lists["apiKeys"]
  readonly broadcasts: Lists["broadcasts"]
  readonly segments: Lists["segments"]
  readonly contacts: Lists["contacts"]
  readonly receivedEmails: Lists["receivedEmails"]
  readonly receivedEmailAttachments: Lists["receivedEmailAttachments"]
  readonly emails: Lists["emails"]
  readonly templates: Lists["templates"]
  readonly topics: Lists["topics"]

  constructor(connection: Connection) {
    this.domains = List.makeOptionalLimit(connection, domains.list)
    this.apiKeys = List.makeOptionalLimit(connection, apiKeys.list)
    this.broadcasts = List.makeOptionalLimit(connection, broadcasts.list)
    this.segments = List.makeOptionalLimit(connection, segments.list)
    this.contacts = List.makeOptionalLimit(connection, contacts.list)
    this.receivedEmails = List.makeOptionalLimit(connection, receivedEmails.list)
    this.receivedEmailAttachments = List.makeOptionalLimit(connection, receivedEmailAttachments.list)
    this.emails = List.make(connection, emails.list)
    this.templates = List.make(connection, templates.list)
    this.topics = Topics.make(connection, topics.list)
  }
}
