/** What sample items have beside the fields that lists show: it follows from those, so that they stay as they are. */
import type { Broadcast, Contact, Email, ReceivedEmail, Template, Webhook } from "@mailstream/core"
import * as Array from "effect/Array"
import * as Samples from "./Samples.ts"
import * as words from "./words.ts"

const escape = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

const body = (subject: string) => ({
  html: `<h1>${escape(subject)}</h1><p>Hello!</p>`,
  text: `${subject}\n\nHello!`
})

const sender = `Sample <hello@${words.mailDomains[0]}>`

export const broadcast = (broadcast: Broadcast) => ({
  ...broadcast,
  ...body(broadcast.name ?? ""),
  from: sender,
  subject: broadcast.name ?? "",
  reply_to: null,
  preview_text: null,
  topic_id: null
})

export const email = (email: Email) => ({
  ...email,
  ...body(email.subject ?? ""),
  tags: [{ name: "kind", value: "sample" }]
})

export const receivedEmail = (email: ReceivedEmail) => ({
  ...email,
  ...body(email.subject ?? ""),
  headers: { "message-id": email.message_id, "mime-version": "1.0" },
  raw: { download_url: `https://files.example.com/${email.id}.eml?signature=sample`, expires_at: email.created_at }
})

export const template = (template: Template) => ({
  ...template,
  ...body(template.name ?? ""),
  from: sender,
  subject: template.name ?? "",
  reply_to: null,
  variables: [{ key: "NAME", type: "string", fallback_value: "you" }]
})

/** Not random, and of no use to anybody: nothing is sent to the endpoints of sample data. */
export const webhook = (webhook: Webhook) => ({ ...webhook, signing_secret: `whsec_${btoa(webhook.id)}` })

/** How many of the properties contacts have values for. */
const valued = 3

/** Every third contact has values for the first properties. */
export const contact = (
  contact: Contact,
  number: number,
  { account, properties, seed }: {
    readonly account?: string | undefined
    readonly properties: number
    readonly seed: number
  }
) => {
  if (number % 3 !== 0 || properties === 0) return contact
  const values = Array.makeBy(Math.min(properties, valued), (index) => Samples.contactProperty(index, seed, account))
    .map(({ id, type }) => [id, type === "number" ? number : words.companies[number % words.companies.length]])
  return { ...contact, values: Object.fromEntries(values) }
}
