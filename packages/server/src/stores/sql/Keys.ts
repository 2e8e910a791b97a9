/** API keys and their secrets. */
import { Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import { type Entry, prefixOf, type Secret, type StoreService } from "../StoreService.ts"
import type { Database } from "./Database.ts"
import * as Writing from "./Writing.ts"

export const insert = (database: Database): StoreService["insertKey"] => (key, hash, permission) =>
  Effect.flatMap(Rules.encode(Resource.apiKeys, [key]), (entries) =>
    database.transaction(Effect.gen(function*() {
      const { account, sql } = database
      const added = yield* sql`INSERT INTO mailstream_secrets
        ${sql.insert({ account, prefix: prefixOf(hash), hash, id: key.id, permission: permission ?? null })}
        ON CONFLICT (hash) DO NOTHING RETURNING id`
      if (added.length > 0) return yield* Writing.append(database, Lists.apiKeys, entries)
      const [known] = yield* sql<Secret>`SELECT account FROM mailstream_secrets WHERE hash = ${hash}`
      yield* Rules.mayUseSecret(account, known?.account)
    })))

export const findSecrets = ({ run, sql }: Database): StoreService["findSecrets"] => (prefix) =>
  run(sql<Secret>`SELECT account, id, hash, permission FROM mailstream_secrets WHERE prefix = ${prefix}`)

export const touch = ({ account, attempt, forUpdateUnlocked, sql }: Database): StoreService["touchKey"] => (id, at) => {
  const isKey = sql`account = ${account} AND list = ${Lists.apiKeys.name} AND id = ${id} AND live = 1`
  return attempt(Effect.gen(function*() {
    const [key] = yield* sql<Entry>`SELECT json FROM mailstream_items WHERE ${isKey} ${forUpdateUnlocked}`
    if (key === undefined) return
    yield* sql`UPDATE mailstream_items SET json = ${Rules.usedAt(key.json, at)} WHERE ${isKey}`
  }))
}
