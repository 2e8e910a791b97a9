/** What is kept of the objects of one account beside the texts that lists show: other fields, names, and what is due. */
import * as Lists from "../Lists.ts"
import type { Entry, List } from "../StoreService.ts"

export class Details {
  /** By list and id. */
  private readonly details = new Map<string, Map<string, string>>()
  private readonly times = new Map<string, Map<string, number>>()
  /** Ids by list and name. Made when the first name in a list is looked up: many lists are only ever read. */
  private readonly names = new Map<string, Map<string, string>>()

  get(list: List, id: string): string | null {
    return this.details.get(Lists.keyOf(list))?.get(id) ?? null
  }

  /** The id of a name. `items` are all items of the list, the oldest first. */
  find(list: List, name: string, items: Iterable<string>): string | undefined {
    const key = Lists.keyOf(list)
    const names = this.names.get(key) ?? namesOf(list, items)
    this.names.set(key, names)
    return names.get(Lists.normalize(list, name))
  }

  due(list: List, now: number): ReadonlyArray<string> {
    return [...this.times.get(Lists.keyOf(list)) ?? []]
      .filter(([, time]) => time <= now)
      .sort(([, self], [, that]) => self - that)
      .map(([id]) => id)
  }

  /** When something is due, for each list. */
  *earliest(): Iterable<readonly [list: string, time: number]> {
    for (const [list, times] of this.times) {
      let earliest = Infinity
      for (const time of times.values()) earliest = Math.min(earliest, time)
      if (earliest < Infinity) yield [list, earliest]
    }
  }

  /** `before` is the text that the item had. */
  set(list: List, entry: Pick<Entry, "id" | "details" | "name" | "due">, before: string | undefined): void {
    keep(this.details, list, entry.id, entry.details)
    keep(this.times, list, entry.id, entry.due)
    this.rename(list, entry, before)
  }

  rename(list: List, { id, name }: Pick<Entry, "id" | "name">, before: string | undefined): void {
    const names = this.names.get(Lists.keyOf(list))
    if (names === undefined) return
    const old = before === undefined ? null : Lists.nameOf(list, JSON.parse(before))
    if (old !== null && names.get(old) === id) names.delete(old)
    if (name !== null) names.set(name, id)
  }

  remove(list: List, id: string, before: string | undefined): void {
    this.set(list, { id, details: null, name: null, due: null }, before)
  }

  /** Forgets a list. */
  clear(list: List): void {
    for (const map of [this.details, this.times, this.names]) map.delete(Lists.keyOf(list))
  }
}

const namesOf = (list: List, items: Iterable<string>): Map<string, string> => {
  const names = new Map<string, string>()
  for (const json of items) {
    const item = JSON.parse(json)
    const name = Lists.nameOf(list, item)
    if (name !== null) names.set(name, item.id)
  }
  return names
}

const keep = <A>(map: Map<string, Map<string, A>>, list: List, id: string, value: A | null): void => {
  const key = Lists.keyOf(list)
  const values = map.get(key) ?? new Map<string, A>()
  if (value === null) values.delete(id)
  else map.set(key, values.set(id, value))
}
