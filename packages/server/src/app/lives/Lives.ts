/** What each kind of object does in its own way. */
import { Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Downloads from "../Downloads.ts"
import * as Broadcasts from "./Broadcasts.ts"
import * as ContactProperties from "./ContactProperties.ts"
import * as Contacts from "./Contacts.ts"
import * as Domains from "./Domains.ts"
import * as Emails from "./Emails.ts"
import type { Life } from "./Life.ts"
import * as Suppressions from "./Suppressions.ts"
import * as Templates from "./Templates.ts"
import * as Webhooks from "./Webhooks.ts"

const own: { readonly [list: string]: Partial<Life> } = {
  [Resource.broadcasts.name]: Broadcasts.life,
  [Resource.contacts.name]: Contacts.life,
  [Resource.contactProperties.name]: ContactProperties.life,
  [Resource.domains.name]: Domains.life,
  [Resource.emails.name]: Emails.life,
  [Resource.emailAttachments.name]: {
    object: "attachment",
    show: (store, attachment, view) => Effect.map(Downloads.links(store, view), (withLink) => withLink(attachment))
  },
  [Resource.receivedEmails.name]: { object: "email" },
  [Resource.receivedEmailAttachments.name]: { object: "attachment" },
  [Resource.segments.name]: { title: "Audience", forgives: true },
  [Resource.suppressions.name]: Suppressions.life,
  [Resource.templates.name]: Templates.life,
  [Resource.topics.name]: {
    born: () => ({ description: null, default_subscription: "opt_in", visibility: "private" })
  },
  [Resource.webhooks.name]: Webhooks.life
}

/** `contact property` of `contact-properties`, `API key` of `API keys`. */
const singular = (plural: string): string => plural.replace(/ies$/, "y").replace(/s$/, "")

const lives = new Map(Resource.all.map(({ name, title }): [string, Life] => {
  const one = singular(title)
  return [name, {
    title: one.charAt(0).toUpperCase() + one.slice(1),
    object: singular(name).replaceAll("-", "_"),
    ...own[name]
  }]
}))

/** The life of the objects of a list. */
export const of = (list: string): Life => lives.get(list)!
