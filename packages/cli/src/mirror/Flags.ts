/** The options of `sync` and `changes`. The code that opens a copy is imported when it is needed. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Flag from "../usage/Flag.ts"
import * as Location from "../usage/Location.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import * as Lists from "./Lists.ts"

const name = Value.text("NAME", { canBeEmpty: true })

/** `--prefix`. */
export const prefix: Flag.Flag<string | undefined> = Flag.optional(name, "Prefix of all table names. Default: none.")

const copy = {
  to: Flag.optional(
    Location.database,
    "The database of the copy: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL."
  ),
  account: Flag.optional(name, "Account of the copy, if the database holds several. Default: default."),
  schema: Flag.optional(name, "The PostgreSQL schema of the tables. Default: the current one."),
  prefix
}

/** Which copy a command is about: its database, and where in it. */
export interface Copy extends Omit<Flag.Given<typeof copy>, "to"> {
  readonly database: Location.Database
}

/** The copy that the options name, or the environment. */
export const copyOf = (
  { account, prefix, schema, to }: Flag.Given<typeof copy>
): Effect.Effect<Copy, UsageError.UsageError> =>
  Effect.map(
    databaseOr(to, Location.database, "--to sqlite:FILE, --to postgres://…"),
    (database) => ({ database, account, schema, prefix })
  )

/** The database that an option names, or the environment. */
export const databaseOr = <Database>(
  given: Database | undefined,
  { parse }: Value.Value<Database>,
  example: string
): Effect.Effect<Database, UsageError.UsageError> =>
  Effect.gen(function*() {
    if (given !== undefined) return given
    const variable = "MAILSTREAM_DATABASE_URL"
    const url = yield* Connection.variable(variable)
    return url === undefined
      ? yield* UsageError.fail(`No database given: use ${example}, or set ${variable}`)
      : yield* Either.mapLeft(parse(url), (expected) => UsageError.make(`${variable} ${expected}`))
  })

const several = Value.several("lists", Lists.names)

/** Owners come before what they own, however they are typed. */
const lists: typeof several = {
  ...several,
  parse: (text) => Either.map(several.parse(text), (names) => Lists.names.filter((list) => names.includes(list)))
}

/** The lists that a pass copies only if they are named. */
const costly = Lists.all.filter(({ isCostly }) => isCostly).map(({ name }) => name).join(", ")

/** What a pass copies, and how: for every command that makes one. */
export const pass = {
  lists: Flag.withDefault(
    lists,
    Lists.defaults,
    `The lists to copy, separated by commas, such as contacts,topics. Default: all that take few requests. \
Only copied if named, with a request for each contact or email: ${costly}.`
  ),
  lanes: Flag.optional(Value.integer(1, 100), "Parts of a long list to walk at once, from 1 to 100. Default: 1."),
  maxDeleted: Flag.optional(
    Value.share,
    "Share of a list that one pass may mark as deleted, from 0 to 1. Default: 0.5."
  ),
  retry: Retry.flag("a few seconds"),
  baseUrl: Connection.baseUrl
}

export const sync = {
  ...copy,
  ...pass,
  every: Flag.optional(
    Value.durationFrom("1 second", "a second"),
    "Keep the copy current until Ctrl+C: a pass at this interval, such as 1h, and new items in between."
  ),
  full: Flag.boolean("Compare every row, to repair those that other programs have edited."),
  dryRun: Flag.boolean("Write nothing: only count what would change."),
  rateLimit: Connection.rateLimit,
  format: ItemWriter.format
}

export const status = { ...copy, format: ItemWriter.format }

/** For `sync purge` and `sync prune`. */
export const drop = {
  ...copy,
  olderThan: Flag.required(Value.duration, "Minimum age, such as 12h or 30d."),
  format: ItemWriter.format
}

export const changes = {
  ...copy,
  consumer: Flag.optional(
    Value.text("NAME"),
    "Name of the reader: the next run with this name continues where this one stopped. Default: none; all changes that " +
      "are kept, from the beginning."
  ),
  follow: Flag.boolean("Wait for more changes at the end, until Ctrl+C."),
  format: ItemWriter.format
}
