/** The lists on a connection. Generated from the table of lists by `npm run generate`. */
import { operations as apiKeyOperations } from "@mailstream/core/ApiKeyOperations"
import { operations as broadcastOperations } from "@mailstream/core/BroadcastOperations"
import { operations as contactOperations } from "@mailstream/core/ContactOperations"
import { operations as contactPropertyOperations } from "@mailstream/core/ContactPropertyOperations"
import { operations as domainOperations } from "@mailstream/core/DomainOperations"
import { operations as emailAttachmentOperations } from "@mailstream/core/EmailAttachmentOperations"
import { operations as emailOperations } from "@mailstream/core/EmailOperations"
import { operations as receivedEmailAttachmentOperations } from "@mailstream/core/ReceivedEmailAttachmentOperations"
import { operations as receivedEmailOperations } from "@mailstream/core/ReceivedEmailOperations"
import { operations as segmentOperations } from "@mailstream/core/SegmentOperations"
import { operations as suppressionOperations } from "@mailstream/core/SuppressionOperations"
import { operations as templateOperations } from "@mailstream/core/TemplateOperations"
import { operations as topicOperations } from "@mailstream/core/TopicOperations"
import { operations as webhookOperations } from "@mailstream/core/WebhookOperations"
import * as Services from "@mailstream/http/Services"
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
import * as Objects from "./objects.ts"

export const make = (connection: Connection): Lists => ({
  domains: {
    ...List.makeOptionalLimit(connection, domains.descriptor),
    ...Objects.make(connection, domains.descriptor, Services.Domains, domainOperations)
  },
  apiKeys: {
    ...List.makeOptionalLimit(connection, apiKeys.descriptor),
    ...Objects.make(connection, apiKeys.descriptor, Services.ApiKeys, apiKeyOperations)
  },
  broadcasts: {
    ...List.makeOptionalLimit(connection, broadcasts.descriptor),
    ...Objects.make(connection, broadcasts.descriptor, Services.Broadcasts, broadcastOperations)
  },
  segments: {
    ...List.makeOptionalLimit(connection, segments.descriptor),
    ...Objects.make(connection, segments.descriptor, Services.Segments, segmentOperations)
  },
  contacts: {
    ...List.makeOptionalLimit(connection, contacts.descriptor),
    ...Objects.make(connection, contacts.descriptor, Services.Contacts, contactOperations)
  },
  receivedEmails: {
    ...List.makeOptionalLimit(connection, receivedEmails.descriptor),
    ...Objects.make(connection, receivedEmails.descriptor, Services.ReceivedEmails, receivedEmailOperations)
  },
  receivedEmailAttachments: {
    ...List.makeOptionalLimit(connection, receivedEmailAttachments.descriptor),
    ...Objects.make(
      connection,
      receivedEmailAttachments.descriptor,
      Services.ReceivedEmailAttachments,
      receivedEmailAttachmentOperations
    )
  },
  emails: {
    ...List.make(connection, emails.descriptor),
    ...Objects.make(connection, emails.descriptor, Services.Emails, emailOperations)
  },
  templates: {
    ...List.make(connection, templates.descriptor),
    ...Objects.make(connection, templates.descriptor, Services.Templates, templateOperations)
  },
  topics: {
    ...List.make(connection, topics.descriptor),
    ...Objects.make(connection, topics.descriptor, Services.Topics, topicOperations)
  },
  emailAttachments: {
    ...List.make(connection, emailAttachments.descriptor),
    ...Objects.make(connection, emailAttachments.descriptor, Services.EmailAttachments, emailAttachmentOperations)
  },
  contactTopics: List.make(connection, contactTopics.descriptor),
  contactProperties: {
    ...List.make(connection, contactProperties.descriptor),
    ...Objects.make(connection, contactProperties.descriptor, Services.ContactProperties, contactPropertyOperations)
  },
  broadcastRecipients: List.make(connection, broadcastRecipients.descriptor),
  suppressions: {
    ...List.make(connection, suppressions.descriptor),
    ...Objects.make(connection, suppressions.descriptor, Services.Suppressions, suppressionOperations)
  },
  webhooks: {
    ...List.make(connection, webhooks.descriptor),
    ...Objects.make(connection, webhooks.descriptor, Services.Webhooks, webhookOperations)
  }
})
