/** JSON that a database can hold. */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

export { toJson } from "@mailstream/sql/Database"

/** What a text holds as JSON, if it is JSON. */
export const parse = Option.liftThrowable((json: string): unknown => JSON.parse(json))

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

const isNested = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null

/** Whether an item contains neither arrays nor objects. */
export const isFlat = (item: object): boolean => {
  for (const name in item) if (isNested(item[name as keyof typeof item])) return false
  return true
}

const isDeeperThan = (value: unknown, depth: number): boolean => {
  if (!isNested(value)) return false
  if (depth === 0) return true
  for (const name in value) if (isDeeperThan(value[name], depth - 1)) return true
  return false
}

const cut = (value: unknown, depth: number): unknown => {
  if (!isNested(value)) return value
  if (depth === 0) return null
  return Array.isArray(value)
    ? value.map((inner) => cut(inner, depth - 1))
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, depth - 1)]))
}

/** An item whose arrays and objects are nested no deeper than this, including itself: what is deeper becomes null. */
export const flatten = <Item extends object>(item: Item, depth: number): Item =>
  isDeeperThan(item, depth) ? { ...item, ...Object(cut(item, depth)) } : item
