/** The options of `serve`. The service is imported when it is needed. */
import { isSecret, Resource } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Flag from "../usage/Flag.ts"
import * as Location from "../usage/Location.ts"
import * as Value from "../usage/Value.ts"

const apiKey: Value.Value<Redacted.Redacted> = {
  name: "KEY",
  isSecret: true,
  parse: (key) =>
    isSecret(key)
      ? Either.right(Redacted.make(key))
      : Either.left("must be visible ASCII characters, such as re_local; leave it out to get a random key")
}

/** Checked by the service: so is one from the environment. */
const inboxToken: Value.Value<Redacted.Redacted> = {
  name: "TOKEN",
  isSecret: true,
  parse: (token) => Either.right(Redacted.make(token))
}

/** The number of items in each list, by name. */
export interface Counts {
  readonly [list: string]: number
}

/** The lists that can be filled. Those that exist within an owner alone come with their owner. */
const names = Resource.all.filter(({ scope }) => scope?.required !== true).map(({ name }) => name)

const each = (count: number): Counts => Object.fromEntries(names.map((name) => [name, count]))

/** Parses `1000`, for each list, or `contacts=1000,topics=20`. */
const parseCounts = (text: string): Either.Either<Counts, string> => {
  const number = Value.integer(0, 10_000_000).parse
  if (!text.includes("=")) {
    return Either.mapBoth(number(text), {
      onLeft: () => "must be a number of items, or a list such as contacts=1000,topics=20",
      onRight: each
    })
  }
  const parts = text.split(",").map((part) => {
    const [list, count = ""] = part.split("=")
    const name = names.find((name) => name === list)
    return name === undefined
      ? Either.left(`must name lists among ${names.join(", ")}`)
      : Either.map(number(count), (count) => [name, count] as const)
  })
  return Either.map(Either.all(parts), Object.fromEntries<number>)
}

/** Changes per time, as in `1/s` or `30/min`. */
const activity: typeof Value.rate = {
  name: Value.rate.name,
  parse: (text) =>
    Value.rate.parse(text).pipe(
      Either.filterOrLeft(({ per, requests }) => Duration.toMillis(per) >= requests, () => ""),
      Either.mapLeft(() => "must be a number of changes per time, such as 1/s or 30/min, and at most 1000/s")
    )
}

const expected = "must be * or origins such as http://localhost:5173, separated by commas"

/** An origin as browsers send it: without a path, in lower case, without the default port. */
const parseOrigin = (text: string): Either.Either<string, string> =>
  Either.try(() => new URL(text)).pipe(
    Either.filterOrLeft((url) => /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`, () => expected),
    Either.mapBoth({ onLeft: () => expected, onRight: (url) => url.origin })
  )

/** `*`, or origins separated by commas. */
const parseOrigins = (text: string): Either.Either<"*" | ReadonlyArray<string>, string> =>
  text.trim() === "*" ? Either.right("*") : Either.all(text.split(",").map((part) => parseOrigin(part.trim())))

export const flags = {
  port: Flag.withDefault(Value.integer(0, 65_535), 8025, "Port to bind; 0 picks a free one. Default: 8025."),
  host: Flag.withDefault(Value.text("HOST"), "127.0.0.1", "Address to bind. Default: 127.0.0.1, this machine only."),
  store: Flag.withDefault(
    Location.store,
    Location.memory,
    "memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: memory."
  ),
  items: Flag.withDefault(
    { name: "ITEMS", parse: parseCounts },
    { ...each(50), segments: 5, contacts: 1000 },
    "Sample data for empty lists: N items in each, or contacts=N,topics=N,… Default: some of everything."
  ),
  apiKey: Flag.optional(
    apiKey,
    "The API key to accept. With --accounts, account-N accepts KEY-N. Default: random, printed to standard error."
  ),
  accounts: Flag.optional(
    Value.integer(1, 100_000),
    "Hold N accounts, account-1 to account-N, each with its own API key, rate limit and sample data. " +
      "Default: one account."
  ),
  accountsFile: Flag.optional(
    Value.file("FILE"),
    "Write the accounts and their API keys to FILE, as JSON, instead of printing them. Keys in FILE from an earlier " +
      "serve are kept."
  ),
  noInbox: Flag.boolean("Serve no inbox."),
  inboxToken: Flag.optional(
    inboxToken,
    "What opens the inbox: at least 16 letters, digits, dashes and underscores. With --accounts, API keys open it. " +
      "Default: MAILSTREAM_INBOX_TOKEN, or random, printed to standard error."
  ),
  rateLimit: Flag.optional(Value.rate, "Accept N requests per time and account, such as 5/s. Default: no limit."),
  latency: Flag.withDefault(
    Value.duration,
    Duration.zero,
    "Delay responses by up to this time, such as 50ms. Default: 0ms."
  ),
  faults: Flag.withDefault(
    Value.share,
    0,
    "Share of requests that fail, such as 0.1, in every way: 429, 500, 503, a proxy's HTML, broken connections, " +
      "responses that are truncated or not JSON. Default: 0."
  ),
  cors: Flag.optional(
    { name: "ORIGINS", parse: parseOrigins },
    "Origins whose pages may use the service from a browser, such as http://localhost:5173, separated by commas; " +
      "'*' for all. Default: none."
  ),
  activity: Flag.optional(
    activity,
    "Create, update and delete N items per time, such as 1/s or 30/min, so that there is something to follow. " +
      "Default: nothing happens."
  ),
  seed: Flag.withDefault(Value.integer(0, 2 ** 31), 0, "Seed for sample data, activity and faults. Default: 0.")
}
