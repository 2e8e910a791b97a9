/** Single objects in memory. */
import * as Effect from "effect/Effect"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { List, Lookup, Objects, StoreService } from "../StoreService.ts"
import type { Books } from "./Books.ts"
import type { Logs } from "./Logs.ts"

export const make = (
  logs: Logs,
  books: Books,
  remove: (list: List, ids: ReadonlyArray<string>) => void
): Pick<StoreService, keyof Lookup | "atomically"> => {
  const lookup: Lookup = {
    ...books.reading,
    get: (list, id) => Effect.sync(() => logs.object(list, id)),
    find: (list, name) =>
      Effect.sync(() => {
        const id = logs.find(list, name)
        return id === undefined ? undefined : logs.object(list, id)
      }),
    due: (list, now) => Effect.sync(() => logs.due(list, now).slice(0, Rules.batchSize))
  }

  const objects: Objects = {
    ...lookup,
    ...books.writing,
    all: (list) =>
      Effect.sync(() =>
        [...logs.get(list)?.all() ?? []].map((json) => logs.object(Lists.homeOf(list), JSON.parse(json).id)!)
      ),
    add: (list, objects) =>
      Effect.suspend(() => logs.append(list, objects.map((fields) => Rules.toEntry(list, fields)))),
    put: (list, fields) => Effect.sync(() => logs.replace(list, Rules.toEntry(list, fields), true)),
    remove: (list, ids) => Effect.sync(() => remove(list, ids)),
    join: (segment, contacts) => Effect.sync(() => contacts.forEach((contact) => logs.join(segment, contact))),
    leave: (segment, contacts) =>
      Effect.sync(() => {
        const members = logs.get(Lists.membersOf(segment))
        contacts.forEach((contact) => members?.empty(contact))
      })
  }

  // Nothing in memory waits, so the work is done at once, and no other fiber sees any of it before its end.
  return { ...lookup, atomically: (work) => Effect.suspend(() => Effect.runSyncExit(work(objects))) }
}
