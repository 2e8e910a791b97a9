/** SQL that is written once, for SQLite and PostgreSQL, and for every line's client. */

/** A client's tag for statements and parts of them, which are parts of other statements where they are interpolated. */
export interface Tag<out Statement> {
  (strings: TemplateStringsArray, ...values: Array<unknown>): Statement
  /** Text of a statement as it is. */
  readonly literal: (text: string) => unknown
}

/** What statements are written with. */
export interface Dialect<out Statement> {
  readonly sql: Tag<Statement>
  readonly isPostgres: boolean
}

/** An escape that stands after an even number of backslashes. */
const unstorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/** JSON that either database accepts: PostgreSQL has neither the character U+0000 nor half a surrogate pair. */
export const toJson = (value: unknown): string => {
  const json = JSON.stringify(value)
  return json.includes("\\u") ? json.replace(unstorable, (_, before: string) => `${before}\\ufffd`) : json
}

/** Text that either database accepts; if it is longer than this, its beginning and an ellipsis. It is cut between characters. */
export const toText = (text: string, maxLength = Infinity): string =>
  (text.length > maxLength
    ? `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\ud800-\udbff]$/, "")}…`.slice(0, maxLength)
    : text)
    .replace(/[\0\p{Cs}]/gu, "\ufffd")

/** Items of a JSON array as rows `e (nr, value)` that are numbered from 1. */
export const items = <Statement>({ isPostgres, sql }: Dialect<Statement>, json: string): Statement =>
  isPostgres
    ? sql`jsonb_array_elements(CAST(${json} AS jsonb)) WITH ORDINALITY AS e (value, nr)`
    : sql`(SELECT key + 1 AS nr, value FROM json_each(${json})) AS e`

/** `IN (…)`, for any number of values. */
export const among = <Statement>(
  { isPostgres, sql }: Dialect<Statement>,
  values: ReadonlyArray<string | number>
): Statement => {
  const json = toJson(values)
  return isPostgres
    ? sql`IN (SELECT jsonb_array_elements_text(CAST(${json} AS jsonb)))`
    : sql`IN (SELECT value FROM json_each(${json}))`
}

// Migrations

/** Whether the tables are as this version has them, by the numbers of the migrations that have been run, or why it must not use them. */
export const standing = (
  table: string,
  done: ReadonlySet<number>,
  known: ReadonlyArray<number>
): "Done" | "Pending" | { readonly problem: string } => {
  const [newest, last] = [Math.max(0, ...done), Math.max(0, ...known)]
  return newest > last
    ? {
      problem:
        `A newer version of Mailstream has changed the tables of this database (${table} is at ${newest}, and this version ` +
        `knows ${last}). Use that version, or another database: nothing was read or changed`
    }
    : known.every((id) => done.has(id))
    ? "Done"
    : "Pending"
}

// Failures

/** The code of the innermost cause of an error: `SQLITE_BUSY`, `57P01`, `ECONNREFUSED`. */
export const codeOf = (error: unknown): string | undefined => {
  const code = has(error, "code") ? error.code : undefined
  if (!has(error, "cause")) return typeof code === "string" ? code : undefined
  return codeOf(error.cause) ?? (has(error, "code") ? String(code) : undefined)
}

const has = <Name extends string>(value: unknown, name: Name): value is { readonly [Key in Name]: unknown } =>
  typeof value === "object" && value !== null && name in value

/** Another process holds a lock on the file. Nothing was changed. */
export const isLocked = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error) ?? "")

/** PostgreSQL: another session has created the same thing at the same time. It exists now. */
export const isConflict = (error: unknown): boolean => /^(23505|42P07)$/.test(codeOf(error) ?? "")

/**
 * SQLite: locked, full, or the file cannot be read or written. PostgreSQL, by class: 08 no connection, 40 rolled back,
 * 53 out of resources, 57 shut down; and 55P03, a lock that was not available in time. The network's own codes begin with an E.
 */
const transient =
  /^(SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|CANTOPEN|READONLY)|(08|40|53|57)[0-9A-Z]{3}$|55P03$|E[A-Z]{3,}$)/

/** The PostgreSQL client reports a connection that ended or was never made without a code. */
const withoutConnection = /connection|timeout/i

/** Whether the database is unavailable at the moment. `message`: that of the error's cause. */
export const isUnavailable = (error: unknown, message: string): boolean => {
  const code = codeOf(error)
  return code === undefined ? withoutConnection.test(message) : transient.test(code)
}
