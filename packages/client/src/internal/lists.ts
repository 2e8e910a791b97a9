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

export const make = (connection: Connection): Lists => ({
  domains: List.makeOptionalLimit(connection, domains.list),
  apiKeys: List.makeOptionalLimit(connection, apiKeys.list),
  broadcasts: List.makeOptionalLimit(connection, broadcasts.list),
  segments: List.makeOptionalLimit(connection, segments.list),
  contacts: List.makeOptionalLimit(connection, contacts.list),
  receivedEmails: List.makeOptionalLimit(connection, receivedEmails.list),
  receivedEmailAttachments: List.makeOptionalLimit(connection, receivedEmailAttachments.list),
  emails: List.make(connection, emails.list),
  templates: List.make(connection, templates.list),
  topics: Topics.make(connection, topics.list)
})
