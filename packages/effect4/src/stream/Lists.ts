/**
 * The lists of the API, each a module of Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type * as Mailstream from "../http/Mailstream.ts"
import * as apiKeys from "./apiKeys.ts"
import * as broadcastRecipients from "./broadcastRecipients.ts"
import * as broadcasts from "./broadcasts.ts"
import * as contactProperties from "./contactProperties.ts"
import * as contacts from "./contacts.ts"
import * as contactTopics from "./contactTopics.ts"
import * as domains from "./domains.ts"
import * as emailAttachments from "./emailAttachments.ts"
import * as emails from "./emails.ts"
import type * as List from "./List.ts"
import * as receivedEmailAttachments from "./receivedEmailAttachments.ts"
import * as receivedEmails from "./receivedEmails.ts"
import * as segments from "./segments.ts"
import * as suppressions from "./suppressions.ts"
import * as templates from "./templates.ts"
import * as topics from "./topics.ts"
import * as webhooks from "./webhooks.ts"

export {
  apiKeys,
  broadcastRecipients,
  broadcasts,
  contactProperties,
  contacts,
  contactTopics,
  domains,
  emailAttachments,
  emails,
  receivedEmailAttachments,
  receivedEmails,
  segments,
  suppressions,
  templates,
  topics,
  webhooks
}

/**
 * Applies a function to every list, for code that works with any of them.
 *
 * @since 1.0.0
 * @category combinators
 */
export const mapLists = <A>(
  f: <
    Item extends { readonly id: string },
    Encoded,
    Filter,
    Service extends Mailstream.Mailstream
  >(list: List.List<Item, Encoded, Filter, Service>) => A
): readonly [A, ...Array<A>] => [
  f(domains.descriptor),
  f(apiKeys.descriptor),
  f(broadcasts.descriptor),
  f(segments.descriptor),
  f(contacts.descriptor),
  f(receivedEmails.descriptor),
  f(receivedEmailAttachments.descriptor),
  f(emails.descriptor),
  f(templates.descriptor),
  f(topics.descriptor),
  f(emailAttachments.descriptor),
  f(contactTopics.descriptor),
  f(contactProperties.descriptor),
  f(broadcastRecipients.descriptor),
  f(suppressions.descriptor),
  f(webhooks.descriptor)
]
