/** A service with contacts, and campaigns that write to them. */
import { type Contact, Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Layer, Redacted } from "effect"
import { join } from "node:path"
import { inside } from "./inside.ts"
import { jsonLines } from "./program.ts"

/** The variables that name the service. */
export const environment: Effect.Effect<Record<string, string>, never, Server.TestServer> = Effect.map(
  Server.TestServer,
  ({ apiKey, baseUrl }) => ({ MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: Redacted.value(apiKey) })
)

/** Runs the program against the service, and returns what it printed. */
export const listed = (...args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { code, stderr, stdout } = yield* inside([...args, "--format", "ndjson"], { env: yield* environment })
    if (code !== 0) return yield* Effect.dieMessage(`${args.join(" ")}: ${stderr}`)
    return jsonLines(stdout)
  })

/** The addresses that emails were sent to, as often as they were, as the service says. */
export const received = Effect.map(
  listed("emails", "list"),
  (emails) => emails.flatMap(({ to }) => to as ReadonlyArray<string>).sort()
)

/** The addresses of contacts who have not unsubscribed. */
export const subscribed = Effect.map(
  listed("contacts", "list"),
  (contacts) => contacts.flatMap(({ email, unsubscribed }) => unsubscribed === true ? [] : [String(email)]).sort()
)

/** Adds contacts with these fields. */
export const insert = (...contacts: ReadonlyArray<Partial<Contact>>) =>
  Effect.flatMap(Store, (store) =>
    store.insert(
      Resource.contacts,
      contacts.map((contact, index) => ({ ...SampleData.contact(9000 + index), unsubscribed: false, ...contact }))
    ))

/** What a campaign says. */
export const content = ["--from", "Ada <ada@example.com>", "--subject", "News", "--text", "Hello"]

/** A service with this many contacts. */
export const service = (contacts: number, options?: Parameters<typeof Server.layerTest>[0]) =>
  Layer.provideMerge(
    Layer.orDie(Layer.effectDiscard(SampleData.insert({ contacts }))),
    Layer.orDie(Server.layerTest(options))
  )

/** A new database of SQLite, and a way to run commands about campaigns in it. */
export const setup = Effect.gen(function*() {
  const home = yield* Temporary.directory
  const file = join(home, "campaigns.db")
  const env = { ...(yield* environment), MAILSTREAM_DATABASE_URL: `sqlite:${file}` }
  const campaign = (...args: ReadonlyArray<string>) => inside(["campaign", ...args], { env })
  const rows = (...args: ReadonlyArray<string>) => Effect.map(campaign(...args), ({ stdout }) => jsonLines(stdout))
  return { home, file, env, campaign, rows }
})
