/** Runs a campaign on Effect 4, and prints how many were accepted. */
import { Mailstream } from "@mailstream/effect4"
import * as Campaign from "@mailstream/effect4/Campaign"
import * as Postgres from "@mailstream/effect4/Postgres"
import * as Sqlite from "@mailstream/effect4/Sqlite"
import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
import { Effect, Layer, Logger, Redacted, Stream } from "effect"
import { baseUrl, database, emailTo, isFile, options, people } from "./campaign.ts"

const news = Campaign.make("news", { audience: Stream.fromIterable(people), message: emailTo })

const live = Layer.mergeAll(
  Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false }).pipe(
    Layer.provide(UndiciTransport.layer)
  ),
  isFile ? Sqlite.layer({ filename: database }) : Postgres.layer({ url: Redacted.make(database), maxConnections: 3 }),
  Logger.layer([])
)

const { accepted } = await Effect.runPromise(Effect.provide(Campaign.run(news, options), live))
console.log(accepted)
