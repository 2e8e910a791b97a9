/** The store that keeps everything in memory. */
import { type NotFound, Resource } from "@mailstream/core"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Account from "../Account.ts"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { StoreError } from "../StoreError.ts"
import type { Cursor, Entry, List, StoreService } from "../StoreService.ts"
import { Log } from "./Log.ts"
import { Secrets } from "./Secrets.ts"

export const make = (): StoreService => {
  const secrets = new Secrets()
  const forAccount: StoreService["forAccount"] = Account.once((account) => viewOf(account, secrets, forAccount))
  return forAccount(Account.defaultId)
}

/** The view of one account: it has lists of its own. */
const viewOf = (account: string, secrets: Secrets, forAccount: StoreService["forAccount"]): StoreService => {
  const logs = new Map<string, Log>()

  const logOf = (list: List): Log => {
    const key = Lists.keyOf(list)
    const log = logs.get(key) ?? new Log()
    logs.set(key, log)
    return log
  }

  const hasOwner = (list: List): boolean => {
    const owner = Lists.ownerOf(list)
    return owner === undefined || logs.get(owner.list)?.get(owner.id) !== undefined
  }

  const membersOfAllSegments = (): ReadonlyArray<Log> =>
    [...logs].filter(([key]) => key.startsWith(`${Lists.contacts.name}/`)).map(([, log]) => log)

  const append = (list: List, entries: ReadonlyArray<Entry>): Either.Either<void, StoreError> => {
    const home = logOf(Lists.isMembership(list) ? Lists.contacts : list)
    const used = entries.find(({ id }) => home.place(id) !== undefined)?.id
    return Either.map(Rules.mayInsert(list, { hasOwner: hasOwner(list), used }), () => {
      // A contact in a segment is also in the list of all contacts.
      for (const log of new Set([home, logOf(list)])) for (const { id, json } of entries) log.append(id, json)
    })
  }

  const find = <A>(
    list: List,
    cursor: Cursor,
    use: (log: Log, place: number | undefined) => A
  ): Effect.Effect<A, NotFound | StoreError> =>
    Effect.suspend(() => {
      const log = logs.get(Lists.keyOf(list)) ?? new Log()
      const id = cursor.after ?? cursor.before
      const place = id === undefined ? undefined : log.place(id)
      const found = { hasOwner: hasOwner(list), hasCursor: id === undefined || place !== undefined }
      return Either.map(Rules.mayRead(list, cursor, found), () => use(log, place))
    })

  return {
    forAccount,

    insert: (resource, items, ...[filter]) =>
      Effect.suspend(() =>
        Either.flatMap(
          Rules.encode(resource, items),
          (entries) => append(Lists.fromResource(resource, filter), entries)
        )
      ),

    delete: (resource, ids, ...[filter]) =>
      Effect.sync(() => {
        const from = logs.get(Lists.keyOf(Lists.fromResource(resource, filter)))
        const segments = resource.name === Lists.contacts.name ? membersOfAllSegments() : []
        for (const id of ids) {
          from?.empty(id)
          segments.forEach((log) => log.empty(id))
        }
        Lists.ownedBy(resource.name, ids).forEach((list) => logs.delete(Lists.keyOf(list)))
        if (resource.name === Lists.apiKeys.name) secrets.revoke(account, new Set(ids))
      }),

    join: (segment, ids) =>
      Effect.suspend(() => {
        const list = Lists.membersOf(segment)
        const all = logOf(Lists.contacts)
        const unknown = ids.find((id) => all.get(id) === undefined)
        return Either.map(Rules.mayJoin(list, { hasOwner: hasOwner(list), unknown }), () => {
          for (const id of ids) logOf(list).put(id, all.get(id) ?? "")
        })
      }),

    leave: (segment, ids) =>
      Effect.sync(() => {
        const members = logs.get(Lists.keyOf(Lists.membersOf(segment)))
        ids.forEach((id) => members?.empty(id))
      }),

    page: (list, request) =>
      find(list, request, (log, place = log.length) => {
        const step = request.before === undefined ? -1 : 1
        const { next, texts } = log.walk(place + step, step, request.limit)
        return { items: step === 1 ? texts.reverse() : texts, has_more: next !== undefined }
      }),

    all: (list, request) =>
      find(list, request, (log, place) => {
        const [from, until] = place === undefined
          ? [log.length - 1, -1]
          : request.before === undefined
          ? [place - 1, -1]
          : [log.length - 1, place]
        return Stream.paginateChunk(from, (from) => {
          const { next, texts } = log.walk(from, -1, Rules.batchSize, until)
          return [Chunk.unsafeFromArray(texts), Option.fromNullable(next)]
        })
      }),

    insertKey: (apiKey, hash) =>
      Effect.suspend(() => {
        const owner = secrets.get(hash)?.account
        if (owner !== undefined) return Rules.mayUseSecret(account, owner)
        return Rules.encode(Resource.apiKeys, [apiKey]).pipe(
          Either.flatMap((entries) => append(Lists.apiKeys, entries)),
          Either.map(() => secrets.add({ account, id: apiKey.id, hash }))
        )
      }),

    findSecrets: (prefix) => Effect.sync(() => secrets.find(prefix)),

    touchKey: (id, at) =>
      Effect.sync(() => {
        const json = logOf(Lists.apiKeys).get(id)
        if (json !== undefined) logOf(Lists.apiKeys).put(id, Rules.usedAt(json, at))
      })
  }
}
