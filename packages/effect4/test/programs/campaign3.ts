/** Runs a campaign on Effect 3, and prints how many were accepted. */
import { Campaign } from "@mailstream/campaign"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { Effect, Layer, Logger, Redacted, Stream } from "effect3"
import { baseUrl, database, emailTo, isFile, options, people } from "./campaign.ts"

const news = Campaign.make("news", { audience: Stream.fromIterable(people), message: emailTo })

const live = Layer.mergeAll(
  Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false }).pipe(
    Layer.provide(UndiciTransport.layer)
  ),
  isFile ? Sqlite.layer({ filename: database }) : Postgres.layer({ url: Redacted.make(database), maxConnections: 3 }),
  Logger.remove(Logger.defaultLogger)
)

const { accepted } = await Effect.runPromise(Effect.provide(Campaign.run(news, options), live))
console.log(accepted)
