/** The store that keeps everything in memory. */
import { type NotFound, Resource } from "@mailstream/core"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { StoreError } from "../StoreError.ts"
import type { Cursor, List, StoreService } from "../StoreService.ts"
import * as Views from "../Views.ts"
import * as Agendas from "./Agendas.ts"
import { Books } from "./Books.ts"
import { Log } from "./Log.ts"
import { Logs } from "./Logs.ts"
import * as MemoryCampaigns from "./MemoryCampaigns.ts"
import * as MemoryObjects from "./MemoryObjects.ts"
import { Secrets } from "./Secrets.ts"

export const make = (): StoreService => {
  const secrets = new Secrets()
  const accounts = new Map<string, { readonly logs: Logs; readonly books: Books }>()
  return Views.toStore((account) => {
    const logs = new Logs()
    const books = new Books()
    accounts.set(account, { logs, books })
    return {
      ...writing(logs, account, secrets),
      ...reading(logs),
      ...keys(logs, account, secrets),
      ...MemoryCampaigns.make(logs),
      ...MemoryObjects.make(logs, books, (list, ids) => remove(logs, account, secrets, list, ids)),
      agenda: (now) => Effect.sync(() => Agendas.make(accounts, now))
    }
  })
}

const remove = (logs: Logs, account: string, secrets: Secrets, list: List, ids: ReadonlyArray<string>): void => {
  logs.remove(list, ids)
  if (list.name === Lists.apiKeys.name) secrets.revoke(account, new Set(ids))
}

const writing = (
  logs: Logs,
  account: string,
  secrets: Secrets
): Pick<StoreService, "insert" | "update" | "delete" | "join" | "leave"> => ({
  insert: (resource, items, ...[filter]) =>
    Effect.suspend(() =>
      Either.flatMap(
        Rules.encode(resource, items),
        (entries) => logs.append(Lists.fromResource(resource, filter), entries)
      )
    ),

  update: (resource, id, change, ...[filter]) =>
    Effect.suspend(() => {
      const list = Lists.fromResource(resource, filter)
      return Either.map(Rules.update(resource, logs.get(list)?.get(id), change), ({ entry, item }) => {
        logs.replace(list, entry, false)
        return item
      })
    }),

  delete: (resource, ids, ...[filter]) =>
    Effect.sync(() => remove(logs, account, secrets, Lists.fromResource(resource, filter), ids)),

  join: (segment, ids) =>
    Effect.suspend(() => {
      const list = Lists.membersOf(segment)
      const all = logs.of(Lists.contacts)
      const unknown = ids.find((id) => all.get(id) === undefined)
      return Either.map(Rules.mayJoin(list, { hasOwner: logs.hasOwner(list), unknown }), () => {
        for (const id of ids) logs.join(segment, id)
      })
    }),

  leave: (segment, ids) =>
    Effect.sync(() => {
      const members = logs.get(Lists.membersOf(segment))
      ids.forEach((id) => members?.empty(id))
    })
})

const reading = (logs: Logs): Pick<StoreService, "page" | "all"> => ({
  page: (list, request) =>
    find(logs, list, request, (log, place = log.length) => {
      const step = request.before === undefined ? -1 : 1
      const { next, texts } = log.walk(place + step, step, request.limit, undefined, logs.filterOf(list))
      return { items: step === 1 ? texts.reverse() : texts, has_more: next !== undefined }
    }),

  all: (list, request) =>
    find(logs, list, request, (log, place) => {
      const isBefore = request.before !== undefined
      const from = (isBefore ? undefined : place) ?? log.length
      const until = (isBefore ? place : undefined) ?? -1
      return Stream.paginateChunk(from - 1, (from) => {
        const { next, texts } = log.walk(from, -1, Rules.batchSize, until, logs.filterOf(list))
        return [Chunk.unsafeFromArray(texts), Option.fromNullable(next)]
      })
    })
})

/** Uses a list, and the place of the cursor in it. */
const find = <A>(
  logs: Logs,
  list: List,
  cursor: Cursor,
  use: (log: Log, place: number | undefined) => A
): Effect.Effect<A, NotFound | StoreError> =>
  Effect.suspend(() => {
    const log = logs.get(Lists.isMembership(list) || list.campaign !== undefined ? list : Lists.homeOf(list)) ??
      new Log()
    const id = cursor.after ?? cursor.before
    const place = id === undefined ? undefined : log.place(id)
    const found = { hasOwner: logs.hasOwner(list), hasCursor: id === undefined || place !== undefined }
    return Either.map(Rules.mayRead(list, cursor, found), () => use(log, place))
  })

const keys = (
  logs: Logs,
  account: string,
  secrets: Secrets
): Pick<StoreService, "insertKey" | "findSecrets" | "touchKey"> => ({
  insertKey: (apiKey, hash, permission) =>
    Effect.suspend(() => {
      const owner = secrets.get(hash)?.account
      if (owner !== undefined) return Rules.mayUseSecret(account, owner)
      return Rules.encode(Resource.apiKeys, [apiKey]).pipe(
        Either.flatMap((entries) => logs.append(Lists.apiKeys, entries)),
        Either.map(() => secrets.add({ account, id: apiKey.id, hash, permission: permission ?? null }))
      )
    }),

  findSecrets: (prefix) => Effect.sync(() => secrets.find(prefix)),

  touchKey: (id, at) =>
    Effect.sync(() => {
      const json = logs.of(Lists.apiKeys).get(id)
      if (json !== undefined) logs.of(Lists.apiKeys).put(id, Rules.usedAt(json, at))
    })
})
