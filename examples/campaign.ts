/**
 * Writes to every contact who has not unsubscribed, each once. Kill it at any instant and start it again: it continues.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/campaign.ts
 */
import { NodeRuntime } from "@effect/platform-node"
import { Campaign } from "@mailstream/campaign"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Sqlite } from "@mailstream/sql"
import { contacts } from "@mailstream/stream"
import { Console, Effect, Layer, Stream } from "effect"

const news = Campaign.make("news-2026-11", {
  audience: (from) => contacts.pages({ from }),
  message: (contact) =>
    contact.unsubscribed
      ? Campaign.skip("unsubscribed")
      : {
        from: "Ada <ada@example.com>",
        to: contact.email,
        subject: "November",
        text: `Hello ${contact.first_name ?? "there"}!`
      }
})

const program = Effect.gen(function*() {
  const { accepted, rejected, skipped } = yield* Campaign.run(news)
  yield* Console.log(`${accepted} accepted, ${rejected} rejected, ${skipped} skipped`)
  yield* Stream.runForEach(
    Campaign.recipients(news.name, { state: "rejected" }),
    ({ address, reason }) => Console.log(`${address}: ${reason}`)
  )
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

// The memory of the campaign: who was written to, and with what.
const DatabaseLive = Sqlite.layer({ filename: "campaigns.db" })

program.pipe(Effect.provide(Layer.merge(MailstreamLive, DatabaseLive)), NodeRuntime.runMain)
