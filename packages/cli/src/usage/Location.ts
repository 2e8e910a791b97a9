/** Where a store or a copy is. Errors do not repeat it: it may hold a password. */
import * as Url from "@mailstream/kernel/postgres/Url"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type { Value } from "./Value.ts"

export interface Postgres {
  readonly _tag: "Postgres"
  readonly url: Redacted.Redacted
}

export type Database = { readonly _tag: "Sqlite"; readonly filename: string } | Postgres

/** Where a service stores its objects. */
export type Store = { readonly _tag: "Memory" } | Database

export const memory: Store = { _tag: "Memory" }

const postgresUrl = "postgres://USER:PASSWORD@HOST/DATABASE"

const parse = (text: string): Database | undefined => {
  if (Url.problem(text) !== undefined) return undefined
  const [, filename] = /^sqlite:(?!\/\/)(.+)$/.exec(text) ?? []
  if (filename !== undefined) return { _tag: "Sqlite", filename }
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
    ? { _tag: "Postgres", url: Redacted.make(text) }
    : undefined
}

/** A file of SQLite that is never written: `:memory:`, also as a URL. */
const isInMemory = (database: Database | Store): boolean =>
  database._tag === "Sqlite" && /^(file:)?:memory:|^file:.*[?&]mode=memory\b/i.test(database.filename)

/** What is expected, or what is wrong with a password. The name of a file holds none, so that it can be repeated. */
const expected = (text: string, words: string): string => Url.problem(text) ?? shouldBe(text, words)

const shouldBe = (text: string, words: string): string =>
  /^[\w./\\-]+\.(db|sqlite|sqlite3)$/i.test(text) ? `${words}. For this file, type sqlite:${text}` : words

/** `memory`, `sqlite:FILE` or `postgres://…`. */
export const store: Value<Store> = {
  name: "STORE",
  values: { _tag: "Location", words: ["memory", "sqlite:", "postgres://"] },
  isSecret: true,
  parse: (text) =>
    Either.fromNullable(
      text === "memory" ? memory : parse(text),
      () => expected(text, `must be memory, sqlite:FILE or ${postgresUrl}`)
    ).pipe(Either.filterOrLeft((store) => !isInMemory(store), () => "must name a file after sqlite: or be memory"))
}

/** `sqlite:FILE` or `postgres://…`. */
export const database: Value<Database> = {
  name: "DATABASE",
  values: { _tag: "Location", words: ["sqlite:", "postgres://"] },
  isSecret: true,
  parse: (text) =>
    Either.fromNullable(parse(text), () => expected(text, `must be sqlite:FILE or ${postgresUrl}`)).pipe(
      Either.filterOrLeft(
        (database) => !isInMemory(database),
        () => "must name a file after sqlite: because a copy in memory is gone when the program ends"
      )
    )
}

/** `postgres://…` alone. */
export const postgres: Value<Postgres> = {
  ...database,
  values: { _tag: "Location", words: ["postgres://"] },
  parse: (text) => {
    const others = `must be ${postgresUrl}: workers need PostgreSQL`
    return parse(text)?._tag === "Postgres"
      ? Either.filterOrLeft(database.parse(text), (database) => database._tag === "Postgres", () => others)
      : Either.left(Url.problem(text) ?? others)
  }
}
