/** JSON that a database can hold. */
import * as Predicate from "effect/Predicate"

/** JSON that either database accepts: PostgreSQL has neither the character U+0000 nor half a surrogate pair. */
export const toJson = (value: unknown): string => {
  const json = JSON.stringify(value)
  return json.includes("\\u") ? json.replace(unstorable, (_, before: string) => `${before}\\ufffd`) : json
}

/** An escape that stands after an even number of backslashes. */
const unstorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/** The id under which an item is found again. Half a surrogate pair cannot be in an id. */
export const storableId = (id: string): string => id.replaceAll("\u0000", "\ufffd")

/** Whether two JSON values are the same, whatever the order of their fields. */
export const isSame = (self: unknown, that: unknown): boolean => {
  if (Array.isArray(self)) {
    return Array.isArray(that) && self.length === that.length && self.every((value, at) => isSame(value, that[at]))
  }
  if (!Predicate.isRecord(self)) return self === that
  if (!Predicate.isRecord(that)) return false
  const names = Object.keys(self)
  return names.length === Object.keys(that).length &&
    names.every((name) => Object.hasOwn(that, name) && isSame(self[name], that[name]))
}

interface Nested {
  [name: string]: unknown
}

const isNested = (value: unknown): value is Nested => typeof value === "object" && value !== null

const hasNested = (value: Nested): boolean => {
  for (const name in value) if (isNested(value[name])) return true
  return false
}

const copyOf = (value: Nested): Nested => Array.isArray(value) ? Object.assign([], value) : { ...value }

/**
 * A copy in which what is deeper is null. It is made level by level, because a service can nest values more deeply than
 * functions can call themselves.
 */
const cut = (item: Nested, depth: number): Nested => {
  const root = copyOf(item)
  let level = [root]
  for (let left = depth - 1; left > 0 && level.length > 0; left--) {
    const next: Array<Nested> = []
    for (const parent of level) {
      for (const name in parent) {
        const value = parent[name]
        if (isNested(value)) next.push(parent[name] = copyOf(value))
      }
    }
    level = next
  }
  for (const parent of level) {
    for (const name in parent) if (isNested(parent[name])) parent[name] = null
  }
  return root
}

/** An item whose arrays and objects are nested no deeper than this, including itself: what is deeper becomes null. */
export const flatten = <Item extends object>(item: Item, depth: number): Item =>
  isNested(item) && hasNested(item) ? { ...item, ...cut(item, depth) } : item
