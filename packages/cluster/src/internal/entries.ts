/** Accounts as they are written down. What is wrong with them is said without any of their values but the ids. */
import { isSecret } from "@mailstream/core/ApiKey"
import { type InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

export interface Entry {
  readonly id: string
  readonly apiKey: Redacted.Redacted
  readonly baseUrl?: string | undefined
}

const fields: ReadonlyArray<string> = ["id", "apiKey", "baseUrl"]

/** The tables of the engine have room for 255 characters. */
const maxLength = 200

export const checkId = (id: string, option = "id"): Either.Either<string, InvalidOption> =>
  Either.gen(function*() {
    yield* unless(id !== "", option, "must not be empty")
    yield* unless(id.length <= maxLength, option, `must have at most ${maxLength} characters`)
    const isClean = !/[\p{Cc}\p{Cs}]/u.test(id) && id === id.trim()
    yield* unless(isClean, option, "must have no control characters, and no spaces around it")
    return id
  })

/** Whether an account can have this id. */
export const isId = (id: string): boolean => Either.isRight(checkId(id))

export const checkKey = (text: string, option = "apiKey"): Either.Either<Redacted.Redacted, InvalidOption> =>
  Either.gen(function*() {
    yield* unless(text !== "", option, "must not be empty")
    yield* unless(isSecret(text), option, "must be visible ASCII characters only: no spaces or line breaks")
    return Redacted.make(text)
  })

export const checkUrl = (text: string, option = "baseUrl"): Either.Either<string, InvalidOption> =>
  Either.gen(function*() {
    const url = URL.parse(text)
    yield* unless(url !== null && /^https?:$/.test(url.protocol), option, "must be an http or https URL")
    yield* unless(url?.username === "" && url.password === "", option, "must not contain a user or a password")
    return text
  })

/** Errors name the field, after the place of the account. */
export const check = ({ apiKey, baseUrl, id }: Entry, place = ""): Either.Either<void, InvalidOption> =>
  Either.gen(function*() {
    yield* checkId(id, `${place}id`)
    yield* checkKey(Redacted.value(apiKey), `${place}apiKey`)
    if (baseUrl !== undefined) yield* checkUrl(baseUrl, `${place}baseUrl`)
  })

/** The accounts by their ids. */
export const index = (
  accounts: ReadonlyArray<Entry>,
  source = ""
): Either.Either<ReadonlyMap<string, Entry>, InvalidOption> =>
  Either.gen(function*() {
    const entries = new Map<string, Entry>()
    for (const [at, account] of accounts.entries()) {
      const place = `${source}[${at}].`
      yield* check(account, place)
      yield* unless(!entries.has(account.id), `${place}id`, `must be unique, but "${account.id}" appears twice`)
      entries.set(account.id, account)
    }
    return entries
  })

const entryOf = (entry: unknown, place: string): Either.Either<Entry, string> => {
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
export const parse = (text: string): Either.Either<ReadonlyMap<string, Entry>, string> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => "is not valid JSON; check commas and quotes" }).pipe(
    Either.filterOrLeft(
      (value): value is Array<unknown> => Array.isArray(value),
      () => "must be a JSON array, as in [{ \"id\": \"acme\", \"apiKey\": \"…\" }]"
    ),
    Either.flatMap((entries) => Either.all(entries.map((entry, at) => entryOf(entry, `[${at}]`)))),
    Either.flatMap((entries) => Either.mapLeft(index(entries), ({ message }) => message))
  )
