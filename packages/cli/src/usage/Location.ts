/** Where a store or a copy is. Errors do not repeat it: it may hold a password. */
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
  const [, filename] = /^sqlite:(?!\/\/)(.+)$/.exec(text) ?? []
  if (filename !== undefined) return { _tag: "Sqlite", filename }
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
    ? { _tag: "Postgres", url: Redacted.make(text) }
    : undefined
}

/** `memory`, `sqlite:FILE` or `postgres://…`. */
export const store: Value<Store> = {
  name: "STORE",
  values: { _tag: "Location", words: ["memory", "sqlite:", "postgres://"] },
  isSecret: true,
  parse: (text) =>
    Either.fromNullable(
      text === "memory" ? memory : parse(text),
      () => `must be memory, sqlite:FILE or ${postgresUrl}`
    )
}

/** `sqlite:FILE` or `postgres://…`. */
export const database: Value<Database> = {
  name: "DATABASE",
  values: { _tag: "Location", words: ["sqlite:", "postgres://"] },
  isSecret: true,
  parse: (text) =>
    Either.fromNullable(parse(text), () => `must be sqlite:FILE or ${postgresUrl}`).pipe(
      Either.filterOrLeft(
        // The rest of a password that holds a slash looks like the name of a database.
        (database) => database._tag === "Sqlite" || !new URL(Redacted.value(database.url)).pathname.includes("@"),
        () => "must have a percent-encoded password: write %2F for a slash"
      )
    )
}

/** `postgres://…` alone. */
export const postgres: Value<Postgres> = {
  ...database,
  values: { _tag: "Location", words: ["postgres://"] },
  parse: (text) =>
    Either.filterOrLeft(
      database.parse(text),
      (database) => database._tag === "Postgres",
      () => `must be ${postgresUrl}: workers need PostgreSQL`
    )
}
