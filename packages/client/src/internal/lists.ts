/** The lists on a connection. Generated from the table of lists by `npm run generate`. */
import * as apiKeys from "@mailstream/stream/apiKeys"
import * as broadcastRecipients from "@mailstream/stream/broadcastRecipients"
import * as broadcasts from "@mailstream/stream/broadcasts"
import * as contactProperties from "@mailstream/stream/contactProperties"
import * as contacts from "@mailstream/stream/contacts"
import * as contactTopics from "@mailstream/stream/contactTopics"
import * as domains from "@mailstream/stream/domains"
import * as emailAttachments from "@mailstream/stream/emailAttachments"
import * as emails from "@mailstream/stream/emails"
import * as receivedEmailAttachments from "@mailstream/stream/receivedEmailAttachments"
import * as receivedEmails from "@mailstream/stream/receivedEmails"
import * as segments from "@mailstream/stream/segments"
import * as suppressions from "@mailstream/stream/suppressions"
import * as templates from "@mailstream/stream/templates"
import * as topics from "@mailstream/stream/topics"
import * as webhooks from "@mailstream/stream/webhooks"
import type { Lists } from "../Lists.ts"
import type { Connection } from "./connection.ts"
import * as List from "./list.ts"
import * as Topics from "./topics.ts"

export const make = (connection: Connection): Lists => ({
  domains: List.makeOptionalLimit(connection, domains.descriptor),
  apiKeys: List.makeOptionalLimit(connection, apiKeys.descriptor),
  broadcasts: List.makeOptionalLimit(connection, broadcasts.descriptor),
  segments: List.makeOptionalLimit(connection, segments.descriptor),
  contacts: List.makeOptionalLimit(connection, contacts.descriptor),
  receivedEmails: List.makeOptionalLimit(connection, receivedEmails.descriptor),
  receivedEmailAttachments: List.makeOptionalLimit(connection, receivedEmailAttachments.descriptor),
  emails: List.make(connection, emails.descriptor),
  templates: List.make(connection, templates.descriptor),
  topics: Topics.make(connection, topics.descriptor),
  emailAttachments: List.make(connection, emailAttachments.descriptor),
  contactTopics: List.make(connection, contactTopics.descriptor),
  contactProperties: List.make(connection, contactProperties.descriptor),
  broadcastRecipients: List.make(connection, broadcastRecipients.descriptor),
  suppressions: List.make(connection, suppressions.descriptor),
  webhooks: List.make(connection, webhooks.descriptor)
})
