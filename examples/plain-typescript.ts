/**
 * Without Effect: a loop, a request with a deadline, errors by tag, and work that survives a crash.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/plain-typescript.ts
 */
import { Mailstream, MailstreamError } from "@mailstream/client"
import { fileStore } from "@mailstream/client/file-store"

const mailstream = Mailstream.fromEnv()

// Lazy: `break` ends the walk, and aborts the request in flight.
let subscribed = 0
for await (const contact of mailstream.contacts.items()) {
  if (!contact.unsubscribed) subscribed++
  if (subscribed === 100) break
}
console.log(`found ${subscribed} subscribed contacts`)

const newest = await mailstream.contacts.list({ limit: 3, signal: AbortSignal.timeout(5000) })
console.log(`newest: ${newest.data.map((contact) => contact.email).join(", ")}`)

try {
  await mailstream.contacts.list({ limit: 1000 })
} catch (error) {
  if (!(error instanceof MailstreamError) || error._tag !== "validation_error") throw error
  console.log(`${error._tag}: ${error.message}`)
}

// Killed at any instant and started again, it resumes where it was.
let synced = 0
await mailstream.contacts.process("sync", async () => void synced++, { concurrency: 8, store: fileStore("state") })
console.log(`synced ${synced} contacts`)

await mailstream.close()
