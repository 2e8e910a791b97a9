/** Accounts as they are written down. What is wrong with them is said without any of their values but the ids. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { Account } from "../Accounts.ts"

export type Entries = ReadonlyMap<string, Account>

const fields: ReadonlyArray<string> = ["id", "apiKey", "baseUrl"]

/** The tables of the engine have room for 255 characters. */
const maxLength = 200

/** What is wrong with an id, if anything. */
export const invalidId = (id: string): string | undefined =>
  id === ""
    ? "must not be empty"
    : id.length > maxLength
    ? `must have ${maxLength} characters at most`
    : /[\p{Cc}\p{Cs}]/u.test(id) || id !== id.trim()
    ? "must have no control characters, and no spaces around it"
    : undefined

/** What is wrong with a base URL, if anything. */
export const invalidUrl = (url: string): string | undefined => {
  const parsed = Either.try(() => new URL(url))
  return Either.isLeft(parsed) || !/^https?:$/.test(parsed.right.protocol)
    ? "must be an http or https URL"
    : parsed.right.username !== "" || parsed.right.password !== ""
    ? "must not contain a user or a password"
    : undefined
}

/** What is wrong with an account, if anything. */
export const invalidAccount = ({ apiKey, baseUrl, id }: Account): string | undefined => {
  const name = invalidId(id)
  if (name !== undefined) return `an account's id ${name}`
  if (Redacted.value(apiKey) === "") return `the key of "${id}" must not be empty`
  const url = baseUrl === undefined ? undefined : invalidUrl(baseUrl)
  return url === undefined ? undefined : `the baseUrl of "${id}" ${url}`
}

/** The accounts by their ids. */
export const index = (accounts: ReadonlyArray<Account>): Either.Either<Entries, string> => {
  const entries = new Map<string, Account>()
  for (const account of accounts) {
    const wrong = invalidAccount(account)
    if (wrong !== undefined) return Either.left(wrong)
    if (entries.has(account.id)) return Either.left(`the id "${account.id}" appears twice; each account needs its own`)
    entries.set(account.id, account)
  }
  return Either.right(entries)
}

const accountOf = (entry: unknown, place: string): Either.Either<Account, string> => {
  if (!Predicate.isRecord(entry)) return Either.left(`${place} must be an object with id and apiKey`)
  // A misspelled baseUrl would send the key to another host.
  const unknown = Object.keys(entry).some((field) => !fields.includes(field))
  if (unknown) return Either.left(`${place} has an unknown field; the fields are ${fields.join(", ")}`)
  const { apiKey, baseUrl, id } = entry
  if (typeof id !== "string") return Either.left(`${place}.id must be a string`)
  if (typeof apiKey !== "string") return Either.left(`${place}.apiKey must be a string`)
  if (baseUrl !== undefined && typeof baseUrl !== "string") return Either.left(`${place}.baseUrl must be a string`)
  return Either.right({ id, apiKey: Redacted.make(apiKey), baseUrl })
}

/** Reads a file of accounts. The parser's own message would quote the file, with its keys. */
export const parse = (text: string): Either.Either<Entries, string> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => "is not valid JSON; check commas and quotes" }).pipe(
    Either.filterOrLeft(
      (value): value is Array<unknown> => Array.isArray(value),
      () => "must be a JSON array, as in [{ \"id\": \"acme\", \"apiKey\": \"…\" }]"
    ),
    Either.flatMap((entries) => Either.all(entries.map((entry, at) => accountOf(entry, `[${at}]`)))),
    Either.flatMap(index)
  )
