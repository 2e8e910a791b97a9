import * as Core from "@mailstream/core"
import { Duration, Redacted, Result } from "effect"
import {
  Arbitrary,
  DateTime,
  Duration as Duration3,
  Either,
  FastCheck as fc,
  Redacted as Redacted3,
  type Schema
} from "effect3"

/** One more field, one less, or another value, anywhere in a value. */
export const mutated = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(fc.nat(), fc.constantFrom("add", "remove", "replace", "replace", "text"), fc.anything(), fc.string()).map(
    ([at, kind, other, text]) => {
      let left = at % size(value)
      const go = (node: unknown): unknown => {
        const here = left-- === 0
        if (here && kind === "replace") return other
        if (here && kind === "text" && !isPlain(node)) return text
        if (Array.isArray(node)) return here && kind === "add" ? [...node.map(go), other] : node.map(go)
        if (!isPlain(node)) return node
        const copy: Record<PropertyKey, unknown> = Object.fromEntries(
          Object.entries(node).map(([key, child]) => [key, go(child)])
        )
        if (here && kind === "add") copy["extra"] = other
        if (here && kind === "remove") delete copy[Object.keys(copy)[at % (Object.keys(copy).length + 1)] ?? ""]
        return copy
      }
      return go(value)
    }
  )

const isPlain = (node: unknown): node is object =>
  typeof node === "object" && node !== null && Object.getPrototypeOf(node) === Object.prototype

const size = (node: unknown): number =>
  Array.isArray(node) || isPlain(node)
    ? Object.values(node).reduce((sum: number, child) => sum + size(child), 1)
    : 1

/** Times of one version of Effect are not those of the other: dates are understood by both. */
const shared = (value: unknown): unknown =>
  DateTime.isDateTime(value)
    ? DateTime.toDateUtc(value)
    : Array.isArray(value)
    ? value.map(shared)
    : isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, shared(child)]))
    : value

/** Values of a schema, values that differ from one in a few places, and anything. */
export const hostile = (schema: Schema.Schema.Any): fc.Arbitrary<unknown> => {
  const valid: fc.Arbitrary<unknown> = Arbitrary.make(schema as Schema.Schema<unknown>).map(shared)
  const once = valid.chain(mutated)
  return fc.oneof(valid, once, once, once.chain(mutated), fc.anything())
}

/** What both versions of Effect say alike: a value, or an error. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown }

export const of3 = (result: Either.Either<unknown, unknown>): Outcome =>
  Either.match(result, { onLeft: (error) => ({ error: plain(error) }), onRight: (value) => ({ value: plain(value) }) })

export const of4 = (result: Result.Result<unknown, unknown>): Outcome =>
  Result.match(result, {
    onFailure: (error) => ({ error: plain(error) }),
    onSuccess: (value) => ({ value: plain(value) })
  })

/** A value without the classes of either version. */
export const plain = (value: unknown): unknown =>
  Redacted3.isRedacted(value)
    ? { secret: Redacted3.value(value) }
    : Redacted.isRedacted(value)
    ? { secret: Redacted.value(value) }
    : Duration3.isDuration(value)
    ? { millis: Duration3.toMillis(value) }
    : Duration.isDuration(value)
    ? { millis: Duration.toMillis(value) }
    : value instanceof Error
    ? {
      ...plain({ ...value }) as object,
      name: value.name,
      message: value.message,
      string: String(value)
    }
    : Array.isArray(value)
    ? value.map(plain)
    : isPlain(value)
    ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child)]))
    : value

export const tables: ReadonlyArray<readonly [list: string, name: string]> = Object.entries(Core.Operations.all)
  .flatMap(([list, table]) => Object.keys(table).map((name) => [list, name] as const))

export { fc }
