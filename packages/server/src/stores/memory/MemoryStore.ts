/** The store that keeps everything in memory. */
import { type NotFound, Resource } from "@mailstream/core"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Account from "../Account.ts"
import * as Entries from "../Entries.ts"
import * as Lists from "../Lists.ts"
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
    const owners = Lists.ownersOf(list)
    return owners === undefined || logs.get(owners)?.get(list.within ?? "") !== undefined
  }

  const membersOfAllSegments = (): ReadonlyArray<Log> =>
    [...logs].filter(([key]) => key.startsWith(`${Lists.contacts.name}/`)).map(([, log]) => log)

  const append = (list: List, entries: ReadonlyArray<Entry>): Effect.Effect<void, StoreError> =>
    Effect.suspend(() => {
      if (!hasOwner(list)) return Lists.unknownOwner(list)
      // A contact in a segment is also in the list of all contacts.
      const into = list.name === Lists.contacts.name
        ? [...new Set([logOf(Lists.contacts), logOf(list)])]
        : [logOf(list)]
      const used = entries.find(({ id }) => into[0]?.place(id) !== undefined)
      if (used !== undefined) return Entries.duplicate(used.id)
      for (const { id, json } of entries) into.forEach((log) => log.append(id, json))
      return Effect.void
    })

  const find = <A>(
    list: List,
    { after, before }: Cursor,
    use: (log: Log, place: number | undefined) => A
  ): Effect.Effect<A, NotFound | StoreError> =>
    Effect.suspend((): Effect.Effect<A, NotFound | StoreError> => {
      if (!hasOwner(list)) return Lists.ownerNotFound(list)
      const log = logs.get(Lists.keyOf(list)) ?? new Log()
      const cursor = after ?? before
      const place = cursor === undefined ? undefined : log.place(cursor)
      return cursor !== undefined && place === undefined
        ? Lists.unknownCursor(cursor)
        : Effect.succeed(use(log, place))
    })

  return {
    forAccount,

    insert: (resource, items, ...[filter]) =>
      Effect.flatMap(
        Entries.encode(resource, items),
        (entries) => append(Lists.fromResource(resource, filter), entries)
      ),

    delete: (resource, ids, ...[filter]) =>
      Effect.sync(() => {
        const from = logs.get(Lists.keyOf(Lists.fromResource(resource, filter)))
        const segments = resource.name === Lists.contacts.name ? membersOfAllSegments() : []
        for (const id of ids) {
          from?.empty(id)
          segments.forEach((log) => log.empty(id))
          Lists.ownedBy(resource.name, id).forEach((list) => logs.delete(Lists.keyOf(list)))
        }
        if (resource.name === Lists.apiKeys.name) secrets.revoke(account, new Set(ids))
      }),

    join: (segment, ids) =>
      Effect.suspend(() => {
        const list = Lists.membersOf(segment)
        if (!hasOwner(list)) return Lists.unknownOwner(list)
        const members = logOf(list)
        const all = logOf(Lists.contacts)
        const unknown = ids.find((id) => all.get(id) === undefined)
        if (unknown !== undefined) return Entries.unknownContact(unknown)
        for (const id of ids) {
          const json = all.get(id) ?? ""
          if (members.place(id) === undefined) members.append(id, json)
          else members.replace(id, json)
        }
        return Effect.void
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
          const { next, texts } = log.walk(from, -1, Entries.batchSize, until)
          return [Chunk.unsafeFromArray(texts), Option.fromNullable(next)]
        })
      }),

    insertKey: (apiKey, hash) =>
      Effect.suspend(() => {
        const known = secrets.get(hash)
        if (known !== undefined) return known.account === account ? Effect.void : Entries.foreignSecret
        return Entries.encode(Resource.apiKeys, [apiKey]).pipe(
          Effect.flatMap((entries) => append(Lists.apiKeys, entries)),
          Effect.tap(() => secrets.add({ account, id: apiKey.id, hash }))
        )
      }),

    findSecrets: (prefix) => Effect.sync(() => secrets.find(prefix)),

    touchKey: (id, at) =>
      Effect.sync(() => {
        const json = logs.get(Lists.apiKeys.name)?.get(id)
        if (json !== undefined) logs.get(Lists.apiKeys.name)?.replace(id, Entries.usedAt(json, at))
      })
  }
}
