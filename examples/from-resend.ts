/**
 * The same export twice: with the SDK of Resend, and with this library.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/from-resend.ts
 */
import { Mailstream } from "@mailstream/client"
import { Resend } from "resend"

/** Before: the cursor, the errors and the end are yours. */
const before = async (resend: Resend): Promise<ReadonlyArray<string>> => {
  const emails: Array<string> = []
  let after: string | undefined
  for (;;) {
    const { data, error } = await resend.contacts.list({ limit: 100, ...(after === undefined ? {} : { after }) })
    if (error !== null) throw new Error(`${error.name}: ${error.message}`)
    for (const contact of data.data) if (!contact.unsubscribed) emails.push(contact.email)
    const last = data.data.at(-1)
    if (!data.has_more || last === undefined) return emails
    after = last.id
  }
}

/** After: a loop. Retries, the rate limit and deleted cursors are taken care of. */
const after = async (mailstream: Mailstream): Promise<ReadonlyArray<string>> => {
  const emails: Array<string> = []
  for await (const contact of mailstream.contacts.items()) {
    if (!contact.unsubscribed) emails.push(contact.email)
  }
  return emails
}

const { MAILSTREAM_API_KEY: apiKey = "", MAILSTREAM_BASE_URL: baseUrl = "" } = process.env
const mailstream = new Mailstream({ apiKey, baseUrl })
const [old, now] = [await before(new Resend(apiKey, { baseUrl })), await after(mailstream)]
console.log(`before: ${old.length}, after: ${now.length}, the same: ${old.join() === now.join()}`)
await mailstream.close()
