/**
 * Without Effect: the life of a contact, a template and an API key, and errors that say what became of a change.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/plain-changes.ts
 */
import { Mailstream, MailstreamError } from "@mailstream/client"

const mailstream = Mailstream.fromEnv()

const { id } = await mailstream.contacts.create({ email: "ada@example.com", first_name: "Ada" })
await mailstream.contacts.update(id, { last_name: "Lovelace" }) // what is absent stays as it is, null removes
const segment = await mailstream.segments.create({ name: "Beta testers" })
await mailstream.contacts.join({ email: "ada@example.com" }, segment.id)
const members = await mailstream.contacts.items({ filter: { segment_id: segment.id } }).toArray({ limit: 10 })
console.log(`in the segment: ${members.map((contact) => `${contact.first_name} ${contact.last_name}`).join(", ")}`)

const template = await mailstream.templates.create({ name: "Welcome", alias: "welcome", html: "<p>Hello</p>" })
await mailstream.templates.publish({ alias: "welcome" })
console.log(`the template is ${(await mailstream.templates.get(template.id)).status}`)

// A secret does not show itself: `created.token.value()` is the token.
const created = await mailstream.apiKeys.create({ name: "CI", permission: "sending_access" })
console.log(`the token: ${created.token}`)

await mailstream.apiKeys.remove(created.id)
await mailstream.templates.remove(template.id)
await mailstream.segments.remove(segment.id)
await mailstream.contacts.remove(id)

try {
  await mailstream.contacts.update(id, { first_name: "Augusta" })
} catch (error) {
  if (!(error instanceof MailstreamError)) throw error
  // After "unknown", look before you repeat it.
  console.log(`${error._tag}, ${error.outcome}`)
}

await mailstream.close()
