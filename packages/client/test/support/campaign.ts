/** Runs a campaign to all contacts, and prints each of them: a test kills it anywhere. */
import { Mailstream } from "@mailstream/client"
import { postgres, sqlite } from "@mailstream/client/campaign"

const [where = "", lease = "500"] = process.argv.slice(2)
await using client = Mailstream.fromEnv({ rateLimit: false })

const news = client.campaign("news", {
  store: where.startsWith("postgres:") ? postgres(where) : sqlite(where),
  audience: client.contacts.items({ pageSize: 10 }),
  message: ({ email, id }) => {
    process.stdout.write(`${id}\n`)
    return { from: "ada@example.com", to: email, subject: "News", text: "Hello!" }
  }
})

const { accepted } = await news.run({ batchSize: 10, concurrency: 1, lease: Number(lease) })
process.stdout.write(`end ${accepted}\n`)
