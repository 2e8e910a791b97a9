/** The service that `mailstream serve` runs. It loads the server: import it only when it is needed. */
import type * as Account from "@mailstream/server/Account"
import * as Activity from "@mailstream/server/Activity"
import * as Server from "@mailstream/server/Server"
import type * as SqlStore from "@mailstream/server/SqlStore"
import { Store, StoreError } from "@mailstream/server/Store"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import * as Connection from "../api/Connection.ts"
import { notListening } from "../terminal/Errors.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio, tell } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import type { Given } from "../usage/Flag.ts"
import type * as Location from "../usage/Location.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as AccountsFile from "./AccountsFile.ts"
import type { flags } from "./Flags.ts"
import * as Sample from "./Sample.ts"

/** With accounts, the API key is what their keys begin with. */
type Options = Given<typeof flags>

/** Serves until it is interrupted. */
export const serve = (options: Options): Running => {
  const { accounts, accountsFile, inboxToken, noInbox } = options
  if (inboxToken !== undefined && (noInbox || accounts !== undefined)) {
    return UsageError.fail(`--inbox-token cannot be combined with ${noInbox ? "--no-inbox" : "--accounts"}`)
  }
  if (accounts !== undefined) return Effect.scoped(serveAccounts(options, accounts))
  return accountsFile === undefined
    ? Effect.scoped(serveOne(options))
    : UsageError.fail("--accounts-file needs --accounts N")
}

const serveOne = (options: Options) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const apiKey = options.apiKey ?? makeKey()
    const used = yield* Sample.emptyLists(options.items, options.seed)
    if (used.length > 0) yield* say(`The store already holds data. No sample data added to: ${used.join(", ")}.`)
    const token = options.inboxToken ?? (yield* inboxToken)
    const { baseUrl, inboxUrl } = yield* listen(options, { apiKeys: [apiKey], inbox: { token } })
    if (options.apiKey === undefined) yield* say(`API key: ${Redacted.value(apiKey)}`)
    // Who has it sees all that was sent, so that it is not on standard output either.
    if (inboxUrl !== undefined) {
      yield* say(`Inbox: ${token === undefined ? Redacted.value(inboxUrl) : `${baseUrl}/inbox`}`)
    }
    yield* beginActivity(options)
    return yield* stay(baseUrl)
  }).pipe(Effect.provide(storeAt(options.store)))

const serveAccounts = (options: Options, count: number) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const file = options.accountsFile === undefined ? undefined : yield* AccountsFile.open(options.accountsFile)
    const accounts = Array.makeBy(count, (index): Account.Account => {
      const id = `account-${index + 1}`
      const apiKey = options.apiKey === undefined
        ? file?.keys.get(id) ?? makeKey()
        : Redacted.make(`${Redacted.value(options.apiKey)}-${index + 1}`)
      return { id, apiKey }
    })

    return yield* Effect.gen(function*() {
      const { baseUrl } = yield* listen(options, { accounts })
      if (file !== undefined) yield* file.write(accounts, baseUrl)
      else if (options.apiKey === undefined) {
        for (const { apiKey, id } of accounts) yield* say(`API key of ${id}: ${Redacted.value(apiKey)}`)
      }
      if (!options.noInbox) yield* tell(`Inbox of an account: ${baseUrl}/inbox, with its API key.`)
      yield* beginActivity(options, accounts.map(({ id }) => id))
      return yield* stay(baseUrl)
    }).pipe(Effect.provide(Layer.provide(Sample.layerLazy(options.items, options.seed), storeAt(options.store))))
  })

/** The token of the inbox that the environment names. */
const inboxToken = Effect.map(
  Connection.variable("MAILSTREAM_INBOX_TOKEN"),
  (token) => token === undefined ? undefined : Redacted.make(token)
)

const listen = (options: Options, access: Pick<Server.ServiceOptions, "apiKeys" | "accounts" | "inbox">) =>
  Server.make({
    ...access,
    ...(options.noInbox ? { inbox: false } : {}),
    port: options.port,
    host: options.host,
    rateLimit: options.rateLimit,
    faults: Sample.faults(options),
    cors: options.cors
  }).pipe(
    Effect.catchTags({
      ServeError: (error) => Effect.fail(notListening({ ...options, option: "--port" }, error.cause)),
      InvalidOption: (error) =>
        Effect.fail(
          error.option === "inbox.token"
            ? UsageError.make(
              `${options.inboxToken === undefined ? "MAILSTREAM_INBOX_TOKEN" : "--inbox-token"} ${error.description}`
            )
            : error
        )
    })
  )

/** Makes changes while the service runs. */
const beginActivity = ({ activity, seed }: Options, accounts?: ReadonlyArray<string>) =>
  activity === undefined
    ? Effect.void
    : Effect.asVoid(Effect.forkScoped(
      // The flags have checked the rate and the seed.
      Effect.orDie(Activity.run({ changes: activity.requests, per: activity.per, seed, accounts }))
    ))

/** Prints the address of the service, and serves. */
const stay = (baseUrl: string) =>
  Effect.gen(function*() {
    const { err, out, say } = yield* Stdio
    yield* out.write(`mailstream listening on ${baseUrl}\n`)
    if (err.isTerminal) yield* say(`API documentation: ${baseUrl}/docs. Press Ctrl+C to stop.`)
    return yield* Effect.never
  })

const makeKey = (): Redacted.Redacted => Redacted.make(`re_${randomBytes(24).toString("base64url")}`)

const storeAt = (location: Location.Store): Layer.Layer<Store, StoreError> => {
  if (location._tag === "Memory") return Store.layerMemory
  const [problem, store] = location._tag === "Sqlite"
    ? [
      `${location.filename} could not be opened:`,
      sqlStore(({ layerSqlite }) => layerSqlite({ filename: location.filename }))
    ]
    : ["The database could not be reached.", sqlStore(({ layerPostgres }) => layerPostgres({ url: location.url }))]
  // The SQLite client throws if it cannot open its file, so that defects have to be caught, too.
  return Layer.catchAllCause(store, (failed) => {
    const cause = Cause.squash(failed)
    return Layer.fail(new StoreError({ reason: "Failed", description: `${problem} ${Text.reasonOf(cause)}`, cause }))
  })
}

/** Loads the database drivers, which a service in memory should not wait for. */
const sqlStore = <E>(make: (module: typeof SqlStore) => Layer.Layer<Store, E>): Layer.Layer<Store, E> =>
  Layer.unwrapEffect(Effect.map(Effect.promise(() => import("@mailstream/server/SqlStore")), make))
