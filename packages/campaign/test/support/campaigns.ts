/** A service with contacts, a database, and campaigns that use them. */
import type { SqlClient } from "@effect/sql"
import { Campaign } from "@mailstream/campaign"
import type { Contact } from "@mailstream/core"
import { Mailstream } from "@mailstream/http"
import type { ApiClient } from "@mailstream/http/ApiClient"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as PostgresClient from "@mailstream/sql/Postgres"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { contacts, emails } from "@mailstream/stream"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Effect, Layer, type Scope, Stream } from "effect"

export type Database = Context.Context<SqlClient.SqlClient>

type Open = Effect.Effect<Layer.Layer<SqlClient.SqlClient>, never, Scope.Scope>

const sqlite: Open = Effect.map(
  Temporary.file("campaign.db"),
  (filename) => Layer.fresh(Layer.orDie(Sqlite.layer({ filename })))
)

const postgres: Open = Effect.gen(function*() {
  const url = yield* Postgres.createSchema(Provided.postgres())
  return Layer.fresh(Layer.orDie(PostgresClient.layer({ url, maxConnections: 4 })))
})

/** Ways to open the same new database as often as a test likes. */
export const databases: ReadonlyArray<readonly [name: string, open: Open]> = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]

export type Client = Mailstream.Mailstream | ApiClient

/** A client of the test's server. */
export const client: Layer.Layer<Client, never, Server.TestServer> = Layer.orDie(
  Layer.unwrapEffect(
    Effect.map(Server.TestServer, (server) => Mailstream.layer({ ...server, rateLimit: false }))
  ).pipe(Layer.provide(UndiciTransport.layer))
)

/** A server with contacts, and a client of it. */
export const service = (
  count: number,
  options?: Parameters<typeof Server.layerTest>[0]
): Layer.Layer<Client | Server.TestServer> =>
  Layer.provideMerge(
    client,
    Layer.orDie(
      Layer.provideMerge(Layer.effectDiscard(SampleData.insert({ contacts: count })), Server.layerTest(options))
    )
  )

export const messageTo = (contact: Pick<Contact, "email">) => ({
  from: "Ada <ada@example.com>",
  to: contact.email,
  subject: "News",
  text: `Hello ${contact.email}!`
})

/** A campaign that writes to everybody. */
export const news = Campaign.make("news", {
  audience: (from) => contacts.pages({ from }),
  message: messageTo
})

/** How often each address was written to, as the service says. */
export const received = Effect.map(
  Stream.runCollect(emails.items()),
  (all) => {
    const counts = new Map<string, number>()
    for (const { to } of all) {
      for (const address of to ?? []) counts.set(address, (counts.get(address) ?? 0) + 1)
    }
    return counts
  }
)

/** The addresses of all contacts. */
export const addresses = Effect.map(Stream.runCollect(contacts.items()), (all) => [...all].map(({ email }) => email))

export const build = <A, E>(layer: Layer.Layer<A, E>) =>
  Effect.map(Layer.build(layer), (context): Context.Context<A> => context)

export { Context }
