/** API keys and their secrets. */
import { Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Entries from "../Entries.ts"
import * as Lists from "../Lists.ts"
import { type Entry, prefixOf, type Secret, type StoreService } from "../StoreService.ts"
import type { Database } from "./Database.ts"
import * as Writing from "./Writing.ts"

export const insert = (database: Database): StoreService["insertKey"] => (key, hash) =>
  Effect.flatMap(Entries.encode(Resource.apiKeys, [key]), (entries) =>
    database.transaction(Effect.gen(function*() {
      const { account, sql } = database
      const added = yield* sql`INSERT INTO mailstream_secrets
        ${sql.insert({ account, prefix: prefixOf(hash), hash, id: key.id })}
        ON CONFLICT (hash) DO NOTHING RETURNING id`
      if (added.length > 0) return yield* Writing.append(database, Lists.apiKeys, entries)
      const own = yield* sql`SELECT 1 FROM mailstream_secrets WHERE hash = ${hash} AND account = ${account}`
      if (own.length === 0) return yield* Entries.foreignSecret
    })))

export const findSecrets = ({ run, sql }: Database): StoreService["findSecrets"] => (prefix) =>
  run(sql<Secret>`SELECT account, id, hash FROM mailstream_secrets WHERE prefix = ${prefix}`)

export const touch = ({ account, attempt, sql }: Database): StoreService["touchKey"] => (id, at) =>
  attempt(Effect.gen(function*() {
    const [key] = yield* sql<Entry>`SELECT json FROM mailstream_items
      WHERE account = ${account} AND list = ${Lists.apiKeys.name} AND id = ${id} AND live = 1`
    if (key === undefined) return
    yield* sql`UPDATE mailstream_items SET json = ${Entries.usedAt(key.json, at)}
      WHERE account = ${account} AND list = ${Lists.apiKeys.name} AND id = ${id} AND live = 1`
  }))
